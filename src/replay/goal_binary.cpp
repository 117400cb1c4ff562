// SPDX-License-Identifier: BSD-3-Clause
// Converts LogGOPSim's binary format to a schedule and back. It is packed and little-endian: u64 4223;
// u32 ranks, u8 highest cpu, u8 highest nic; per rank u64 begin, u64 end of its part, from byte 8 on. A
// part: u32 operations, u32 roots (operations without dependencies), u32 number of each root; 39 bytes
// an operation: u32 dependencies, u8 type (1 send, 2 receive, 3 calculation), u32 peer, u64 size or ns,
// u32 tag, u8 cpu, u8 nic, u32 count and u32 first index of the operations that wait for its end, the
// same of those that wait for its start; then the appendix, u32 numbers of operations, which the indices
// count. Peer or tag 2^32 - 1 means any. Roots are not read: they follow from the dependencies.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "replay/goal.hpp"

namespace stretto::replay {
namespace {

static_assert(std::endian::native == std::endian::little, "binaries are copied as they are");

constexpr std::uint64_t cookie = 4223;
constexpr std::size_t after_cookie = sizeof cookie;  // the jump table counts from here
constexpr std::size_t table_at = after_cookie + 6;   // ranks, highest cpu, highest nic
constexpr std::size_t table_entry_bytes = 16;
constexpr std::size_t operation_bytes = 39;

class Reader {
 public:
  Reader(std::string_view bytes, std::string_view name) : bytes_(bytes), name_(name) {}

  Schedule read() {
    at_ = after_cookie;
    const auto ranks = take<std::uint32_t>();
    const std::size_t max_entries =
        bytes_.size() < table_at ? 0 : (bytes_.size() - table_at) / table_entry_bytes;
    if (ranks == 0 || ranks > max_ranks || ranks > max_entries) {
      fail(fmt::format("says {} ranks, and is too short for their table", ranks));
    }
    for (rank_ = 0; rank_ < ranks; ++rank_) {
      at_ = table_at + rank_ * table_entry_bytes;
      const auto begin = take<std::uint64_t>();
      const auto end = take<std::uint64_t>();
      if (begin > end || end > bytes_.size() - after_cookie) {
        fail(fmt::format("rank {} lies outside of the file", rank_));
      }
      read_rank(begin + after_cookie, end + after_cookie);
    }
    return builder_.finish();
  }

 private:
  [[noreturn]] void fail(const std::string& what) {
    throw GoalError(fmt::format("{}: {}; make it again with txt2bin", name_, what));
  }

  template <typename T>
  T take() {
    if (bytes_.size() - at_ < sizeof(T)) fail("ends too early");
    T value;
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }

  void read_rank(std::size_t begin, std::size_t end) {
    at_ = begin;
    const std::uint64_t operations = take<std::uint32_t>();
    const std::uint64_t roots = take<std::uint32_t>();
    const std::uint64_t appendix_at = begin + 8 + 4 * roots + operation_bytes * operations;
    if (roots > operations || appendix_at > end) {
      fail(fmt::format("rank {} is too short for {} operations", rank_, operations));
    }
    const std::uint64_t appendix = (end - appendix_at) / 4;
    // Damaged files could name the same dependents for every operation; the limit is the number of entries
    // in the appendix.
    std::uint64_t dependents = 0;
    waits_.clear();
    edges_.clear();
    for (std::uint64_t i = 0; i < operations; ++i) {
      at_ = begin + 8 + 4 * roots + operation_bytes * i;
      read_operation(static_cast<std::uint32_t>(i));
      for (const std::uint32_t start : {0U, 1U}) {
        const std::uint64_t count = take<std::uint32_t>();
        const std::uint64_t first = take<std::uint32_t>();
        if (count == 0) continue;  // `first` is undefined then
        dependents += count;
        if (first > appendix || count > appendix - first || dependents > appendix) {
          fail(fmt::format("rank {}, operation {}: its dependents lie outside of the appendix", rank_, i));
        }
        edges_.push_back({static_cast<std::uint32_t>(i), start, appendix_at + 4 * first, count});
      }
    }
    read_edges(operations);
    builder_.end_rank();
  }

  void read_operation(std::uint32_t i) {
    waits_.push_back(take<std::uint32_t>());
    const auto type = take<std::uint8_t>();
    if (type < 1 || type > 3) {
      fail(fmt::format("rank {}, operation {}: there is no operation of type {}", rank_, i, type));
    }
    ScheduleOperation operation{.kind = static_cast<OperationKind>(type)};
    operation.peer = take<std::uint32_t>();
    operation.amount = take<std::uint64_t>();
    operation.tag = take<std::uint32_t>();
    operation.cpu = cpu_of_file(take<std::uint8_t>());
    operation.nic = take<std::uint8_t>();
    if (operation.kind == OperationKind::calculate) operation.peer = operation.tag = 0;
    if (operation.kind == OperationKind::send && operation.tag == any) {
      fail(fmt::format("rank {}, operation {}: a send has no tag -1", rank_, i));
    }
    builder_.add(operation);
  }

