// SPDX-License-Identifier: BSD-3-Clause
// A rank gets the elements that it needs from the region into which their owner copied its block. The region
// holds two alternating blocks. So an owner waits only for ranks that still read the block of the product
// before the last.
#include <algorithm>
#include <array>
#include <stretto/aggregate.hpp>
#include <stretto/region.hpp>
#include <stretto/signal.hpp>
#include <stretto/transfer.hpp>
#include <vector>

#include "onesided/api/services.hpp"
#include "onesided/memory/cache_lines.hpp"
#include "plan/scope_timer.hpp"
#include "sparse/source_exchange.hpp"

namespace stretto::spmv {
namespace {

constexpr std::size_t counter_bytes = sizeof(std::uint64_t);

class FetchedExchange final : public SourceExchange {
 public:
  FetchedExchange(Runtime& runtime, const Split& split, const Settings& settings, PlanTimers& timers)
      : runtime_(runtime),
        split_(split),
        settings_(settings),
        timers_(timers),
        ranks_(static_cast<std::size_t>(runtime.size())),
        vectors_offset_(onesided::round_up_to_lines(2 * ranks_ * counter_bytes)),
        region_(runtime, vectors_offset_ + 2 * split.block(runtime.rank()) * value_bytes),
        handles_(split.receives.size()),
        ahead_(settings.exchange == Exchange::blocks ? settings.prefetch : split.receives.size()) {
    for (const PeerElements& need : split.receives) {
      const bool block = settings.exchange == Exchange::blocks;
      fetched_.emplace_back(block ? split.block(need.peer) : need.elements.size());
      if (settings.exchange == Exchange::aggregate) aggregates_.emplace_back(runtime);
      if (settings.exchange == Exchange::vector) {
        vectors_.push_back({pieces(fetched_.size() - 1, 0), pieces(fetched_.size() - 1, 1)});
      }
    }
  }

  /// In a product that an exception has ended, gets may be pending.
  ~FetchedExchange() override {
    for (Handle& handle : handles_) onesided::release(handle);
    for (Aggregate& aggregate : aggregates_) onesided::release(aggregate);
    if (settings_.exchange != Exchange::individual || !interrupted_) return;
    for (const PeerElements& need : split_.receives) onesided::release_implicit(runtime_, need.peer);
  }

  void begin(const double* x) override {
    ++round_;
    interrupted_ = true;  // unless end() is reached
    publish(x);
    started_ = 0;
    while (started_ < std::min(ahead_, split_.receives.size())) start(started_++);
  }

  const double* arrived(std::size_t index) override {
    if (started_ < split_.receives.size()) start(started_++);
    const plan::ScopeTimer wait(timers_, &PlanTimers::sync_s);
    switch (settings_.exchange) {
      case Exchange::aggregate:
        runtime_.wait(aggregates_[index]);
        break;
      case Exchange::individual:
        runtime_.wait_implicit(split_.receives[index].peer);
        break;
      default:
        runtime_.wait(handles_[index]);
    }
    return fetched_[index].data();
  }

  void end() override {
    const plan::ScopeTimer tell(timers_, &PlanTimers::barrier_s);
    for (const PeerElements& need : split_.receives) raise(need.peer, read_flag(runtime_.rank()));
    interrupted_ = false;
  }

 private:
  // Flags at this rank, per rank: its block may be read; it has read this rank's block.
  static std::size_t ready_flag(int rank) { return static_cast<std::size_t>(rank) * counter_bytes; }
  [[nodiscard]] std::size_t read_flag(int rank) const { return ranks_ * counter_bytes + ready_flag(rank); }

  void raise(int target, std::size_t flag) {
    put_signal(region_, {.target = target, .offset = vectors_offset_}, Source(nullptr, 0), {.offset = flag});
  }

  /// The offset of an element of `owner` in rounds of this parity.
  [[nodiscard]] std::size_t offset_of(int owner, std::size_t element, std::uint64_t parity) const {
    return vectors_offset_ + (parity * split_.block(owner) + element) * value_bytes;
  }

  void publish(const double* x) {
    const plan::ScopeTimer tell(timers_, &PlanTimers::barrier_s);
    for (const PeerElements& one : split_.sends) {
      if (round_ > 2) (void)wait_signal(region_, read_flag(one.peer), round_ - 2);
    }
    const std::size_t count = split_.block(runtime_.rank());
    std::byte* mine = region_.local().data() + offset_of(runtime_.rank(), 0, round_ % 2);
    std::copy_n(x, count, reinterpret_cast<double*>(mine));
    for (const PeerElements& one : split_.sends) raise(one.peer, ready_flag(runtime_.rank()));
  }

  void start(std::size_t index) {
    const auto& [owner, elements] = split_.receives[index];
    {
      const plan::ScopeTimer wait(timers_, &PlanTimers::barrier_s);
      (void)wait_signal(region_, ready_flag(owner), round_);
    }
    const plan::ScopeTimer start(timers_, &PlanTimers::init_s);
    const std::uint64_t parity = round_ % 2;
    double* to = fetched_[index].data();
    switch (settings_.exchange) {
      case Exchange::blocks:
        handles_[index] = nonblocking::get(region_, {.target = owner, .offset = offset_of(owner, 0, parity)},
                                           Sink(to, split_.block(owner) * value_bytes));
        break;
      case Exchange::vector:
        handles_[index] = nonblocking::get(region_, owner, vectors_[index][parity]);
        break;
      case Exchange::individual:
        for (const std::uint32_t element : elements) {
          implicit::get(region_, {.target = owner, .offset = offset_of(owner, element, parity)},
                        Sink(to++, value_bytes));
        }
        messages_ += elements.size() - 1;
        break;
      default:
        for (const std::uint32_t element : elements) {
          aggregates_[index].get(region_, {.target = owner, .offset = offset_of(owner, element, parity)},
                                 Sink(to++, value_bytes));
        }
        (void)runtime_.test(aggregates_[index]);  // starts now, during the following computation
    }
    ++messages_;
  }

  /// The pieces of a need; consecutive elements form one piece.
  [[nodiscard]] std::vector<GetPiece> pieces(std::size_t index, std::uint64_t parity) {
    const auto& [owner, elements] = split_.receives[index];
    std::vector<GetPiece> all;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (i > 0 && elements[i] == elements[i - 1] + 1) {
        all.back().size_bytes += value_bytes;
      } else {
        all.push_back({&fetched_[index][i], offset_of(owner, elements[i], parity), value_bytes});
      }
    }
    return all;
  }

  Runtime& runtime_;
  const Split& split_;
  Settings settings_;
  PlanTimers& timers_;
  std::size_t ranks_;
  std::size_t vectors_offset_;
  Region region_;
  std::vector<std::vector<double>> fetched_;                   // for each need
  std::vector<std::array<std::vector<GetPiece>, 2>> vectors_;  // by parity of the round
  std::vector<Aggregate> aggregates_;
  std::vector<Handle> handles_;
  std::size_t ahead_;
  std::size_t started_ = 0;  // needs started in this round
  std::uint64_t round_ = 0;
  bool interrupted_ = false;
};

}  // namespace

std::unique_ptr<SourceExchange> fetched_exchange(Runtime& runtime, const Split& split,
                                                 const Settings& settings, PlanTimers& timers) {
  return std::make_unique<FetchedExchange>(runtime, split, settings, timers);
}

}  // namespace stretto::spmv
