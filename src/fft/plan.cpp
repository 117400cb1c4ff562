// SPDX-License-Identifier: BSD-3-Clause
// Validates arguments, chooses slabs or a grid, and passes each array of a batch to the engine.
#include <algorithm>
#include <cstdint>
#include <stretto/checked_size.hpp>
#include <stretto/error.hpp>
#include <stretto/fft.hpp>
#include <utility>

#include "fft/engine.hpp"
#include "onesided/api/agreement.hpp"
#include "plan/state.hpp"

namespace stretto::fft {
namespace {

ArgumentError wrong(const std::string& what) { return {"settings", what}; }

std::string text_of(const std::array<int, 2>& grid) {
  return std::to_string(grid[0]) + " x " + std::to_string(grid[1]);
}

/// Whether every rank has a part before and after each transpose.
bool fits(const Settings& settings, const std::array<int, 2>& grid) {
  const auto p1 = static_cast<std::size_t>(grid[0]);
  const auto p2 = static_cast<std::size_t>(grid[1]);
  const std::size_t c = spectrum_length(settings);
  return p1 <= std::min(settings.size[0], settings.size[1]) && p2 <= std::min(settings.size[1], c);
}

/// Chooses slabs where they fit, else the most square grid that fits.
std::array<int, 2> chosen_grid(const Settings& settings, int ranks) {
  if (fits(settings, {ranks, 1})) return {ranks, 1};
  std::array<int, 2> best{0, 0};
  for (int p1 = 1; p1 <= ranks; ++p1) {
    const std::array<int, 2> grid{p1, ranks / p1};
    if (ranks % p1 != 0 || !fits(settings, grid)) continue;
    const auto away = [](const std::array<int, 2>& one) { return std::abs(one[0] - one[1]); };
    if (best[0] == 0 || away(grid) < away(best)) best = grid;
  }
  if (best[0] == 0) {
    throw wrong("no grid of " + std::to_string(ranks) + " ranks leaves each with a part of an array of " +
                std::to_string(settings.size[0]) + " x " + std::to_string(settings.size[1]) + " x " +
                std::to_string(settings.size[2]) + "; take fewer ranks");
  }
  return best;
}

}  // namespace

Settings checked_settings(Settings settings, int ranks) {
  constexpr std::size_t copies = 4;  // more than a plan holds besides the program's own
  std::size_t bytes = copies * sizeof(Complex);
  for (const std::size_t size : settings.size) {
    if (size == 0) throw wrong("a size of 0; each must be at least 1");
    if (size > (std::size_t{1} << 30)) throw wrong("a size above 2^30");
    bytes = detail::checked_product("settings", bytes, size);
  }
  if (settings.batch == 0) throw wrong("a batch of 0 arrays");
  detail::check_object_size("settings", detail::checked_product("settings", bytes, settings.batch));
  if (settings.grid == std::array<int, 2>{0, 0}) {
    settings.grid = chosen_grid(settings, ranks);
  } else if (settings.grid[0] < 1 || settings.grid[1] < 1 ||
             std::int64_t{settings.grid[0]} * settings.grid[1] != ranks) {
    throw wrong("a grid of " + text_of(settings.grid) + " is not of " + std::to_string(ranks) + " ranks");
  } else if (!fits(settings, settings.grid)) {
    throw wrong("on a grid of " + text_of(settings.grid) + " some ranks have no part of the array");
  }
  if (settings.transport == Transport::alltoall) settings.schedule = {Schedule::Shape::packed_slabs};
  const auto targets = static_cast<std::size_t>(std::max(settings.grid[0], settings.grid[1]));
  if (settings.schedule.shape == Schedule::Shape::chunks && settings.schedule.chunks < targets) {
    throw wrong("chunks=" + std::to_string(settings.schedule.chunks) + " is less than one for each of " +
                std::to_string(targets) + " ranks");
  }
  return settings;
}

Settings agreed_settings(const Runtime& runtime, const Settings& requested) {
  Settings settings;
  onesided::agree(runtime, [&] { settings = checked_settings(requested, runtime.size()); });
  const auto number = [](auto value) { return static_cast<std::uint64_t>(value); };
  const std::array<std::uint64_t, 11> equal{
      settings.size[0],         settings.size[1],         settings.size[2],
      settings.batch,           settings.schedule.chunks, number(settings.schedule.shape),
      number(settings.kind),    number(settings.order),   number(settings.transport),
      number(settings.grid[0]), number(settings.grid[1])};
  onesided::agree_on_equal(runtime, equal, "settings");
  return settings;
}

struct Plan::Parts {
  Parts(Runtime& used, const Settings& requested)
      : team(used.world()),
        settings(agreed_settings(used, requested)),
        engine(settings.grid[1] == 1 ? slab_engine(used, settings, timers)
                                     : grid_engine(used, settings, timers)) {}

