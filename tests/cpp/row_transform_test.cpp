// SPDX-License-Identifier: BSD-3-Clause
#include "probe/row_transform.hpp"

#include <gtest/gtest.h>

#include "known_answers/run.hpp"

namespace stretto::probe {
namespace {

using Complex = std::complex<double>;

/// The number of elements at the front of a row that are written; the others keep their values.
std::size_t written(const TransformPlan& plan) { return plan.whole > 0 ? plan.row_length : plan.part_length; }

TEST(RowTransform, PlansApproximateTheScale) {
  for (const std::size_t length : {512, 1024, 65536}) {
    for (const double scale : {0.0, 0.1, 0.25, 0.5, 0.75, 1.0, 1.3, 2.0, 7.75}) {
      const TransformPlan plan = transform_plan(length, scale);
      EXPECT_NEAR(plan.flops() / fft_flops(length), scale, 0.02) << length << " " << scale;
      EXPECT_LE(plan.part_length, length);
    }
  }
  EXPECT_EQ(written(transform_plan(512, 0)), 0U);
  EXPECT_EQ(transform_plan(512, 3).whole, 3U);
}

/// The discrete Fourier transform by its definition.
std::vector<Complex> dft(const std::vector<Complex>& in) {
  std::vector<Complex> out(in.size());
  for (std::size_t k = 0; k < in.size(); ++k) {
    for (std::size_t j = 0; j < in.size(); ++j) {
      out[k] += in[j] * std::polar(1.0, -2 * M_PI * static_cast<double>(j * k % in.size()) /
                                            static_cast<double>(in.size()));
    }
  }
  return out;
}

void expect_transform(double scale) {
  constexpr std::size_t length = 60;
  known_answers::run_virtual({}, 1, [&](known_answers::VirtualRank& rank) {
    const TransformPlan plan = transform_plan(length, scale);
    const RowTransform transform(plan, rank.team);
    std::vector<Complex> source(length);
    for (std::size_t i = 0; i < length; ++i) source[i] = {std::sin(3.0 * i), std::cos(5.0 * i)};
    std::vector<Complex> row(length, Complex{7, 7});
    transform.run(source.data(), row.data());
    transform.run(source.data(), row.data());  // a second run from the same source
    const std::vector<Complex> front(source.begin(),
                                     source.begin() + static_cast<std::ptrdiff_t>(written(plan)));
    const std::vector<Complex> expected = dft(front);
    for (std::size_t i = 0; i < length; ++i) {
      EXPECT_LT(std::abs(row[i] - (i < written(plan) ? expected[i] : Complex{7, 7})), 1e-11) << i;
    }
  });
}

TEST(RowTransform, TransformsTheShareOfElementsThatTheScaleGives) {
  expect_transform(0.5);
  expect_transform(1);
  expect_transform(2.5);
}

TEST(RowTransform, RefusesRowsThatFftwCannotTake) {
  known_answers::run_virtual({}, 1, [](known_answers::VirtualRank& rank) {
    const RowTransform transform(transform_plan(8, 1), rank.team);
    std::vector<double> memory(40);
    const auto* aligned = reinterpret_cast<const Complex*>(memory.data());
    auto* odd = reinterpret_cast<Complex*>(memory.data() + 17);
    EXPECT_THROW(transform.run(aligned, odd), std::logic_error);
  });
}

}  // namespace
}  // namespace stretto::probe
