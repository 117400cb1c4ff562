// SPDX-License-Identifier: BSD-3-Clause
// The owner of elements packs those that a rank needs and sends them, over any mover; each source is a group
// of its own, so that each can be waited for apart.
#include <algorithm>
#include <utility>
#include <vector>

#include "kernel/mover.hpp"
#include "kernel/scope_timer.hpp"
#include "kernel/spmv/exchange.hpp"

namespace stretto::kernel {
namespace {

class SignalledExchange final : public SourceExchange {
 public:
  SignalledExchange(Runtime& runtime, const Split& split, const spmv::Settings& settings,
                    spmv::Timers& timers)
      : rank_(runtime.rank()), ranks_(runtime.size()), split_(split), timers_(timers) {
    Route route;
    std::size_t place = 0;
    for (const Shared& need : split.needs) {
      const std::size_t count = need.elements.size();
      route.push_back({need.peer,
                       group(need.peer, rank_),
                       {.offset = place * value_bytes, .size_bytes = count * value_bytes}});
      places_.push_back(place);
      place += count;
    }
    for (const Shared& one : split.wanted) packed_.emplace_back(one.elements.size());
    const MoverShape shape{.landing_bytes = place * value_bytes, .groups = std::max(ranks_ - 1, 1)};
    mover_ = make_mover(settings.transport, runtime, runtime.world(), shape, {std::move(route)});
    mover_->release();
  }

  void begin(const double* x) override {
    const ScopeTimer start(timers_, &spmv::Timers::init_s);
    mover_->open(0);
    for (std::size_t i = 0; i < split_.wanted.size(); ++i) {
      const auto& [reader, elements] = split_.wanted[i];
      double* to = packed_[i].data();
      for (const std::uint32_t element : elements) *to++ = x[element];
      mover_->send(reader, reinterpret_cast<const std::byte*>(packed_[i].data()),
                   {.offset = split_.landing[i] * value_bytes, .size_bytes = elements.size() * value_bytes},
                   group(rank_, reader));
      ++messages_;
    }
  }

  const double* arrived(std::size_t index) override {
    const ScopeTimer wait(timers_, &spmv::Timers::sync_s);
    mover_->arrived(group(split_.needs[index].peer, rank_));
    return reinterpret_cast<const double*>(mover_->landing()) + places_[index];
  }

  void end() override {
    {
      const ScopeTimer wait(timers_, &spmv::Timers::sync_s);
      if (split_.needs.empty()) mover_->arrived(0);
      mover_->sent();
    }
    const ScopeTimer tell(timers_, &spmv::Timers::barrier_s);
    mover_->release();
  }

 private:
  /// That of `source` at `target`: how far behind it lies.
  [[nodiscard]] int group(int source, int target) const { return (source - target + ranks_) % ranks_ - 1; }

  int rank_;
  int ranks_;
  const Split& split_;
  spmv::Timers& timers_;
  std::vector<std::size_t> places_;          // of each need in the landing
  std::vector<std::vector<double>> packed_;  // for each reader
  std::unique_ptr<Mover> mover_;
};

}  // namespace

std::unique_ptr<SourceExchange> signalled_exchange(Runtime& runtime, const Split& split,
                                                   const spmv::Settings& settings, spmv::Timers& timers) {
  return std::make_unique<SignalledExchange>(runtime, split, settings, timers);
}

}  // namespace stretto::kernel
