// SPDX-License-Identifier: BSD-3-Clause
// `ft`: each rank transforms its rows, and sends them to the other ranks in few or many messages.
// Communication follows the transforms or overlaps with them (architectural probes, section 5.1, algorithms 3
// to 5). The timers are those of section 6.1.
#include <cstring>
#include <optional>
#include <stdexcept>

#include "probe/efficiency.hpp"
#include "probe/ft_rows.hpp"
#include "probe/memory.hpp"
#include "probe/probes.hpp"
#include "probe/schedule_case.hpp"
#include "probe/sweeps.hpp"

namespace stretto::probe {
namespace {

using Complex = std::complex<double>;
using exchange::ChannelOperation;

std::span<Complex> elements(std::span<std::byte> bytes) {
  return {reinterpret_cast<Complex*>(bytes.data()), bytes.size() / sizeof(Complex)};
}

/// The parts of a schedule that a quantity times.
struct FtParts {
  bool compute = true;
  bool communicate = true;
};

class FtCase final : public ScheduleCase {
 public:
  FtCase(const ProbeContext& context, exchange::ProgressMode progress, const FtPoint& point,
         std::vector<FtSchedule> schedules, const Settings& settings)
      : ScheduleCase(context, "ft", progress, settings),
        problem_(point.problem),
        scale_(point.scale),
        schedules_(std::move(schedules)),
        operation_(context.transport.supports(ChannelOperation::put) ? ChannelOperation::put
                                                                     : ChannelOperation::send) {}

  void calibrate(measure::Timekeeper& timekeeper) override {
    context_.transport.reserve(problem_.bytes());
    if (!scale_) scale_ = balanced_scale(timekeeper);
    prepare(*scale_, timekeeper.team());
    set_axis("rows", static_cast<std::int64_t>(problem_.rows));
    set_axis("row_length", static_cast<std::int64_t>(problem_.row_length));
    if (problem_.planes > 1) set_axis("planes", static_cast<std::int64_t>(problem_.planes));
    set_axis("scale", *scale_);
    set_axis("flops", plan_.flops() * static_cast<double>(problem_.rows));
  }

  [[nodiscard]] std::vector<measure::Quantity> quantities() override {
    std::vector<measure::Quantity> all;
    const std::size_t chunks = chunks_of({.kind = FtKind::exchange}, problem_);
    if (computes()) {
      all.push_back({.name = "T_w", .step = step(FtKind::exchange, chunks, {.communicate = false})});
      all.push_back({.name = "T_c",
                     .messages = messages(chunks),
                     .step = step(FtKind::exchange, chunks, {.compute = false})});
    }
    for (const FtSchedule& schedule : schedules_) all.push_back(quantity(schedule));
    return all;
  }

  void fill(std::uint32_t seed) override {
    if (!rows_) return context_.transport.fill(seed);
    rows_->fill(seed);
    const std::span<std::byte> incoming = context_.transport.memory(operation_).incoming;
    std::fill_n(incoming.begin(), problem_.bytes(), std::byte{0});
  }

  [[nodiscard]] measure::CheckedTransfers verify(const std::string& quantity, std::uint32_t seed) override;

 private:
  [[nodiscard]] bool computes() const { return plan_.flops() > 0; }

  [[nodiscard]] std::int64_t messages(std::size_t chunks) const {
    return static_cast<std::int64_t>(chunks / ranks() * (ranks() - 1));
  }

  measure::Quantity quantity(const FtSchedule& schedule) {
    const std::size_t chunks = chunks_of(schedule, problem_);
    return {.name = name_of(schedule),
            .messages = messages(chunks),
            .step = step(schedule.kind, chunks, {}),
            .axes = {{"schedule", std::string{to_string(schedule.kind)}},
                     {"operation", std::string{to_string(operation_)}},
                     {"chunks", static_cast<std::int64_t>(chunks)},
                     {"size_bytes", static_cast<std::int64_t>(problem_.bytes() / chunks)}}};
  }

  measure::Step step(FtKind kind, std::size_t chunks, FtParts parts) {
    return [this, kind, chunks, parts](measure::StepTimer& timer) { run(timer, kind, chunks, parts); };
  }

  void prepare(double scale, measure::Team& team);
  double balanced_scale(measure::Timekeeper& timekeeper);

  void run(measure::StepTimer& timer, FtKind kind, std::size_t chunks, FtParts parts);
  void transform(measure::StepTimer& timer, std::size_t first_row, std::size_t end_row);
  void expect_all(std::size_t chunks);
  void send(const FtPiece& piece);

