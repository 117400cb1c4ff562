// SPDX-License-Identifier: BSD-3-Clause
#include "foreign/paraver_program.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "foreign/damaged.hpp"
#include "record/trace_format.hpp"

namespace stretto::foreign {

void ParaverApplication::take(const ParaverEvent& event) {
  if (paraver::is_call(event.type) && event.value != 0) ++calls;
  if (event.type == paraver::is_root && event.value != 0) root_at[{event.task, event.thread}] = event.time;
  if (event.type != paraver::communicator) return;
  const std::size_t number = collectives[{event.task, event.value}]++;
  const auto root = root_at.find({event.task, event.thread});
  if (root == root_at.end() || root->second != event.time) return;
  std::vector<std::int64_t>& known = roots[event.value];
  if (known.size() <= number) known.resize(number + 1);
  known[number] = event.task;
}

ParaverProgram::ParaverProgram(const std::filesystem::path& trace, std::string_view text)
    : header_(paraver_header(text)) {
  names.read(trace);
  read(text);
  threads = threads_of(application.messages, tasks());
  std::vector<std::int32_t> world(static_cast<std::size_t>(tasks()));
  std::iota(world.begin(), world.end(), 0);
  define(0, std::move(world));
  for (const auto& [of, members] : header_.members) {
    std::vector<std::int64_t> sorted = members;
    std::ranges::sort(sorted);
    const bool are_tasks =
        sorted.front() >= 0 && sorted.back() < tasks() && std::ranges::adjacent_find(sorted) == sorted.end();
    const auto [own, comm] = of;
    const bool is_number = comm >= 0 && comm < std::numeric_limits<std::int32_t>::max();
    if (own == number && is_number && are_tasks) define(comm + 1, {members.begin(), members.end()});
  }
}

void ParaverProgram::define(std::int64_t comm, std::vector<std::int32_t> members) {
  members_[comm] = std::move(members);
  comms_[comm] = {.number = static_cast<std::uint32_t>(comm), .members = members_[comm]};
}

void ParaverProgram::read(std::string_view text) {
  constexpr std::size_t of_sender = 2;
  constexpr std::size_t of_receiver = 8;
  std::map<std::int64_t, ParaverApplication> all;
  read_paraver(
      text, [&](const ParaverEvent& event) { all[event.application].take(event); },
      [&](const ParaverCommunication& one) {
        if (one[of_sender] == one[of_receiver]) {
          all[one[of_sender]].messages.emplace_back(one);
        } else {
          ++all[one[of_sender]].messages_with_others;
          ++all[one[of_receiver]].messages_with_others;
        }
      });
  for (auto& [own, one] : all) {
    if (number == 0 && one.calls > 0 && own >= 1 && std::cmp_less_equal(own, header_.tasks.size())) {
      number = own;
      application = std::move(one);
    } else if (one.calls > 0) {
      left_out["call of another application"] += one.calls;
    }
  }
  if (number == 0) throw NoMpi("no MPI call is in it");
  if (application.messages_with_others > 0)
    left_out["message between applications"] = application.messages_with_others;
}

std::uint64_t ParaverProgram::ns(std::int64_t time) const {
  if (std::cmp_greater(time, record::field_mask / header_.ns))
    throw Damaged("a time that no record can hold");
  return static_cast<std::uint64_t>(time) * header_.ns;
}

const Comm* ParaverProgram::comm_of(std::int32_t rank, std::int64_t comm) const {
  const auto found = comm < 0 ? comms_.end() : comms_.find(comm + 1);
  if (found == comms_.end()) return nullptr;
  const auto members = found->second.members;
  return std::ranges::find(members, rank) == members.end() ? nullptr : &found->second;
}

std::int32_t ParaverProgram::root(std::int64_t comm, std::size_t call) const {
  const auto found = application.roots.find(comm);
  const bool is_known = found != application.roots.end() && call < found->second.size();
  const std::int64_t task = is_known ? found->second[call] : 0;
  return task >= 1 && task <= tasks() ? static_cast<std::int32_t>(task - 1) : record::no_peer;
}

}  // namespace stretto::foreign
