// SPDX-License-Identifier: BSD-3-Clause
// The algorithms: Thakur, Rabenseifner, Gropp, Optimization of Collective Communication Operations in MPICH,
// Int. J. High Perform. Comput. Appl. 19 (2005) 49-66.
#include "replay/collective_rounds.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string>

namespace stretto::replay {
namespace {

constexpr std::uint64_t long_vector_bytes = std::uint64_t{64}
                                            << 10U;  // from this size on rings, which move fewer bytes
constexpr std::uint64_t empty_bytes = 1;             // an empty message counts as one byte

class Rounds {
 public:
  explicit Rounds(const CollectiveCall& call) : call_(call), rank_(call.rank), ranks_(call.ranks) {}

  std::vector<Round> make() {
    if (ranks_ == 1) return {};
    switch (call_.what) {
      case Collective::barrier:
        dissemination();
        break;
      case Collective::broadcast:
        down_the_tree([this](std::uint32_t) { return call_.bytes; });
        break;
      case Collective::reduce:
        up_the_tree([this](std::uint32_t) { return call_.bytes; });
        break;
      case Collective::allreduce:
        if (call_.bytes < long_vector_bytes) {
          recursive_doubling();
        } else {
          ring(2 * (ranks_ - 1), (call_.bytes + ranks_ - 1) / ranks_);
        }
        break;
      case Collective::gather:
        up_the_tree([this](std::uint32_t members) { return members * call_.bytes; });
        break;
      case Collective::gatherv:
        to_root();
        break;
      case Collective::scatterv:
        from_root_to_all();
        break;
      case Collective::scatter:
        down_the_tree([this](std::uint32_t members) { return members * call_.bytes; });
        break;
      case Collective::allgather:
        if (call_.bytes * ranks_ < long_vector_bytes) {
          bruck();
        } else {
          ring_of_blocks();
        }
        break;
      case Collective::alltoall:
        all_at_once();
        break;
      case Collective::reduce_scatter:
        ring(ranks_ - 1, call_.bytes);
        break;
      case Collective::scan:
        prefix();
        break;
    }
    return std::move(rounds_);
  }

 private:
  void send(std::uint32_t peer, std::uint64_t bytes) {
    rounds_.back().push_back({.sends = true, .peer = peer, .bytes = bytes});
  }
  void receive(std::uint32_t peer, std::uint64_t bytes) {
    rounds_.back().push_back({.sends = false, .peer = peer, .bytes = bytes});
  }
  void round() { rounds_.emplace_back(); }
  [[nodiscard]] std::uint32_t ahead(std::uint32_t by) const { return (rank_ + by) % ranks_; }
  [[nodiscard]] std::uint32_t behind(std::uint32_t by) const { return (rank_ + ranks_ - by) % ranks_; }

  void exchange(std::uint32_t to, std::uint32_t from, std::uint64_t bytes) {
    round();
    receive(from, bytes);
    send(to, bytes);
  }

  void dissemination() {
    for (std::uint32_t step = 1; step < ranks_; step *= 2) exchange(ahead(step), behind(step), empty_bytes);
  }

  // A binomial tree with ranks counted from the root. The bytes of a message depend on the number of ranks
  // in the subtree.
  [[nodiscard]] std::uint32_t from_root() const { return (rank_ + ranks_ - call_.root) % ranks_; }
  [[nodiscard]] std::uint32_t real(std::uint32_t relative) const { return (relative + call_.root) % ranks_; }
  [[nodiscard]] std::uint32_t below(std::uint32_t relative, std::uint32_t mask) const {
    return std::min(mask, ranks_ - relative);
  }
  /// The distance to the parent; for the root, a number beyond all ranks.
  [[nodiscard]] std::uint32_t parent_mask() const {
    const std::uint32_t me = from_root();
    return me == 0 ? std::bit_ceil(ranks_) : me & (~me + 1);
  }

  template <typename Bytes>
  void down_the_tree(Bytes bytes) {
    const std::uint32_t me = from_root();
    const std::uint32_t mask = parent_mask();
    if (me != 0) {
      round();
      receive(real(me - mask), bytes(below(me, mask)));
    }
    for (std::uint32_t step = mask / 2; step > 0; step /= 2) {
      if (me + step >= ranks_) continue;
      round();
      send(real(me + step), bytes(below(me + step, step)));
    }
  }

  template <typename Bytes>
  void up_the_tree(Bytes bytes) {
    const std::uint32_t me = from_root();
    const std::uint32_t mask = parent_mask();
    for (std::uint32_t step = 1; step < mask; step *= 2) {
      if (me + step >= ranks_) continue;
      round();
      receive(real(me + step), bytes(below(me + step, step)));
    }
    if (me != 0) {
      round();
      send(real(me - mask), bytes(below(me, mask)));
    }
  }

