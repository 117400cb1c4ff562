// SPDX-License-Identifier: BSD-3-Clause
// Puts with flags: each block raises its group's counter of arrivals, and who has read its receive buffer
// raises a counter at each of the others, which they wait for before they write there again. No barrier
// anywhere.
#include <array>
#include <map>
#include <set>
#include <stdexcept>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>
#include <stretto/signal.hpp>
#include <stretto/transfer.hpp>
#include <utility>

#include "exchange/arenas.hpp"
#include "rma/memory/cache_lines.hpp"

namespace stretto::exchange {
namespace {

constexpr std::size_t flag_bytes = sizeof(std::uint64_t);

/// The region: flags of all exchanges first, then the memory.
class OneSidedArena final : public BufferArena {
 public:
  OneSidedArena(Runtime& used, const Team& team, std::size_t memory_bytes, std::size_t flags)
      : runtime(used),
        memory_offset(rma::round_up_to_lines(flags * flag_bytes)),
        region(team, memory_offset + memory_bytes) {
    for (int member = 0; member < team.size(); ++member) members_[team.runtime_rank(member)] = member;
  }

  std::byte* memory() override { return region.local().data() + memory_offset; }
  std::size_t memory_bytes() const override { return region.size_bytes(region.rank()); }
  std::unique_ptr<Exchange> exchange(const Team& team, const ExchangeShape& shape,
                                     std::vector<ReceivePattern> patterns) override;

  /// The offset of so many flags that are an exchange's alone.
  [[nodiscard]] std::size_t take_flags(std::size_t count) {
    const std::size_t first = flags_taken_;
    flags_taken_ += count;
    if (flags_taken_ * flag_bytes > memory_offset) throw std::logic_error("an arena has too few flags");
    return first * flag_bytes;
  }
  /// The rank in the region of a rank of the runtime.
  [[nodiscard]] int member(int runtime_rank) const { return members_.at(runtime_rank); }

  Runtime& runtime;
  std::size_t memory_offset;
  Region region;

 private:
  std::map<int, int> members_;
  std::size_t flags_taken_ = 0;
};

class OneSidedExchange final : public Exchange {
 public:
  OneSidedExchange(std::shared_ptr<OneSidedArena> arena, const Team& team, const ExchangeShape& shape,
                   const std::vector<ReceivePattern>& patterns)
      : arena_(std::move(arena)),
        runtime_(arena_->runtime),
        region_(arena_->region),
        blocking_(shape.blocking),
        implicit_credits_(shape.implicit_credits),
        rank_(team.rank()),
        arrivals_offset_(arena_->take_flags(static_cast<std::size_t>(shape.groups))),
        credits_offset_(arena_->take_flags(static_cast<std::size_t>(team.size()))),
        remote_offsets_(arena_offsets_of(team, shape.arena_offset)),
        arrivals_(patterns.size(), std::vector<std::uint64_t>(static_cast<std::size_t>(shape.groups), 0)),
        expected_(static_cast<std::size_t>(shape.groups), 0),
        credited_(static_cast<std::size_t>(team.size()), 0) {
    for (int target = 0; target < team.size(); ++target) {
      members_.push_back(arena_->member(team.runtime_rank(target)));
      remote_offsets_[static_cast<std::size_t>(target)] += arena_->memory_offset;
    }
    std::set<int> sources;
    for (std::size_t pattern = 0; pattern < patterns.size(); ++pattern) {
      for (const IncomingBlocks& one : patterns[pattern]) {
        arrivals_[pattern].at(static_cast<std::size_t>(one.group)) += one.times;
        sources.insert(one.source);
      }
    }
    sources_.assign(sources.begin(), sources.end());
  }

  std::byte* receive_buffer() override {
    return region_.local().data() + remote_offsets_[static_cast<std::size_t>(rank_)];
  }
  bool copies_to(int target) const override { return region_.node_local_pointer(member(target)) != nullptr; }

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
  /// A block as the runtime's shape; holds what the shape points to.
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

  /// Before the first send of a round: the target has released its receive buffer for it.
  void await_credit(int target) {
    const auto place = static_cast<std::size_t>(target);
    if (implicit_credits_ || credited_[place] == round_) return;
    wait_signal(region_, credits_offset_ + place * flag_bytes, round_);
    credited_[place] = round_;
  }

  [[nodiscard]] int member(int target) const { return members_[static_cast<std::size_t>(target)]; }
  [[nodiscard]] Place place_of(int target, const StridedBlock& block) const {
    return {.target = member(target),
            .offset = remote_offsets_[static_cast<std::size_t>(target)] + block.offset};
  }

  std::shared_ptr<OneSidedArena> arena_;
  Runtime& runtime_;
  Region& region_;
  bool blocking_;
  bool implicit_credits_;
  int rank_;  // in the team
  std::size_t arrivals_offset_;
  std::size_t credits_offset_;
  std::vector<std::size_t> remote_offsets_;           // of each rank of the team, in the region
  std::vector<int> members_;                          // the ranks of the team in the region
  std::vector<int> sources_;                          // whoever sends to this rank, on any pattern
  std::vector<std::vector<std::uint64_t>> arrivals_;  // in a round, by pattern and group
  std::vector<std::uint64_t> expected_;               // by the end of this round, by group
  std::vector<std::uint64_t> credited_;               // the round for which a target is known to be ready
  std::vector<Handle> handles_;
  std::uint64_t round_ = 0;
};

std::unique_ptr<Exchange> OneSidedArena::exchange(const Team& team, const ExchangeShape& shape,
                                                  std::vector<ReceivePattern> patterns) {
  return std::make_unique<OneSidedExchange>(std::static_pointer_cast<OneSidedArena>(shared_from_this()), team,
                                            shape, patterns);
}

}  // namespace

std::shared_ptr<BufferArena> one_sided_arena(Runtime& runtime, const Team& team, std::size_t memory_bytes,
                                             std::size_t flags) {
  return std::make_shared<OneSidedArena>(runtime, team, memory_bytes, flags);
}

}  // namespace stretto::exchange
