// SPDX-License-Identifier: BSD-3-Clause
// An exchange by puts with flags: each block increments its group's arrival counter at the target. A rank
// that has read its receive buffer increments a credit counter at each of its sources. A source waits for the
// credit before it writes there again.
#include <array>
#include <set>
#include <stdexcept>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>
#include <stretto/signal.hpp>
#include <stretto/transfer.hpp>
#include <utility>

#include "exchange/arenas.hpp"
#include "exchange/transports.hpp"
#include "onesided/api/services.hpp"
#include "onesided/memory/cache_lines.hpp"

namespace stretto::exchange {
namespace {

constexpr std::size_t flag_bytes = sizeof(std::uint64_t);

/// An arena in a region: the flags of all exchanges first, then the memory.
class OneSidedArena final : public BufferArena {
 public:
  OneSidedArena(Runtime& used, const Team& team, std::size_t memory_bytes, std::size_t flags)
      : runtime(used),
        memory_offset(onesided::round_up_to_lines(flags * flag_bytes)),
        region(team, memory_offset + memory_bytes),
        ranks(team) {}

  std::byte* memory() override { return region.local().data() + memory_offset; }
  std::size_t memory_bytes() const override { return region.size_bytes(region.rank()); }
  std::unique_ptr<Exchange> exchange(const Team& team, const ExchangeShape& shape,
                                     std::vector<ReceivePattern> patterns) override;

  /// Reserves `count` flags for one exchange; returns their offset.
  [[nodiscard]] std::size_t take_flags(std::size_t count) {
    const std::size_t first = flags_taken_;
    flags_taken_ += count;
    if (flags_taken_ * flag_bytes > memory_offset) throw std::logic_error("an arena has too few flags");
    return first * flag_bytes;
  }
  Runtime& runtime;
  std::size_t memory_offset;
  Region region;
  ArenaRanks ranks;

 private:
  std::size_t flags_taken_ = 0;
};

class OneSidedExchange final : public Exchange {
 public:
  OneSidedExchange(const std::shared_ptr<OneSidedArena>& arena, const Team& team, const ExchangeShape& shape,
                   const std::vector<ReceivePattern>& patterns)
      : Exchange(arena, shape),
        runtime_(arena->runtime),
        region_(arena->region),
        blocking_(shape.blocking),
        implicit_credits_(shape.implicit_credits),
        rank_(team.rank()),
        arrivals_offset_(arena->take_flags(static_cast<std::size_t>(shape.groups))),
        credits_offset_(arena->take_flags(static_cast<std::size_t>(team.size()))),
        buffers_(arena->ranks.buffers_of(team, arena->memory_offset + shape.arena_offset)),
        arrivals_(patterns.size(), std::vector<std::uint64_t>(static_cast<std::size_t>(shape.groups), 0)),
        expected_(static_cast<std::size_t>(shape.groups), 0),
        credited_(static_cast<std::size_t>(team.size()), 0) {
    std::set<int> sources;
    for (std::size_t pattern = 0; pattern < patterns.size(); ++pattern) {
      for (const IncomingBlocks& one : patterns[pattern]) {
        arrivals_[pattern].at(static_cast<std::size_t>(one.group)) += one.times;
        sources.insert(one.source);
      }
    }
    sources_.assign(sources.begin(), sources.end());
  }

  ~OneSidedExchange() override {
    for (Handle& handle : handles_)
      onesided::release(handle);  // those of a round that an exception has ended
  }

  bool copies_to(int target) const override {
    return region_.node_local_pointer(buffer(target).rank) != nullptr;
  }

  void open(std::size_t pattern, std::size_t /*shift_bytes*/) override {
    ++round_;
    for (std::size_t group = 0; group < expected_.size(); ++group)
      expected_[group] += arrivals_[pattern][group];
  }

