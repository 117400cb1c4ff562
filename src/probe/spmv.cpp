// SPDX-License-Identifier: BSD-3-Clause
// `spmv`: a sparse matrix times a vector. Blocks of the vector are fetched from the ranks that own them, or
// sent by these; all before the multiplications, or overlapped with them (architectural probes, section
// 5.2, algorithms 6 to 8).
#include <optional>
#include <stdexcept>

#include "probe/efficiency.hpp"
#include "probe/memory.hpp"
#include "probe/probes.hpp"
#include "probe/schedule_case.hpp"
#include "probe/spmv_data.hpp"
#include "probe/sweeps.hpp"

namespace stretto::probe {
namespace {

using exchange::ChannelOperation;
using exchange::Ticket;
using exchange::Transfer;
using record::Segments;

/// The parts of a schedule that a quantity includes.
struct SpmvParts {
  bool compute = true;
  bool communicate = true;
};

std::span<double> doubles(std::span<std::byte> bytes) {
  return {reinterpret_cast<double*>(bytes.data()), bytes.size() / sizeof(double)};
}

class SpmvCase final : public ScheduleCase {
 public:
  SpmvCase(const ProbeContext& context, exchange::ProgressMode progress, const SpmvPoint& point,
           std::vector<SpmvSchedule> schedules, const Settings& settings)
      : ScheduleCase(context, "spmv", progress, settings),
        efficiency_(settings.spmv_efficiency),
        problem_(point.problem),
        nonzero_ratio_(point.nonzero_ratio),
        schedules_(std::move(schedules)),
        arriving_(ranks()),
        leaving_(ranks()) {}

  void calibrate(measure::Timekeeper& timekeeper) override;
  [[nodiscard]] std::vector<measure::Quantity> quantities() override;
  void fill(std::uint32_t seed) override;
  [[nodiscard]] measure::CheckedTransfers verify(const std::string& quantity, std::uint32_t seed) override;

 private:
  [[nodiscard]] bool computes() const { return nonzero_ratio_ > 0; }
  [[nodiscard]] ChannelOperation operation_of(SpmvKind kind) const;
  [[nodiscard]] std::size_t owner_at(std::size_t step) const { return (rank() + step) % ranks(); }
  [[nodiscard]] std::size_t receiver_at(std::size_t step) const {
    return (rank() + ranks() - step) % ranks();
  }

  /// The transfer of `owner`'s block of the source vector, from or to `peer`.
  [[nodiscard]] Transfer block_of(std::size_t owner, std::size_t peer, ChannelOperation operation) const;
  [[nodiscard]] std::span<double> source_of(std::size_t owner, ChannelOperation operation) const;

  measure::Step step(const SpmvSchedule& schedule, SpmvParts parts) {
    return [this, schedule, parts](measure::StepTimer& timer) { run(timer, schedule, parts); };
  }
  void run(measure::StepTimer& timer, const SpmvSchedule& schedule, SpmvParts parts);
  void expect_all(ChannelOperation operation);
  void begin(std::size_t step, SpmvKind kind);
  void wait(std::size_t step, SpmvKind kind);
  void multiply(measure::StepTimer& timer, std::size_t step, ChannelOperation operation);

