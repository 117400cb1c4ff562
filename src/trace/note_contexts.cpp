// SPDX-License-Identifier: BSD-3-Clause
// Communicators, windows, and one-sided operations.
#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "trace/data_times.hpp"
#include "trace/freed.hpp"
#include "trace/note.hpp"

namespace stretto::trace {
namespace {

using record::Record;

/// Records the call on the communicator that it made, if it made one on this rank.
void write_made(const Call& call, MPI_Comm made) {
  Record record = call.record();
  if (made != MPI_COMM_NULL) {
    record.bytes_and_context = record::pack_field(0, call.context(made).number);
  }
  call.append(record);
}

// In place of a parent's key, for communicators without a common parent.
constexpr std::uint64_t between_groups = 3;
constexpr std::uint64_t of_a_group = 4;

/// FNV-1a of a text.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return hash;
}

Record on_window(const Call& call, const Context& window, const Amount& amount, int target) {
  Record record = call.record();
  record.bytes_and_context = record::pack_field(amount.bytes, window.number);
  record.peer = window.world(target);
  record.extra = reinterpret_cast<std::uint64_t>(amount.buffer);
  record.count = call.variable(amount.buffer);
  return record;
}

bool is_one_of(const Call& call, std::initializer_list<std::string_view> names) {
  const std::string_view name = call_names[call.number() - record::first_call].name;
  return std::ranges::find(names, name) != names.end();
}

Context& window_of(const Call& call, MPI_Win window) {
  return recorder().contexts.of_window(window, call.thread().stream);
}

}  // namespace

void new_comm(const Call& call, MPI_Comm parent, MPI_Comm made) {
  Context& context = call.context(parent);
  recorder().contexts.add(made, context.key, ++context.children, call.thread().stream);
  write_made(call, made);
}

void new_comm_later(const Call& call, MPI_Comm parent, MPI_Comm made, MPI_Request request) {
  Context& context = call.context(parent);
  recorder().contexts.add_later(made, context.key, ++context.children);
  Record record = call.record();
  record.bytes_and_context = record::pack_field(0, context.number);
  record.request = recorder().requests.add(request, context.number, false);
  call.append(record);
}

void new_group_comm(const Call& call, MPI_Comm parent, int tag, MPI_Comm made) {
  // Only some ranks of the parent take part, so the tag identifies the communicator.
  const std::uint64_t ordinal = (std::uint64_t{1} << 32U) + static_cast<std::uint64_t>(tag);
  recorder().contexts.add_tagged(made, call.context(parent).key, ordinal, call.thread().stream);
  write_made(call, made);
}

void new_intercomm(const Call& call, MPI_Comm /*parent*/, MPI_Comm /*bridge*/, int tag, MPI_Comm made) {
  // The two groups have no common parent.
  recorder().contexts.add_tagged(made, between_groups, static_cast<std::uint64_t>(tag), call.thread().stream);
  write_made(call, made);
}

void new_group_comm(const Call& call, const char* tag, MPI_Comm made) {
  recorder().contexts.add_tagged(made, of_a_group, hash_of(tag), call.thread().stream);
  write_made(call, made);
}

void new_intercomm(const Call& call, const char* tag, MPI_Comm made) {
  recorder().contexts.add_tagged(made, between_groups, hash_of(tag), call.thread().stream);
  write_made(call, made);
}

void free_comm(const Call& call, FreedComm& freed) {
  Record record = call.record();
  record.bytes_and_context = record::pack_field(0, freed.done());
  call.append(record);
}

void new_window(const Call& call, MPI_Aint bytes, MPI_Comm /*comm*/, MPI_Win made) {
  recorder().contexts.add_window(made, static_cast<std::uint64_t>(bytes), call.thread().stream);
  Record record = call.record();
  record.bytes_and_context =
      record::pack_field(static_cast<std::uint64_t>(bytes), window_of(call, made).number);
  call.append(record);
  // Other ranks may have the kernel touch the window at any time, so nothing is protected from now on.
  keep_unprotected(call);
}

void new_dynamic_window(const Call& call, MPI_Comm comm, MPI_Win made) { new_window(call, 0, comm, made); }

void free_window(const Call& call, FreedWindow& freed) {
  Record record = call.record();
  record.bytes_and_context = record::pack_field(0, freed.done());
  call.append(record);
}

void one_sided(const Call& call, const Amount& amount, int target, MPI_Win window, MPI_Request request) {
  const Context& context = window_of(call, window);
  Record record = on_window(call, context, amount, target);
  if (request != MPI_REQUEST_NULL) record.request = recorder().requests.add(request, context.number, false);
  call.append(record);
  if (!is_one_of(call, {"MPI_Get", "MPI_Rget", "MPI_Get_accumulate", "MPI_Rget_accumulate",
                        "MPI_Fetch_and_op", "MPI_Compare_and_swap"})) {
    return;
  }
  if (request != MPI_REQUEST_NULL) {
    note_overwritten_later(record.request, amount);
  } else {
    note_overwritten_later(context, target, amount);
  }
}

void one_sided(const Call& call, const Amount& sent, const Amount& received, int target, MPI_Win window,
               MPI_Request request) {
  const Amount amount = {received.buffer, std::max(sent.bytes, received.bytes), received.data};
  one_sided(call, amount, target, window, request);
}

void synchronise_with(const Call& call, int target, MPI_Win window) {
  const Context& context = window_of(call, window);
  call.append(on_window(call, context, {}, target));
  note_synchronised(call, context, target);
}

void synchronise(const Call& call, MPI_Win window, int flag) {
  const Context& context = window_of(call, window);
  Record record = on_window(call, context, {}, MPI_PROC_NULL);
  record.count = flag != 0 ? 1 : 0;
  call.append(record);
  if (flag == 0) return;
  note_synchronised(call, context, all_targets);
  if (is_one_of(call, {"MPI_Win_fence", "MPI_Win_wait", "MPI_Win_test", "MPI_Win_sync"})) {
    note_exposed(call, window);
  }
}

void synchronise_group(const Call& call, MPI_Group group, MPI_Win window) {
  const Context& context = window_of(call, window);
  Record record = on_window(call, context, {}, MPI_PROC_NULL);
  record.extra = recorder().contexts.number_of(group, call.thread().stream);
  call.append(record);
}

void plain(const Call& call) { call.append(call.record()); }

}  // namespace stretto::trace