  void send(int target, const std::byte* from, const StridedBlock& block, int group) override {
    await_credit(target);
    const Place place = place_of(target, block);
    const Flag flag{.offset = arrivals_offset_ + static_cast<std::size_t>(group) * flag_bytes};
    ++messages_;
    const bool now = blocking_ || copies_to(target);
    if (block.count == 1) {
      const Source source(from, block.size_bytes);
      if (now) return put_signal(region_, place, source, flag);
      handles_.push_back(nonblocking::put_signal(region_, place, source, flag));
    } else {
      const Levels levels(block);
      if (now) return put_signal(region_, place, from, levels.shape(), flag);
      handles_.push_back(nonblocking::put_signal(region_, place, from, levels.shape(), flag));
    }
  }

  void store(int target, const std::byte* from, const StridedBlock& block) override {
    await_credit(target);
    const Levels levels(block);
    put(region_, place_of(target, block), from, levels.shape());
  }

  void wait_sent() override {
    runtime_.wait_all(handles_);
    handles_.clear();
  }

  void wait_arrived(int group) override {
    const auto place = static_cast<std::size_t>(group);
    if (expected_[place] > 0) wait_signal(region_, arrivals_offset_ + place * flag_bytes, expected_[place]);
  }

  void release_buffer() override {
    if (implicit_credits_) return;
    const Flag flag{.offset = credits_offset_ + static_cast<std::size_t>(rank_) * flag_bytes};
    for (const int source : sources_) put_signal(region_, place_of(source, {}), Source(nullptr, 0), flag);
  }

 private:
  /// A block in the form of the runtime's strided shape; owns the arrays that the shape points to.
  class Levels {
   public:
    explicit Levels(const StridedBlock& block)
        : counts_{block.size_bytes, block.count}, here_{block.local_stride}, there_{block.remote_stride} {}
    [[nodiscard]] Strided shape() const {
      return {.counts = counts_, .local_strides = here_, .remote_strides = there_};
    }

   private:
    std::array<std::size_t, 2> counts_;
    std::array<std::size_t, 1> here_;
    std::array<std::size_t, 1> there_;
  };

  /// Before the first send of a round: waits until the target has released its receive buffer.
  void await_credit(int target) {
    const auto place = static_cast<std::size_t>(target);
    if (implicit_credits_ || credited_[place] == round_) return;
    wait_signal(region_, credits_offset_ + place * flag_bytes, round_);
    credited_[place] = round_;
  }

  [[nodiscard]] const RemoteBuffer& buffer(int target) const {
    return buffers_[static_cast<std::size_t>(target)];
  }
  [[nodiscard]] Place place_of(int target, const StridedBlock& block) const {
    return {.target = buffer(target).rank, .offset = buffer(target).offset + block.offset};
  }

  Runtime& runtime_;
  Region& region_;
  bool blocking_;
  bool implicit_credits_;
  int rank_;  // in the team
  std::size_t arrivals_offset_;
  std::size_t credits_offset_;
  std::vector<RemoteBuffer> buffers_;                 // by rank of the team
  std::vector<int> sources_;                          // the ranks that send to this one, on any pattern
  std::vector<std::vector<std::uint64_t>> arrivals_;  // arrivals per round, by pattern and group
  std::vector<std::uint64_t> expected_;               // total arrivals at the end of this round, by group
  std::vector<std::uint64_t> credited_;  // by target: the last round for which it has released its buffer
  std::vector<Handle> handles_;
  std::uint64_t round_ = 0;
};

std::unique_ptr<Exchange> OneSidedArena::exchange(const Team& team, const ExchangeShape& shape,
                                                  std::vector<ReceivePattern> patterns) {
  return std::make_unique<OneSidedExchange>(std::static_pointer_cast<OneSidedArena>(shared_from_this()), team,
                                            shape, patterns);
}

}  // namespace

std::shared_ptr<BufferArena> one_sided_arena(const ArenaRequest& request) {
  return std::make_shared<OneSidedArena>(request.runtime, request.team, request.memory_bytes, request.flags);
}

}  // namespace stretto::exchange
