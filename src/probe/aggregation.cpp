// SPDX-License-Identifier: BSD-3-Clause
// `aggregation`: transfers of nonadjacent doubles by individual operations, by an aggregate of them and by
// one vector operation. They are timed until the data is usable at the destination (ARMCI paper, section
// 4.1, figure 7).
#include <algorithm>

#include "exchange/pieces.hpp"
#include "probe/probe_case.hpp"
#include "probe/probes.hpp"

namespace stretto::probe {
namespace {

using exchange::ChannelOperation;
using exchange::Method;
using exchange::Pieces;

constexpr std::size_t piece_bytes = sizeof(double);
constexpr std::size_t stride_bytes = 3 * piece_bytes;                         // nonadjacent
constexpr SizeRange aggregation_sizes{.min_bytes = 8000, .max_bytes = 8000};  // 1000 doubles, as in the paper
constexpr std::size_t max_pieces = std::size_t{1} << 20;

class AggregationCase final : public ProbeCase {
 public:
  AggregationCase(const ProbeContext& context, ChannelOperation operation, Method method, std::size_t pieces)
      : ProbeCase(context, "aggregation", operation, context.transport.standing_progress(),
                  {{"method", std::string{to_string(method)}},
                   {"size_bytes", static_cast<std::int64_t>(pieces * piece_bytes)}}),
        method_(method),
        pairing_(pairing_of(context.team.rank(), context.team.size())),
        pieces_{.operation = operation,
                .peer = pairing_.peer,
                .count = pieces,
                .piece_bytes = piece_bytes,
                .stride_bytes = stride_bytes} {}

  void calibrate(measure::Timekeeper& /*timekeeper*/) override {
    context_.transport.reserve(pieces_.count * stride_bytes);
  }

  [[nodiscard]] std::vector<measure::Quantity> quantities() override {
    return {{.name = "T_c",
             .messages = static_cast<std::int64_t>(pieces_.count),
             .step = [this](measure::StepTimer& timer) { move(timer); }}};
  }

 private:
  void move(measure::StepTimer& timer) {
    timer.init([this] {
      if (pairing_.target && context_.transport.has_passive_side(pieces_.operation)) {
        context_.transport.expect_pieces(pieces_, method_);
      }
      if (pairing_.origin) context_.transport.start_pieces(pieces_, method_);
    });
    timer.sync([this] { context_.transport.finish(); });
  }

  [[nodiscard]] std::vector<exchange::Transfer> arrivals(const std::string& /*quantity*/) const override {
    const bool here = pieces_.operation == ChannelOperation::get ? pairing_.origin : pairing_.target;
    std::vector<exchange::Transfer> all;
    for (std::size_t i = 0; here && i < pieces_.count; ++i) all.push_back(pieces_.piece(i));
    return all;
  }

  Method method_;
  Pairing pairing_;
  Pieces pieces_;
};

}  // namespace

Cases aggregation_cases(const Settings& settings, const ProbeContext& context) {
  Cases cases;
  for (const ChannelOperation operation : operations_of(settings, context)) {
    for (const Method method : exchange::all_methods) {
      if (!context.transport.supports(method)) continue;
      for (const std::size_t size_bytes : sizes_or(settings, aggregation_sizes, 10)) {
        const std::size_t pieces = std::clamp(size_bytes / piece_bytes, std::size_t{1}, max_pieces);
        cases.push_back(std::make_unique<AggregationCase>(context, operation, method, pieces));
      }
    }
  }
  return cases;
}

}  // namespace stretto::probe