  FtProblem problem_;
  std::optional<double> scale_;  // absent until calibration has found the balancing scale
  std::vector<FtSchedule> schedules_;
  ChannelOperation operation_;
  TransformPlan plan_;
  std::optional<FtRows> rows_;  // absent where computation only takes simulated time
};

void FtCase::prepare(double scale, measure::Team& team) {
  plan_ = transform_plan(problem_.row_length, scale);
  const std::span<std::byte> outgoing = context_.transport.memory(operation_).outgoing;
  if (real_ && !outgoing.empty()) {
    rows_.emplace(problem_, plan_, elements(outgoing.first(problem_.bytes())), check_, team);
  }
}

/// The scale at which the computation alone takes as long as the communication alone. Collective.
double FtCase::balanced_scale(measure::Timekeeper& timekeeper) {
  constexpr double largest = 1e4;
  const std::size_t chunks = problem_.ranks;
  const auto time_s = [&](FtParts parts) {
    return timekeeper.median_time_s(step(FtKind::exchange, chunks, parts), 3);
  };
  prepare(0, timekeeper.team());
  const double communication_s = time_s({.compute = false});
  double scale = 1;
  constexpr int refinements = 3;  // the time of a partial transform is not linear in its scale
  for (int refinement = 0; refinement < refinements; ++refinement) {
    prepare(scale, timekeeper.team());
    const double work_s = time_s({.communicate = false});
    scale = std::clamp(scale * communication_s / std::max(work_s, 1e-9), 1e-3, largest);
  }
  timekeeper.team().share(scale);
  return scale;
}

void FtCase::run(measure::StepTimer& timer, FtKind kind, std::size_t chunks, FtParts parts) {
  const bool communicate = parts.communicate;
  const bool compute = parts.compute && computes();
  if (communicate && operation_ == ChannelOperation::send) timer.init([&] { expect_all(chunks); });
  if (compute && kind == FtKind::exchange) transform(timer, 0, problem_.rows);
  if (!communicate) return;
  for_each_piece(problem_, chunks, rank(), [&](const FtPiece& piece) {
    if (compute && kind != FtKind::exchange) transform(timer, piece.first_row, piece.end_row);
    timer.init([&] { send(piece); });
  });
  timer.sync([this] { context_.transport.finish(); });
  timer.barrier([this] { context_.transport.barrier(); });
}

void FtCase::transform(measure::StepTimer& timer, std::size_t first_row, std::size_t end_row) {
  const double peak_flops = plan_.flops() / fft_efficiency(problem_.row_length);
  for (std::size_t row = first_row; row < end_row; ++row) {
    compute(timer, &record::Segments::work_s, peak_flops, [&] {
      if (rows_) rows_->transform(row);
    });
  }
}

/// Posts all receives of this rank. Those from one sender are in the order of its sends.
void FtCase::expect_all(std::size_t chunks) {
  for (std::size_t round = 0; round < chunks / ranks(); ++round) {
    for (std::size_t step = 1; step < ranks(); ++step) {
      const std::size_t sender = (rank() + ranks() - step) % ranks();
      const FtPiece piece = ft_piece(problem_, chunks, sender, rank(), round);
      context_.transport.expect({.operation = operation_,
                                 .peer = static_cast<int>(sender),
                                 .size_bytes = piece.size_bytes,
                                 .offset_bytes = piece.offset_bytes,
                                 .receive_offset_bytes = piece.receive_offset_bytes});
    }
  }
}

/// Sends or puts a piece; copies a piece of this rank's own.
void FtCase::send(const FtPiece& piece) {
  if (piece.peer != rank()) {
    start({.operation = operation_,
           .peer = static_cast<int>(piece.peer),
           .size_bytes = piece.size_bytes,
           .offset_bytes = piece.offset_bytes,
           .receive_offset_bytes = piece.receive_offset_bytes});
  } else if (rows_) {
    const exchange::TransferBuffers memory = context_.transport.memory(operation_);
    std::memcpy(memory.incoming.data() + piece.receive_offset_bytes,
                memory.outgoing.data() + piece.offset_bytes, piece.size_bytes);
  }
}

measure::CheckedTransfers FtCase::verify(const std::string& quantity, std::uint32_t seed) {
  if (quantity == "T_w") return {};
  std::size_t chunks = ranks();
  for (const FtSchedule& schedule : schedules_) {
    if (name_of(schedule) == quantity) chunks = chunks_of(schedule, problem_);
  }
  measure::CheckedTransfers checked;
  const std::size_t pieces = chunks / ranks();
  for (std::size_t sender = 0; sender < ranks(); ++sender) {
    if (rows_) {
      const std::span<std::byte> block =
          context_.transport.memory(operation_)
              .incoming.subspan(sender * problem_.block_bytes(), problem_.block_bytes());
      checked.wrong += static_cast<std::int64_t>(rows_->wrong_pieces(
          elements(block), static_cast<int>(sender), pieces, seed, computes() && quantity != "T_c"));
      checked.transfers += static_cast<std::int64_t>(pieces);
      continue;
    }
    for (std::size_t round = 0; sender != rank() && round < pieces; ++round) {
      const FtPiece piece = ft_piece(problem_, chunks, sender, rank(), round);
      ++checked.transfers;
      if (!arrived({.operation = operation_,
                    .peer = static_cast<int>(sender),
                    .size_bytes = piece.size_bytes,
                    .offset_bytes = piece.offset_bytes,
                    .receive_offset_bytes = piece.receive_offset_bytes},
                   seed)) {
        ++checked.wrong;
      }
    }
  }
  return checked;
}

/// Bytes that a rank allocates. A transport holds up to four copies of the rows (outgoing and incoming, for
/// puts and for gets); a check holds one.
double bytes_per_rank(const FtProblem& problem, std::size_t transports, bool check) {
  return static_cast<double>(problem.bytes()) * (4 * static_cast<double>(transports) + (check ? 1 : 0));
}

}  // namespace

Cases ft_cases(const Settings& settings, const ProbeContext& context) {
  const auto ranks = static_cast<std::size_t>(context.team.size());
  const bool check = settings.harness.check;
  Cases cases;
  if (!hands_over(context.transport)) return cases;
  for (const FtPoint& point : ft_points(settings.schedules, ranks)) {
    const std::vector<FtSchedule> schedules = ft_schedules(settings.schedules, point.problem);
    require_memory(context.team, bytes_per_rank(point.problem, settings.transports.size(), check),
                   "--rows " + std::to_string(point.problem.rows) + " --row-length " +
                       std::to_string(point.problem.row_length),
                   "give fewer rows or ranks");
    for (const exchange::ProgressMode progress : settings.progress) {
      if (!context.transport.supports(progress)) continue;
      cases.push_back(std::make_unique<FtCase>(context, progress, point, schedules, settings));
    }
  }
  return cases;
}

}  // namespace stretto::probe