  double efficiency_;
  SpmvProblem problem_;
  double nonzero_ratio_;
  std::vector<SpmvSchedule> schedules_;
  std::optional<SpmvData> data_;  // absent where computations only let time pass
  std::vector<Ticket> arriving_;  // one per step
  std::vector<Ticket> leaving_;
  std::size_t delivered_ = 0;  // steps with all signalling puts delivered
};

void SpmvCase::calibrate(measure::Timekeeper& timekeeper) {
  context_.transport.reserve(problem_.rows * sizeof(double));
  double nonzeros = nonzero_ratio_ * static_cast<double>(problem_.rows) * static_cast<double>(problem_.rows) /
                    static_cast<double>(ranks());
  if (real_ && !context_.transport.memory(operation_of(SpmvKind::gather)).outgoing.empty()) {
    data_.emplace(problem_, nonzero_ratio_, rank());
    fill(0);
    double sum = 0;
    for (const double mine : timekeeper.team().collect(static_cast<double>(data_->nonzeros()))) sum += mine;
    timekeeper.team().share(sum);
    nonzeros = sum / static_cast<double>(ranks());
  }
  set_axis("rows", static_cast<std::int64_t>(problem_.rows));
  set_axis("nonzero_ratio", nonzero_ratio_);
  set_axis("flops", 2 * nonzeros);
}

std::vector<measure::Quantity> SpmvCase::quantities() {
  std::vector<measure::Quantity> all;
  const auto messages = static_cast<std::int64_t>(ranks() - 1);
  if (computes()) {
    all.push_back({.name = "T_w", .step = step({}, {.communicate = false})});
    all.push_back({.name = "T_c", .messages = messages, .step = step({}, {.compute = false})});
  }
  for (const SpmvSchedule& schedule : schedules_) {
    record::Fields axes{
        {"schedule", std::string{to_string(schedule.kind)}},
        {"operation", std::string{to_string(operation_of(schedule.kind))}},
        {"size_bytes", static_cast<std::int64_t>(problem_.largest_block_rows() * sizeof(double))}};
    if (schedule.kind != SpmvKind::bulk)
      axes.emplace_back("prefetch", static_cast<std::int64_t>(schedule.prefetch));
    all.push_back({.name = name_of(schedule),
                   .messages = messages,
                   .step = step(schedule, {}),
                   .axes = std::move(axes)});
  }
  return all;
}

// Scatter uses puts with a signal, or else sends: a send also notifies its receiver. Gather uses gets, or
// else sends.
ChannelOperation SpmvCase::operation_of(SpmvKind kind) const {
  const exchange::Channel& transport = context_.transport;
  if (kind == SpmvKind::scatter) return transport.signals() ? ChannelOperation::put : ChannelOperation::send;
  return transport.supports(ChannelOperation::get) ? ChannelOperation::get : ChannelOperation::send;
}

Transfer SpmvCase::block_of(std::size_t owner, std::size_t peer, ChannelOperation operation) const {
  return {.operation = operation,
          .peer = static_cast<int>(peer),
          .size_bytes = problem_.block_rows(owner) * sizeof(double),
          .offset_bytes = 0,
          .receive_offset_bytes = problem_.block_begin(owner) * sizeof(double),
          .signal = operation == ChannelOperation::put};
}

std::span<double> SpmvCase::source_of(std::size_t owner, ChannelOperation operation) const {
  const exchange::TransferBuffers memory = context_.transport.memory(operation);
  if (owner == rank()) return doubles(memory.outgoing).first(problem_.block_rows(owner));
  return doubles(memory.incoming).subspan(problem_.block_begin(owner), problem_.block_rows(owner));
}

void SpmvCase::run(measure::StepTimer& timer, const SpmvSchedule& schedule, SpmvParts parts) {
  const bool compute = parts.compute && computes();
  const SpmvKind kind = schedule.kind;
  const ChannelOperation operation = operation_of(kind);
  const std::size_t before = schedule.before(ranks());
  std::size_t started = 0;
  delivered_ = 0;
  if (parts.communicate) {
    timer.lap(&Segments::prefetch_init_s, [&] {
      if (kind == SpmvKind::scatter) expect_all(operation);
      while (started < before) begin(++started, kind);
    });
    if (kind == SpmvKind::bulk) timer.sync([this] { context_.transport.finish(); });
  }
  for (std::size_t step = 0; step < ranks(); ++step) {
    if (parts.communicate && started + 1 < ranks()) {
      timer.lap(&Segments::pipeline_init_s, [&] { begin(++started, kind); });
    }
    if (parts.communicate && step > 0 && kind != SpmvKind::bulk) timer.sync([&] { wait(step, kind); });
    if (compute) multiply(timer, step, operation);
  }
  if (!parts.communicate) return;
  if (kind != SpmvKind::bulk) timer.sync([this] { context_.transport.finish(); });
  timer.barrier([this] { context_.transport.barrier(); });
}

void SpmvCase::expect_all(ChannelOperation operation) {
  for (std::size_t step = 1; step < ranks(); ++step) {
    arriving_[step] = context_.transport.expect(block_of(owner_at(step), owner_at(step), operation));
  }
}

/// Starts the transfer of a step (line 5 of algorithms 7 and 8). It is a get from the owner of the block,
/// or this rank's own block to the rank that needs it. With two-sided operations, a gather does both.
void SpmvCase::begin(std::size_t step, SpmvKind kind) {
  const ChannelOperation operation = operation_of(kind);
  if (operation == ChannelOperation::get) {
    arriving_[step] = start(block_of(owner_at(step), owner_at(step), operation));
    return;
  }
  if (kind != SpmvKind::scatter) {
    arriving_[step] = context_.transport.expect(block_of(owner_at(step), owner_at(step), operation));
  }
  leaving_[step] = start(block_of(rank(), receiver_at(step), operation));
}

/// A signal that needs progress is due when its receiver waits for it, which is at the same step.
void SpmvCase::wait(std::size_t step, SpmvKind kind) {
  if (kind == SpmvKind::scatter) {
    while (delivered_ < step) context_.transport.deliver(leaving_[++delivered_]);
  }
  context_.transport.finish(arriving_[step]);
}

void SpmvCase::multiply(measure::StepTimer& timer, std::size_t step, ChannelOperation operation) {
  constexpr std::size_t polled_slices = 16;
  const std::size_t owner = owner_at(step);
  const std::size_t slices = progress_ == exchange::ProgressMode::poll ? polled_slices : 1;
  const double flops = 2 * nonzero_ratio_ * static_cast<double>(problem_.block_rows(rank())) *
                       static_cast<double>(problem_.block_rows(owner));
  for (std::size_t slice = 0; slice < slices; ++slice) {
    compute(timer, step == 0 ? &Segments::local_work_s : &Segments::remote_work_s,
            flops / efficiency_ / static_cast<double>(slices), [&] {
              if (data_) data_->multiply(owner, source_of(owner, operation), slice, slices);
            });
  }
}

void SpmvCase::fill(std::uint32_t seed) {
  if (!data_) return context_.transport.fill(seed);
  for (const ChannelOperation operation : {operation_of(SpmvKind::gather), operation_of(SpmvKind::scatter)}) {
    const exchange::TransferBuffers memory = context_.transport.memory(operation);
    data_->fill(source_of(rank(), operation), seed);
    std::ranges::fill(doubles(memory.incoming), 0.0);
  }
}

measure::CheckedTransfers SpmvCase::verify(const std::string& quantity, std::uint32_t seed) {
  if (quantity == "T_w") return {};
  SpmvSchedule schedule;
  for (const SpmvSchedule& one : schedules_) {
    if (name_of(one) == quantity) schedule = one;
  }
  const ChannelOperation operation = operation_of(schedule.kind);
  measure::CheckedTransfers checked;
  for (std::size_t step = 1; step < ranks(); ++step) {
    const std::size_t owner = owner_at(step);
    ++checked.transfers;
    const bool right = data_ ? data_->arrived(source_of(owner, operation), owner, seed)
                             : arrived(block_of(owner, owner, operation), seed);
    if (!right) ++checked.wrong;
  }
  if (data_ && computes() && quantity != "T_c") {
    ++checked.transfers;  // the product is wrong if a block was used before it arrived
    if (!data_->product_is_right(seed)) ++checked.wrong;
  }
  return checked;
}

/// Bytes that a rank allocates: the matrix, and the source vector, of which a transport holds up to four
/// copies.
double bytes_per_rank(const SpmvPoint& point, std::size_t transports) {
  const auto rows = static_cast<double>(point.problem.rows);
  const auto block = static_cast<double>(point.problem.largest_block_rows());
  return bytes_per_nonzero * point.nonzero_ratio * rows * block + sizeof(std::uint32_t) * rows +
         4 * sizeof(double) * rows * static_cast<double>(transports);
}

}  // namespace

Cases spmv_cases(const Settings& settings, const ProbeContext& context) {
  const auto ranks = static_cast<std::size_t>(context.team.size());
  const std::vector<SpmvSchedule> schedules = spmv_schedules(settings.schedules, ranks);
  Cases cases;
  if (!hands_over(context.transport)) return cases;
  for (const SpmvPoint& point : spmv_points(settings.schedules, ranks)) {
    require_memory(context.team, bytes_per_rank(point, settings.transports.size()),
                   "spmv with --matrix-rows " + std::to_string(point.problem.rows) + " --nonzeros " +
                       std::to_string(point.nonzero_ratio),
                   "give fewer rows or nonzeros");
    for (const exchange::ProgressMode progress : settings.progress) {
      if (!context.transport.supports(progress)) continue;
      cases.push_back(std::make_unique<SpmvCase>(context, progress, point, schedules, settings));
    }
  }
  return cases;
}

}  // namespace stretto::probe
