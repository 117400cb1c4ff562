// SPDX-License-Identifier: BSD-3-Clause
#include "probe/sweeps.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <stdexcept>

#include "probe/row_transform.hpp"

namespace stretto::probe {
namespace {

enum class Scales { listed, constant_flops, balance };

/// N and R of FT in the paper's notation.
struct Shape {
  std::size_t rows;
  std::size_t row_length;
};

struct FtSweep {
  std::string_view name;
  std::vector<Shape> shapes;
  Scales kind = Scales::listed;
  std::vector<double> scales = {};
};

struct SpmvSweep {
  std::string_view name;
  std::vector<double> nonzero_ratios;
  bool varies_prefetch = false;
  std::vector<std::string> schedules = {"bulk", "gather", "scatter"};
};

constexpr std::size_t own_row_length = 1024;
constexpr std::size_t own_order = std::size_t{1} << 19;

/// Constant volume of 64 MiB per rank, from many small messages to few large ones (sections 6.2 and 6.3).
const std::vector<Shape> constant_volume = {{8192, 512}, {4096, 1024}, {2048, 2048}, {1024, 4096},
                                            {512, 8192}, {256, 16384}, {128, 32768}, {64, 65536}};
const std::vector<double> fractions = {0, 0.25, 0.5, 0.75, 1};
const std::vector<double> ratios = {0, 1e-6, 4e-6, 1e-5, 4e-5, 1e-4};

/// The sweeps of FT; the first is the default.
const std::vector<FtSweep>& ft_sweeps() {
  static const std::vector<FtSweep> sweeps = {
      {"balance", {{512, own_row_length}}, Scales::balance},
      {"pure-communication", constant_volume, Scales::listed, {0}},
      {"constant-flops", constant_volume, Scales::constant_flops},
      {"few-large", {{32, 65536}}, Scales::listed, fractions},
      {"many-small", {{8192, 512}}, Scales::listed, fractions},
      {"scale", {{1024, own_row_length}}, Scales::listed, {0, 0.25, 0.5, 1, 2, 4, 8}},
      {"contention", {{1024, own_row_length}}, Scales::listed, {1, 4}}};
  return sweeps;
}

const std::vector<SpmvSweep>& spmv_sweeps() {
  static const std::vector<SpmvSweep> sweeps = {
      {"nonzero", {1e-5}},
      {"pure-communication", {0}, true},
      {"constant-flops", {4e-6}, true},
      {"prefetch", {4e-6}, true},
      {"few-large", ratios},
      {"nonzeros", ratios},
      {"contention", {1e-6, 4e-6, 1e-5, 4e-5, 1e-4}, false, {"gather", "scatter"}}};
  return sweeps;
}

template <typename Sweep>
const Sweep* find(const std::vector<Sweep>& sweeps, const std::string& name) {
  const auto found = std::ranges::find(sweeps, std::string_view{name}, &Sweep::name);
  return found == sweeps.end() ? nullptr : &*found;
}

template <typename Sweep>
const Sweep& chosen(const std::vector<Sweep>& sweeps, const std::string& name) {
  const Sweep* const found = find(sweeps, name);
  return found == nullptr ? sweeps.front() : *found;
}

template <typename Sweep>
std::string names_of(const std::vector<Sweep>& sweeps) {
  std::string text;
  for (const Sweep& sweep : sweeps) text.append(text.empty() ? "" : ", ").append(sweep.name);
  return text;
}

void require(bool holds, const std::string& message) {
  if (!holds) throw std::invalid_argument(message);
}

/// Pairs `rows` with `lengths` one to one; a list of one element pairs with every element of the other.
std::vector<Shape> paired(const std::vector<std::size_t>& rows, const std::vector<std::size_t>& lengths) {
  std::vector<Shape> shapes;
  for (std::size_t i = 0; i < std::max(rows.size(), lengths.size()); ++i) {
    shapes.push_back({rows[rows.size() == 1 ? 0 : i], lengths[lengths.size() == 1 ? 0 : i]});
  }
  return shapes;
}

std::vector<Shape> shapes_of(const ScheduleSettings& settings, const FtSweep& sweep) {
  if (settings.rows.empty() && settings.row_lengths.empty()) return sweep.shapes;
  std::vector<std::size_t> rows = settings.rows;
  std::vector<std::size_t> lengths = settings.row_lengths;
  if (rows.empty()) rows = {sweep.shapes.front().rows};
  if (lengths.empty()) lengths = {sweep.shapes.front().row_length};
  return paired(rows, lengths);
}

double flops_of(const FtProblem& problem) {
  return static_cast<double>(problem.rows) * fft_flops(problem.row_length);
}

/// Sets the scales so that all points have the flops of the smallest at scale 1 (section 6.3).
void give_constant_flops(std::vector<FtPoint>& points) {
  double fewest = flops_of(points.front().problem);
  for (const FtPoint& point : points) fewest = std::min(fewest, flops_of(point.problem));
  for (FtPoint& point : points) point.scale = fewest / flops_of(point.problem);
}

/// 1, 2, 4 and so on up to P-1, and P-1 itself.
std::vector<std::size_t> powers_below(std::size_t ranks) {
  std::vector<std::size_t> depths;
  for (std::size_t depth = 1; depth + 1 < ranks; depth *= 2) depths.push_back(depth);
  depths.push_back(std::max<std::size_t>(ranks, 2) - 1);
  return depths;
}

bool requests(const std::vector<std::string>& probes, std::string_view name) {
  return std::ranges::find(probes, name) != probes.end();
}

}  // namespace

void check_sweeps(const ScheduleSettings& settings, const std::vector<std::string>& probes) {
  const std::string& sweep = settings.sweep;
  require(sweep.empty() || !requests(probes, "ft") || find(ft_sweeps(), sweep) != nullptr,
          "--sweep: ft has no '" + sweep + "'; choose from " + names_of(ft_sweeps()));
  require(sweep.empty() || !requests(probes, "spmv") || find(spmv_sweeps(), sweep) != nullptr,
          "--sweep: spmv has no '" + sweep + "'; choose from " + names_of(spmv_sweeps()));
  require(settings.rows.size() <= 1 || settings.row_lengths.size() <= 1 ||
              settings.rows.size() == settings.row_lengths.size(),
          "--rows and --row-length: give as many of the one as of the other, or only one of them");
  for (const std::string& name : settings.schedules) {
    if (is_ft_schedule(name)) {
      (void)ft_schedule_from(name);
    } else {
      require(is_spmv_schedule(name),
              "--schedules: unknown '" + name +
                  "': ft has exchange, slabs, pencils and chunks=X, spmv bulk, gather and scatter");
    }
  }
}

std::vector<FtPoint> ft_points(const ScheduleSettings& settings, std::size_t ranks) {
  const FtSweep& sweep = chosen(ft_sweeps(), settings.sweep);
  const bool listed = !settings.scales.empty() || settings.balance;
  std::vector<double> scales = listed ? settings.scales : sweep.scales;
  const bool balance = settings.balance || (!listed && sweep.kind == Scales::balance);
  std::vector<FtPoint> points;
  std::vector<FtPoint> constant;
  for (const Shape& shape : shapes_of(settings, sweep)) {
    FtProblem problem{
        .rows = shape.rows, .row_length = shape.row_length, .ranks = ranks, .planes = settings.planes};
    const std::size_t parts = ranks * problem.planes;
    if (settings.rows.empty()) problem.rows = (shape.rows + parts - 1) / parts * parts;
    require_divisible(problem);
    for (const double scale : scales) points.push_back({problem, scale});
    if (balance) points.push_back({problem, std::nullopt});
    if (!listed && sweep.kind == Scales::constant_flops) constant.push_back({problem, 1});
  }
  if (!constant.empty()) give_constant_flops(constant);
  points.insert(points.end(), constant.begin(), constant.end());
  return points;
}

std::vector<FtSchedule> ft_schedules(const ScheduleSettings& settings, const FtProblem& problem) {
  std::vector<FtSchedule> schedules;
  for (const std::string& name : settings.schedules) {
    if (is_ft_schedule(name)) schedules.push_back(ft_schedule_from(name));
  }
  if (schedules.empty()) {
    schedules = {{.kind = FtKind::exchange}, {.kind = FtKind::slabs}, {.kind = FtKind::pencils}};
  }
  for (const FtSchedule& schedule : schedules) (void)chunks_of(schedule, problem);
  return schedules;
}

std::vector<SpmvPoint> spmv_points(const ScheduleSettings& settings, std::size_t ranks) {
  const SpmvSweep& sweep = chosen(spmv_sweeps(), settings.sweep);
  const std::vector<std::size_t> orders =
      settings.matrix_rows.empty() ? std::vector{own_order} : settings.matrix_rows;
  std::vector<SpmvPoint> points;
  for (const std::size_t order : orders) {
    const SpmvProblem problem{.rows = order, .ranks = ranks};
    require(order >= ranks, "--matrix-rows " + std::to_string(order) + ": fewer than the " +
                                std::to_string(ranks) + " ranks: give at least as many");
    for (const double ratio :
         settings.nonzero_ratios.empty() ? sweep.nonzero_ratios : settings.nonzero_ratios) {
      points.push_back({problem, ratio});
    }
  }
  return points;
}

std::vector<SpmvSchedule> spmv_schedules(const ScheduleSettings& settings, std::size_t ranks) {
  const SpmvSweep& sweep = chosen(spmv_sweeps(), settings.sweep);
  std::vector<std::string> names;
  std::ranges::copy_if(settings.schedules, std::back_inserter(names), is_spmv_schedule);
  if (names.empty()) names = sweep.schedules;
  std::vector<std::size_t> depths = settings.prefetch;
  if (depths.empty()) depths = sweep.varies_prefetch ? powers_below(ranks) : std::vector<std::size_t>{1};
  std::vector<SpmvSchedule> schedules;
  for (const std::string& name : names) {
    const SpmvKind kind = spmv_kind_from(name);
    if (kind == SpmvKind::bulk) {
      schedules.push_back({.kind = kind});
      continue;
    }
    for (const std::size_t depth : depths) {
      require(depth < ranks || depth <= 1, "--prefetch " + std::to_string(depth) + ": beyond P-1: with " +
                                               std::to_string(ranks) + " ranks give 0 to " +
                                               std::to_string(ranks - 1));
      schedules.push_back({.kind = kind, .prefetch = depth});
    }
  }
  return schedules;
}

}  // namespace stretto::probe
