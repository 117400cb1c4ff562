// SPDX-License-Identifier: BSD-3-Clause
// Records of when a message's data was produced and consumed, under the number of the message's own record.
// A memory::Watch observes the accesses; without one these functions do nothing.
#pragma once

#include "trace/note.hpp"

namespace stretto::trace {

/// A message without a request has a number of its own where its data is watched.
void number(record::Record& message);

/// The call sent this data: records when it was last stored to.
void note_produced(const Call& call, const record::Record& message, Amount data);

/// Data arrived there with this call. Records when the data that it replaces was first loaded from.
void note_arrived(const Call& call, const record::Record& message, Amount data);

/// Data will have arrived there when its request completes.
void note_expected(const record::Record& message, Amount data);
void note_completed(const Call& call, std::uint32_t request);
/// The data will not arrive: its request was cancelled or freed.
void note_cancelled(std::uint32_t request);

[[nodiscard]] memory::Range range_of(Amount data);

/// Memory that was lent to the call stays lent until its request completes.
void keep_loan(const Call& call, std::uint32_t request);
/// The same for this part of it only.
void keep_loan(const Call& call, std::uint32_t request, memory::Range data);
/// Lends for good, because nothing reports the end.
void keep_loan(const Call& call);

/// MPI has written there, but by no message between two ranks.
void note_overwritten(Amount data);

/// At the end: records the consumption of the messages that arrived last.
void note_last_consumed();

}  // namespace stretto::trace
