// SPDX-License-Identifier: BSD-3-Clause
// When a message's data was produced and consumed, as records beside that of the message and by its number.
// Who looks at the accesses is a memory::Watch; without one nothing here does anything.
#pragma once

#include "trace/note.hpp"

namespace stretto::trace {

/// A message without a request has a number of its own where its data is watched.
void number(record::Record& message);

/// Sent from there: when that was last stored to.
void note_produced(const Call& call, const record::Record& message, Amount data);

/// It came there with this call. What was there before is consumed: when it was first loaded from is noted.
void note_arrived(const Call& call, const record::Record& message, Amount data);

/// It will have come there when its request is over.
void note_expected(const record::Record& message, Amount data);
void note_completed(const Call& call, std::uint32_t request);
/// It will not come.
void note_cancelled(std::uint32_t request);

[[nodiscard]] memory::Range range_of(Amount data);

/// What a call has started may touch what was lent to the call until its request is over.
void keep_loan(const Call& call, std::uint32_t request);
/// Of what was lent to the call only this.
void keep_loan(const Call& call, std::uint32_t request, memory::Range data);
/// For good: nobody says when it is over.
void keep_loan(const Call& call);

/// Written by MPI, by no message between two ranks.
void note_overwritten(Amount data);

/// At the end: what was consumed of all that came last.
void note_last_consumed();

}  // namespace stretto::trace
