// SPDX-License-Identifier: BSD-3-Clause
// The members that records of point-to-point messages share. note_*.cpp has the rest of each call.
#pragma once

#include "record/trace_format.hpp"
#include "trace/note.hpp"

namespace stretto::trace {

inline std::uint64_t address(const void* buffer) { return reinterpret_cast<std::uint64_t>(buffer); }

inline record::Record message_record(const Call& call, const Context& context, const Amount& amount, int peer,
                                     int tag, std::uint16_t special = 0) {
  record::Record record = call.record(special);
  record.bytes_and_context = record::pack_field(amount.bytes, context.number);
  record.peer = context.world(peer);
  record.tag = tag == MPI_ANY_TAG ? record::any_tag : tag;
  record.extra = address(amount.buffer);
  record.count = call.variable(amount.buffer);
  return record;
}

/// Replaces the source, tag and size that the receive allowed by those of the message that it received.
inline void correct(record::Record& record, const Context& context, const MPI_Status* status) {
  if (status == nullptr || record.peer == record::no_peer) return;
  if (record.peer == record::any_peer) record.peer = context.world(status->MPI_SOURCE);
  if (record.tag == record::any_tag) record.tag = status->MPI_TAG;
  MPI_Count bytes = 0;
  if (PMPI_Get_elements_x(status, MPI_BYTE, &bytes) == MPI_SUCCESS && bytes >= 0) {
    record.bytes_and_context = record::pack_field(static_cast<std::uint64_t>(bytes), context.number);
  }
}

}  // namespace stretto::trace
