// SPDX-License-Identifier: BSD-3-Clause
// Records of when the data of a message was produced (last store before the send) and consumed (first load
// after the receive). They refer to the message by its number. A memory::Watch observes the accesses;
// without one these functions do nothing.
#pragma once

#include "trace/note.hpp"

namespace stretto::trace {

/// Gives a message without a request a number, if its data is watched.
void number(record::Record& message);

/// Records when the data that the call sent was last stored to.
void note_produced(const Call& call, const record::Record& message, const Amount& data);

/// Notes that data arrived with this call. Records when the data that it replaces was first loaded.
void note_arrived(const Call& call, const record::Record& message, const Amount& data);

/// Notes that MPI reads the data until the request completes.
void note_in_flight(const record::Record& message, const Amount& data);
/// Notes that MPI has read the data that this call has sent, while it received other data.
void note_returned(const Amount& data);
/// Notes that data will arrive when the request completes.
void note_expected(const record::Record& message, const Amount& data);
/// `bytes`: how many arrived, at the begin of the buffer.
inline constexpr std::uint64_t all_bytes = ~std::uint64_t{0};
void note_completed(const Call& call, std::uint32_t request, std::uint64_t bytes);
/// Notes that the data will not arrive: its request was cancelled or freed.
void note_cancelled(std::uint32_t request);

/// Keeps the memory of the call unprotected until its request completes.
void keep_unprotected(const Call& call, std::uint32_t request);
/// The same for the part `message` only.
void keep_unprotected(const Call& call, std::uint32_t request, const memory::Data& message);
/// Keeps it unprotected permanently, because nothing reports its end.
void keep_unprotected(const Call& call);

// Data that MPI writes, but not as a message between two ranks: what depends on it is followed, its first
// loads are not recorded. Where the place is unknown, all later work depends on it.

/// Notes that MPI has written the data.
void note_overwritten(const Call& call, const Amount& data);
/// Notes that MPI will have written it when the request completes.
void note_overwritten_later(std::uint32_t request, const Amount& data);
/// Notes that MPI will have written it after the next synchronisation with the window's target.
void note_overwritten_later(const Context& window, int target, const Amount& data);
inline constexpr int all_targets = -1;
/// Notes that the call ends this rank's operations on a target of the window.
void note_synchronised(const Call& call, const Context& window, int target);
/// Notes that other ranks' operations on this rank's memory of the window have ended.
void note_exposed(const Call& call, MPI_Win window);

/// Records, at the end of the trace, the consumption of the messages that arrived last.
void note_last_consumed();

}  // namespace stretto::trace