  /// The ranks beyond the largest power of two first send their vector to a partner, and finally receive
  /// the sum.
  void recursive_doubling() {
    const std::uint32_t power = std::bit_floor(ranks_);
    const std::uint32_t rest = ranks_ - power;
    if (rank_ < 2 * rest && rank_ % 2 == 0) {
      round();
      send(rank_ + 1, call_.bytes);
      round();
      receive(rank_ + 1, call_.bytes);
      return;
    }
    const bool partner = rank_ < 2 * rest;
    if (partner) {
      round();
      receive(rank_ - 1, call_.bytes);
    }
    const std::uint32_t me = partner ? rank_ / 2 : rank_ - rest;
    for (std::uint32_t mask = 1; mask < power; mask *= 2) {
      const std::uint32_t other = me ^ mask;
      const std::uint32_t peer = other < rest ? 2 * other + 1 : other + rest;
      exchange(peer, peer, call_.bytes);
    }
    if (partner) {
      round();
      send(rank_ - 1, call_.bytes);
    }
  }

  void ring(std::uint32_t steps, std::uint64_t bytes) {
    for (std::uint32_t step = 0; step < steps; ++step) exchange(ahead(1), behind(1), bytes);
  }

  void bruck() {
    for (std::uint32_t step = 1; step < ranks_; step *= 2) {
      exchange(behind(step), ahead(step), std::min(step, ranks_ - step) * call_.bytes);
    }
  }

  /// Step by step, every rank passes on the block that it has received last.
  void ring_of_blocks() {
    for (std::uint32_t step = 0; step + 1 < ranks_; ++step) {
      round();
      receive(behind(1), bytes_of(call_.received, behind(step + 1)));
      send(ahead(1), bytes_of(call_.received, behind(step)));
    }
  }

  void all_at_once() {
    round();
    for (std::uint32_t step = 1; step < ranks_; ++step) {
      if (exchanges(call_.received, behind(step)))
        receive(behind(step), bytes_of(call_.received, behind(step)));
    }
    for (std::uint32_t step = 1; step < ranks_; ++step) {
      if (exchanges(call_.sent, ahead(step))) send(ahead(step), bytes_of(call_.sent, ahead(step)));
    }
    if (rounds_.back().empty()) rounds_.pop_back();
  }

  void to_root() {
    round();
    if (rank_ != call_.root) return send(call_.root, call_.bytes);
    for (std::uint32_t step = 1; step < ranks_; ++step) {
      receive(ahead(step), bytes_of(call_.received, ahead(step)));
    }
  }

  void from_root_to_all() {
    round();
    if (rank_ != call_.root) return receive(call_.root, call_.bytes);
    for (std::uint32_t step = 1; step < ranks_; ++step) send(ahead(step), bytes_of(call_.sent, ahead(step)));
  }

  /// The bytes for or from a rank; without counts the same for all.
  [[nodiscard]] std::uint64_t bytes_of(const std::vector<std::uint64_t>& counted, std::uint32_t peer) const {
    return peer < counted.size() ? counted[peer] : call_.bytes;
  }
  /// MPIs leave out the messages without bytes of an alltoall with counts.
  [[nodiscard]] static bool exchanges(const std::vector<std::uint64_t>& counted, std::uint32_t peer) {
    return peer >= counted.size() || counted[peer] > 0;
  }

  void prefix() {
    for (std::uint32_t step = 1; step < ranks_; step *= 2) {
      round();
      if (rank_ >= step) receive(rank_ - step, call_.bytes);
      if (rank_ + step < ranks_) send(rank_ + step, call_.bytes);
    }
  }

  const CollectiveCall& call_;
  std::uint32_t rank_;
  std::uint32_t ranks_;
  std::vector<Round> rounds_;
};

struct Named {
  std::string_view name;
  Collective what;
};
constexpr std::array<Named, 17> names = {{{"barrier", Collective::barrier},
                                          {"bcast", Collective::broadcast},
                                          {"reduce", Collective::reduce},
                                          {"allreduce", Collective::allreduce},
                                          {"gather", Collective::gather},
                                          {"gatherv", Collective::gatherv},
                                          {"scatter", Collective::scatter},
                                          {"scatterv", Collective::scatterv},
                                          {"allgather", Collective::allgather},
                                          {"allgatherv", Collective::allgather},
                                          {"alltoall", Collective::alltoall},
                                          {"alltoallv", Collective::alltoall},
                                          {"alltoallw", Collective::alltoall},
                                          {"reduce_scatter", Collective::reduce_scatter},
                                          {"reduce_scatter_block", Collective::reduce_scatter},
                                          {"scan", Collective::scan},
                                          {"exscan", Collective::scan}}};

}  // namespace

std::vector<Round> rounds_of(const CollectiveCall& call) { return Rounds(call).make(); }

std::optional<Collective> collective_named(std::string_view name) {
  if (!name.starts_with("MPI_")) return {};
  name.remove_prefix(4);
  if (name.ends_with("_c")) name.remove_suffix(2);
  if (name.ends_with("_init")) name.remove_suffix(5);
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  for (const bool nonblocking : {false, true}) {
    const std::string_view requested =
        nonblocking && lower.starts_with('i') ? std::string_view(lower).substr(1) : std::string_view(lower);
    for (const Named& one : names) {
      if (one.name == requested) return one.what;
    }
  }
  return {};
}

}  // namespace stretto::replay
