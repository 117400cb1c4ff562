// SPDX-License-Identifier: BSD-3-Clause
// What is known of a whole Paraver trace before its calls are read: the names, the application with MPI, its
// communicators and messages, and the roots of its collectives.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "foreign/foreign_call.hpp"
#include "foreign/paraver_file.hpp"
#include "foreign/paraver_messages.hpp"
#include "foreign/paraver_names.hpp"

namespace stretto::foreign {

/// What is found of an application.
struct ParaverApplication {
  using Pair = std::pair<std::int64_t, std::int64_t>;

  void take(const ParaverEvent& event);

  std::uint64_t calls = 0;
  ParaverMessages messages;
  std::uint64_t messages_with_others = 0;
  std::map<std::int64_t, std::vector<std::int64_t>> roots;  ///< tasks, by communicator and number of the call
  std::map<Pair, std::size_t> collectives;                  ///< by task and communicator
  std::map<Pair, std::int64_t> root_at;                     ///< times, by task and thread
};

class ParaverProgram {
 public:
  /// Reads the text of a trace, and its names. Throws Damaged, and NoMpi.
  ParaverProgram(const std::filesystem::path& trace, std::string_view text);

  /// Throws Damaged.
  [[nodiscard]] std::uint64_t ns(std::int64_t time) const;
  [[nodiscard]] std::int64_t tasks() const { return header_.tasks[static_cast<std::size_t>(number - 1)]; }
  [[nodiscard]] const Comm& world() const { return comms_.at(0); }
  /// A communicator of the trace, if the rank is a member, and all members are tasks; else null.
  [[nodiscard]] const Comm* comm_of(std::int32_t rank, std::int64_t comm) const;
  /// The rank of a call on a communicator that says that it is the root; no_peer: none does.
  [[nodiscard]] std::int32_t root(std::int64_t comm, std::size_t call) const;

  std::int64_t number = 0;  ///< of the first application that calls MPI
  ParaverApplication application;
  ParaverThreads threads;
  ParaverNames names;
  LeftOut left_out;

 private:
  void read(std::string_view text);
  void define(std::int64_t comm, std::vector<std::int32_t> members);

  ParaverHeader header_;
  std::map<std::int64_t, std::vector<std::int32_t>> members_;
  std::map<std::int64_t, Comm> comms_;  // by their number and 1; 0 is the world
};

}  // namespace stretto::foreign
