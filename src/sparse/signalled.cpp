// SPDX-License-Identifier: BSD-3-Clause
// Owners pack the elements that a rank needs and send them over any exchange. Each source is a group of its
// own, so that each can be waited for separately.
#include <algorithm>
#include <utility>
#include <vector>

#include "exchange/exchange.hpp"
#include "plan/scope_timer.hpp"
#include "sparse/source_exchange.hpp"

namespace stretto::spmv {
namespace {

class SignalledExchange final : public SourceExchange {
 public:
  SignalledExchange(Runtime& runtime, const Split& split, const Settings& settings, PlanTimers& timers)
      : rank_(runtime.rank()), ranks_(runtime.size()), split_(split), timers_(timers) {
    exchange::ReceivePattern pattern;
    std::size_t place = 0;
    for (const PeerElements& need : split.receives) {
      const std::size_t count = need.elements.size();
      pattern.push_back({need.peer,
                         group(need.peer, rank_),
                         {.offset = place * value_bytes, .size_bytes = count * value_bytes}});
      places_.push_back(place);
      place += count;
    }
    for (const PeerElements& one : split.sends) packed_.emplace_back(one.elements.size());
    const exchange::ExchangeShape shape{.buffer_bytes = place * value_bytes,
                                        .groups = std::max(ranks_ - 1, 1)};
    exchange_ =
        exchange::make_exchange(settings.transport, runtime, runtime.world(), shape, {std::move(pattern)});
    exchange_->release_buffer();
  }

  void begin(const double* x) override {
    const plan::ScopeTimer start(timers_, &PlanTimers::init_s);
    exchange_->open(0);
    for (std::size_t i = 0; i < split_.sends.size(); ++i) {
      const auto& [reader, elements] = split_.sends[i];
      double* to = packed_[i].data();
      for (const std::uint32_t element : elements) *to++ = x[element];
      exchange_->send(
          reader, reinterpret_cast<const std::byte*>(packed_[i].data()),
          {.offset = split_.remote_offset[i] * value_bytes, .size_bytes = elements.size() * value_bytes},
          group(rank_, reader));
      ++messages_;
    }
  }

  const double* arrived(std::size_t index) override {
    const plan::ScopeTimer wait(timers_, &PlanTimers::sync_s);
    exchange_->wait_arrived(group(split_.receives[index].peer, rank_));
    return reinterpret_cast<const double*>(exchange_->receive_buffer()) + places_[index];
  }

  void end() override {
    {
      const plan::ScopeTimer wait(timers_, &PlanTimers::sync_s);
      if (split_.receives.empty()) exchange_->wait_arrived(0);
      exchange_->wait_sent();
    }
    const plan::ScopeTimer tell(timers_, &PlanTimers::barrier_s);
    exchange_->release_buffer();
  }

 private:
  /// The group of `source` at `target`: their distance.
  [[nodiscard]] int group(int source, int target) const { return (source - target + ranks_) % ranks_ - 1; }

  int rank_;
  int ranks_;
  const Split& split_;
  PlanTimers& timers_;
  std::vector<std::size_t> places_;          // offset of each need in the receive buffer
  std::vector<std::vector<double>> packed_;  // for each reader
  std::unique_ptr<exchange::Exchange> exchange_;
};

}  // namespace

std::unique_ptr<SourceExchange> signalled_exchange(Runtime& runtime, const Split& split,
                                                   const Settings& settings, PlanTimers& timers) {
  return std::make_unique<SignalledExchange>(runtime, split, settings, timers);
}

}  // namespace stretto::spmv
