// SPDX-License-Identifier: BSD-3-Clause
// Validates arguments and executes a product: own elements first, the others as they arrive.
#include <algorithm>
#include <array>
#include <functional>
#include <stretto/error.hpp>
#include <stretto/spmv.hpp>
#include <string>
#include <utility>

#include "mpi/communicator.hpp"
#include "onesided/api/agreement.hpp"
#include "plan/scope_timer.hpp"
#include "plan/state.hpp"
#include "sparse/source_exchange.hpp"

namespace stretto::spmv {
namespace {

constexpr std::array<std::string_view, 5> names{"signalled", "aggregate", "vector", "individual", "blocks"};

void check(const Settings& settings) {
  if (settings.prefetch == 0) throw ArgumentError("settings", "prefetch 0; at least one block is on its way");
  if (settings.transport == Transport::alltoall) {
    throw ArgumentError("settings", "an all-to-all cannot be waited for rank by rank");
  }
  if (settings.exchange != Exchange::signalled && settings.transport != Transport::one_sided) {
    throw ArgumentError("settings", "exchange " + std::string(to_string(settings.exchange)) +
                                        " is there over stretto only, not over " +
                                        std::string(to_string(settings.transport)));
  }
}

Settings agreed(const Runtime& runtime, const Settings& settings) {
  onesided::agree(runtime, [&] { check(settings); });
  const std::array<std::uint64_t, 3> equal{static_cast<std::uint64_t>(settings.exchange), settings.prefetch,
                                           static_cast<std::uint64_t>(settings.transport)};
  onesided::agree_on_equal(runtime, equal, "settings");
  return settings;
}

std::unique_ptr<SourceExchange> exchange_of(Runtime& runtime, const Split& split, const Settings& settings,
                                            PlanTimers& timers) {
  return settings.exchange == Exchange::signalled ? signalled_exchange(runtime, split, settings, timers)
                                                  : fetched_exchange(runtime, split, settings, timers);
}

/// Splits on a duplicate communicator, because the runtime's own communicator carries its messages.
Split split_of(Runtime& runtime, const Part& part, const Settings& settings) {
  runtime.barrier();
  const mpi::Communicator team(runtime.communicator());
  return split(team, part, settings.exchange == Exchange::blocks);
}

void check_size(const char* name, std::size_t size, std::size_t required) {
  if (size == required) return;
  throw ArgumentError(
      name, "has " + std::to_string(size) + " elements, and this rank's block " + std::to_string(required));
}

}  // namespace

std::string_view to_string(Exchange exchange) { return names[static_cast<std::size_t>(exchange)]; }

Exchange exchange_from(std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<Exchange>(found - names.begin());
  std::string known;
  for (const std::string_view one : names) known += (known.empty() ? "" : ", ") + std::string(one);
  throw ArgumentError("exchange", "unknown '" + std::string(name) + "'; choose from " + known);
}

struct Plan::Parts {
  Parts(Runtime& used, const Part& part, const Settings& requested)
      : team(used.world()),
        settings(agreed(used, requested)),
        x_count(part.x_count),
        split(split_of(used, part, settings)),
        exchange(exchange_of(used, split, settings, timers)) {}

  void check(std::span<const double> x, std::span<double> y) const {
    team.check_alive();
    check_size("x", x.size(), x_count);
    check_size("y", y.size(), split.rows);
    const std::less<> before;
    const bool apart = x.empty() || y.empty() || !before(x.data(), y.data() + y.size()) ||
                       !before(y.data(), x.data() + x.size());
    if (!apart) throw ArgumentError("y", "overlaps x");
  }

  Team team;  // alive until the runtime is finalized
  Settings settings;
  std::size_t x_count;
  PlanTimers timers;
  plan::PlanState state;
  Split split;
  std::unique_ptr<SourceExchange> exchange;
};

Plan::Plan(Runtime& runtime, const Part& part, const Settings& settings)
    : parts_(std::make_unique<Parts>(runtime, part, settings)) {}
Plan::Plan(Plan&&) noexcept = default;
Plan& Plan::operator=(Plan&&) noexcept = default;
Plan::~Plan() = default;

const Settings& Plan::settings() const { return parts_->settings; }
std::size_t Plan::needed_ranks() const { return parts_->split.receives.size(); }
std::size_t Plan::needed_elements() const {
  std::size_t count = 0;
  for (const PeerElements& need : parts_->split.receives) count += need.elements.size();
  return count;
}

void Plan::multiply(std::span<const double> x, std::span<double> y) {
  const plan::UseOfPlan use(parts_->state);
  parts_->check(x, y);
  const plan::Communication communication(parts_->state);
  const plan::ScopeTimer whole(parts_->timers, &PlanTimers::work_s);
  const Split& split = parts_->split;
  parts_->exchange->begin(x.data());
  std::fill(y.begin(), y.end(), 0.0);
  split.own.multiply_add(x.data(), y.data());
  for (std::size_t i = 0; i < split.others.size(); ++i) {
    const double* elements = parts_->exchange->arrived(i);
    split.others[i].multiply_add(elements, y.data());
  }
  parts_->exchange->end();
}

std::uint64_t Plan::messages() const { return parts_->exchange->messages(); }
const PlanTimers& Plan::timers() const { return parts_->timers; }
void Plan::reset_timers() { parts_->timers = {}; }

}  // namespace stretto::spmv