  void read_edges(std::uint64_t operations) {
    for (const Edges& edges : edges_) {
      at_ = edges.at;
      for (std::uint64_t i = 0; i < edges.count; ++i) {
        const auto later = take<std::uint32_t>();
        if (later >= operations) {
          fail(fmt::format("rank {}, operation {}: operation {} waits for it and is none", rank_,
                           edges.earlier, later));
        }
        --waits_[later];
        if (edges.start != 0) {
          builder_.require_start(later, edges.earlier);
        } else {
          builder_.require(later, edges.earlier);
        }
      }
    }
    const auto wrong = std::ranges::find_if(waits_, [](std::uint32_t left) { return left != 0; });
    if (wrong != waits_.end()) {
      fail(fmt::format("rank {}, operation {}: its dependencies are not as many as it says", rank_,
                       wrong - waits_.begin()));
    }
  }

  struct Edges {
    std::uint32_t earlier;
    std::uint32_t start;
    std::uint64_t at;
    std::uint64_t count;
  };

  std::string_view bytes_;
  std::string_view name_;
  std::size_t at_ = 0;
  std::uint32_t rank_ = 0;
  std::vector<std::uint32_t> waits_;  // dependencies of the current rank that have not been found yet
  std::vector<Edges> edges_;
  ScheduleBuilder builder_;
};

template <typename T>
void put(std::string& bytes, T value) {
  char raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  bytes.append(raw, sizeof raw);
}

void put_rank(std::string& bytes, const Schedule& schedule, std::uint32_t rank) {
  const OperationId begin = schedule.first_operation[rank];
  const OperationId end = schedule.first_operation[rank + 1];
  put<std::uint32_t>(bytes, end - begin);
  const std::size_t roots_at = bytes.size();
  put<std::uint32_t>(bytes, 0);
  std::uint32_t roots = 0;
  for (OperationId id = begin; id < end; ++id) {
    if (schedule.dependencies[id] > 0) continue;
    put<std::uint32_t>(bytes, id - begin);
    ++roots;
  }
  std::memcpy(bytes.data() + roots_at, &roots, sizeof roots);
  std::string appendix;
  for (OperationId id = begin; id < end; ++id) {
    put<std::uint32_t>(bytes, schedule.dependencies[id]);
    put<std::uint8_t>(bytes, static_cast<std::uint8_t>(schedule.kind[id]));
    put<std::uint32_t>(bytes, schedule.peer[id]);
    put<std::uint64_t>(bytes, schedule.amount[id]);
    put<std::uint32_t>(bytes, schedule.tag[id]);
    put<std::uint8_t>(bytes, cpu_in_file(schedule.cpu[id]));
    put<std::uint8_t>(bytes, schedule.nic[id]);
    for (const std::uint32_t start : {0U, 1U}) {
      const auto first = static_cast<std::uint32_t>(appendix.size() / 4);
      for (std::uint32_t at = schedule.first_dependent[id]; at < schedule.first_dependent[id + 1]; ++at) {
        if ((schedule.dependents[at] & 1U) == start) {
          put<std::uint32_t>(appendix, (schedule.dependents[at] >> 1U) - begin);
        }
      }
      put<std::uint32_t>(bytes, static_cast<std::uint32_t>(appendix.size() / 4) - first);
      put<std::uint32_t>(bytes, first);
    }
  }
  bytes += appendix;
}

}  // namespace

bool is_goal_binary(std::string_view bytes) {
  std::uint64_t begin = 0;
  if (bytes.size() < sizeof begin) return false;
  std::memcpy(&begin, bytes.data(), sizeof begin);
  return begin == cookie;
}

Schedule parse_goal_binary(std::string_view bytes, std::string_view name) {
  if (!is_goal_binary(bytes)) throw GoalError(fmt::format("{}: is no binary of LogGOPSim", name));
  try {
    return Reader(bytes, name).read();
  } catch (const ScheduleError& error) {
    throw GoalError(fmt::format("{}: {}", name, error.what()));
  }
}

std::string to_goal_binary(const Schedule& schedule) {
  std::string bytes;
  put<std::uint64_t>(bytes, cookie);
  put<std::uint32_t>(bytes, schedule.ranks());
  const auto highest = [](const auto& of) { return of.empty() ? 0 : *std::ranges::max_element(of); };
  put<std::uint8_t>(bytes, cpu_in_file(static_cast<std::uint16_t>(highest(schedule.cpu))));
  put<std::uint8_t>(bytes, static_cast<std::uint8_t>(highest(schedule.nic)));
  bytes.resize(table_at + std::size_t{schedule.ranks()} * table_entry_bytes);
  for (std::uint32_t rank = 0; rank < schedule.ranks(); ++rank) {
    const std::uint64_t begin = bytes.size() - after_cookie;
    put_rank(bytes, schedule, rank);
    const std::uint64_t end = bytes.size() - after_cookie;
    char* const entry = bytes.data() + table_at + std::size_t{rank} * table_entry_bytes;
    std::memcpy(entry, &begin, sizeof begin);
    std::memcpy(entry + sizeof begin, &end, sizeof end);
  }
  return bytes;
}

}  // namespace stretto::replay