  /// Throws unless a span holds one part for each array of the batch.
  void check(const char* name, std::size_t elements, std::size_t part) const {
    if (elements == settings.batch * part) return;
    throw ArgumentError(name, "has " + std::to_string(elements) + " elements, and this rank's part is " +
                                  std::to_string(settings.batch) + " times " + std::to_string(part));
  }
  void check(Kind kind) const {
    team.check_alive();
    if (settings.kind != kind) {
      throw ArgumentError(
          "in", kind == Kind::real ? "is real, and the plan complex" : "is complex, and the plan real");
    }
  }

  /// Throws for an in-place batch with different part sizes, in which an output would overwrite inputs that
  /// are not read yet.
  void check_in_place(const void* in, std::size_t in_bytes, const void* out, std::size_t out_bytes) const {
    if (in != out || settings.batch == 1 || in_bytes == out_bytes) return;
    throw ArgumentError("out",
                        "is the memory of `in`, and of a batch only arrays that are as large before as "
                        "after can be transformed in place; take one apart");
  }

  /// Validates the spans, then calls `each(in, out)` for the arrays of the batch.
  template <typename In, typename Out, typename Each>
  void for_each(Kind kind, std::span<const In> in, const Box& from, std::span<Out> out, const Box& to,
                Each&& each) {
    const plan::UseOfPlan use(state);
    check(kind);
    check("in", in.size(), from.elements());
    check("out", out.size(), to.elements());
    check_in_place(in.data(), from.elements() * sizeof(In), out.data(), to.elements() * sizeof(Out));
    const plan::Communication communication(state);
    for (std::size_t i = 0; i < settings.batch; ++i) {
      each(in.data() + i * from.elements(), out.data() + i * to.elements());
    }
  }

  Team team;  // alive until the runtime is finalized
  Settings settings;
  PlanTimers timers;
  plan::PlanState state;
  std::unique_ptr<FftEngine> engine;
};

Plan::Plan(Runtime& runtime, const Settings& settings) : parts_(std::make_shared<Parts>(runtime, settings)) {}
Plan::Plan(Plan&&) noexcept = default;
Plan& Plan::operator=(Plan&&) noexcept = default;
Plan::~Plan() = default;

const Settings& Plan::settings() const { return parts_->settings; }
Box Plan::input() const { return parts_->engine->input(); }
Box Plan::spectrum() const { return parts_->engine->spectrum(); }

void Plan::forward(std::span<const Complex> in, std::span<Complex> out, const BeforePlane& before) {
  const std::shared_ptr<Parts> parts = parts_;  // `before` may free the plan: it lives until the end
  parts->for_each(Kind::complex, in, parts->engine->input(), out, parts->engine->spectrum(),
                  [&](const Complex* from, Complex* to) {
                    parts->engine->forward({.in = from, .out = to, .before = &before});
                  });
}

void Plan::inverse(std::span<const Complex> in, std::span<Complex> out, const BeforePlane& before) {
  const std::shared_ptr<Parts> parts = parts_;  // `before` may free the plan: it lives until the end
  parts->for_each(Kind::complex, in, parts->engine->spectrum(), out, parts->engine->input(),
                  [&](const Complex* from, Complex* to) {
                    parts->engine->inverse({.in = from, .out = to, .before = &before});
                  });
}

void Plan::forward(std::span<const double> in, std::span<Complex> out, const BeforePlane& before) {
  const std::shared_ptr<Parts> parts = parts_;  // `before` may free the plan: it lives until the end
  parts->for_each(Kind::real, in, parts->engine->input(), out, parts->engine->spectrum(),
                  [&](const double* from, Complex* to) {
                    parts->engine->forward({.real_in = from, .out = to, .before = &before});
                  });
}

void Plan::inverse(std::span<const Complex> in, std::span<double> out, const BeforePlane& before) {
  const std::shared_ptr<Parts> parts = parts_;  // `before` may free the plan: it lives until the end
  parts->for_each(Kind::real, in, parts->engine->spectrum(), out, parts->engine->input(),
                  [&](const Complex* from, double* to) {
                    parts->engine->inverse({.in = from, .real_out = to, .before = &before});
                  });
}

std::span<Complex> Plan::storage() const {
  return parts_->settings.batch == 1 ? parts_->engine->storage() : std::span<Complex>{};
}
std::size_t Plan::copy_bytes() const { return parts_->engine->copy_bytes(); }
std::size_t Plan::memory_bytes() const { return parts_->engine->memory_bytes(); }
std::uint64_t Plan::messages() const { return parts_->engine->messages(); }
const PlanTimers& Plan::timers() const { return parts_->timers; }
void Plan::reset_timers() { parts_->timers = {}; }

}  // namespace stretto::fft
