// SPDX-License-Identifier: BSD-3-Clause
// The processes that divide the analysis of a trace: each reads the ranks that it owns, and what another
// needs of them is exchanged. This component knows no MPI; `stretto-analyse-mpi` has a team of MPI ranks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "analysis/archive.hpp"

namespace stretto::analysis {

class Team {
 public:
  virtual ~Team() = default;
  [[nodiscard]] virtual std::size_t size() const = 0;
  /// The number of this process, from 0.
  [[nodiscard]] virtual std::size_t number() const = 0;
  /// Sends bytes to each process, by number, and returns what each of them sent to this one. All call it in
  /// the same order.
  /// Throws TeamFailed where a process has called `fail` instead.
  [[nodiscard]] virtual std::vector<Bytes> exchange(std::vector<Bytes> to) = 0;
  /// Says to all others that this process cannot go on. Afterwards they can exchange again.
  virtual void fail() = 0;
};

/// Another process cannot go on.
class TeamFailed : public std::runtime_error {
 public:
  TeamFailed() : std::runtime_error("another process of the analysis cannot go on") {}
};

/// Sends a value to each process, by number, and returns what each of them sent to this one. All call it.
template <typename Value>
[[nodiscard]] std::vector<Value> exchanged(Team& team, std::vector<Value> to) {
  std::vector<Bytes> sent;
  sent.reserve(to.size());
  for (Value& one : to) {
    Archive out;
    out(one);
    sent.push_back(out.take());
  }
  std::vector<Value> received;
  received.reserve(to.size());
  for (Bytes& bytes : team.exchange(std::move(sent))) {
    Archive in(std::move(bytes));
    in(received.emplace_back());
  }
  return received;
}

/// What each process says to all, by process.
template <typename Value>
[[nodiscard]] std::vector<Value> said_by_all(Team& team, const Value& mine) {
  return exchanged(team, std::vector<Value>(team.size(), mine));
}

/// A process that analyses all ranks.
class Alone final : public Team {
 public:
  [[nodiscard]] std::size_t size() const override { return 1; }
  [[nodiscard]] std::size_t number() const override { return 0; }
  [[nodiscard]] std::vector<Bytes> exchange(std::vector<Bytes> to) override { return to; }
  void fail() override {}
};

/// Which process owns which rank of the trace.
class Division {
 public:
  Division(std::vector<std::uint32_t> owners, std::size_t mine) : owners_(std::move(owners)), mine_(mine) {}
  /// Blocks of ranks of about equal length.
  static Division blocks(std::size_t ranks, const Team& team);

  [[nodiscard]] std::size_t ranks() const { return owners_.size(); }
  [[nodiscard]] std::size_t owner(std::size_t rank) const { return owners_[rank]; }
  [[nodiscard]] bool owns(std::size_t rank) const { return owners_[rank] == mine_; }
  /// How many ranks this process owns.
  [[nodiscard]] std::size_t owned() const {
    return static_cast<std::size_t>(std::ranges::count(owners_, mine_));
  }
  /// Whether this is a rank of the trace that another process owns.
  [[nodiscard]] bool is_remote(std::int32_t rank) const {
    return rank >= 0 && static_cast<std::size_t>(rank) < ranks() && !owns(static_cast<std::size_t>(rank));
  }

 private:
  std::vector<std::uint32_t> owners_;  // by rank
  std::size_t mine_;
};

/// One process owns all ranks.
inline const Division undivided{{}, 0};

/// A team, and what each of its processes owns.
struct Share {
  Team& team;
  Division division;
};

inline Division Division::blocks(std::size_t ranks, const Team& team) {
  std::vector<std::uint32_t> owners(ranks);
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    owners[rank] = static_cast<std::uint32_t>(rank * team.size() / ranks);
  }
  return {std::move(owners), team.number()};
}

}  // namespace stretto::analysis
