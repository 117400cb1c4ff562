// SPDX-License-Identifier: BSD-3-Clause
// Sparse products.
#include <stretto/kernels.h>

#include <stretto/checked_size.hpp>
#include <stretto/spmv.hpp>

#include "bindings/objects.hpp"
#include "bindings/timers.hpp"
#include "onesided/api/agreement.hpp"

using namespace stretto::bindings;
namespace spmv = stretto::spmv;

struct stretto_spmv {
  spmv::Plan plan;
};

namespace {

static_assert(static_cast<int>(spmv::Exchange::signalled) == STRETTO_SPMV_SIGNALLED &&
              static_cast<int>(spmv::Exchange::aggregate) == STRETTO_SPMV_AGGREGATE &&
              static_cast<int>(spmv::Exchange::vector) == STRETTO_SPMV_VECTOR &&
              static_cast<int>(spmv::Exchange::individual) == STRETTO_SPMV_INDIVIDUAL &&
              static_cast<int>(spmv::Exchange::blocks) == STRETTO_SPMV_BLOCKS);

spmv::Plan& plan_of(stretto_spmv* plan) { return given(plan, "plan").plan; }
const spmv::Plan& plan_of(const stretto_spmv* plan) { return given(plan, "plan").plan; }

spmv::Part part_from(size_t rows, const uint64_t start[], const uint32_t column[], const double value[],
                     size_t x_count) {
  (void)stretto::detail::checked_number<std::uint32_t>("rows", rows);
  const std::span<const uint64_t> starts{given_array(start, 1, "start"), rows + 1};
  const std::size_t nonzeros = starts.back();
  return {.start = starts,
          .column = {given_array(column, nonzeros, "column"), nonzeros},
          .value = {given_array(value, nonzeros, "value"), nonzeros},
          .x_count = x_count};
}

spmv::Settings settings_from(const stretto_spmv_settings* settings) {
  if (settings == nullptr) return {};
  return {.exchange = kernel_enumerator<spmv::Exchange>(settings->exchange, STRETTO_SPMV_BLOCKS, "exchange"),
          .prefetch = settings->prefetch,
          .transport = kernel_enumerator<stretto::Transport>(settings->transport, STRETTO_TRANSPORT_ALLTOALL,
                                                             "transport")};
}

stretto_spmv_settings settings_to_c(const spmv::Settings& settings) {
  return {.prefetch = settings.prefetch,
          .exchange = static_cast<int>(settings.exchange),
          .transport = static_cast<int>(settings.transport)};
}

}  // namespace

extern "C" {

int stretto_spmv_settings_init(stretto_spmv_settings* settings) {
  return give(settings, "settings", [&] { return settings_to_c({}); });
}

int stretto_spmv_create(stretto_runtime* runtime, size_t rows, const uint64_t start[],
                        const uint32_t column[], const double value[], size_t x_count,
                        const stretto_spmv_settings* settings, stretto_spmv** plan) {
  return guarded([&] {
    spmv::Part part;
    spmv::Settings chosen;
    stretto::onesided::agree(runtime_of(runtime), [&] {
      (void)given(plan, "plan");
      part = part_from(rows, start, column, value, x_count);
      chosen = settings_from(settings);
    });
    *plan = new stretto_spmv{spmv::Plan(runtime->runtime, part, chosen)};
  });
}

int stretto_spmv_create_tuned(stretto_runtime* runtime, size_t rows, const uint64_t start[],
                              const uint32_t column[], const double value[], size_t x_count,
                              stretto_spmv** plan) {
  return guarded([&] {
    spmv::Part part;
    stretto::onesided::agree(runtime_of(runtime), [&] {
      (void)given(plan, "plan");
      part = part_from(rows, start, column, value, x_count);
    });
    *plan = new stretto_spmv{spmv::Plan::tuned(runtime->runtime, part)};
  });
}

int stretto_spmv_free(stretto_spmv** plan) {
  return freed(plan, "plan", [](const stretto_spmv&) {});
}

int stretto_spmv_settings_of(const stretto_spmv* plan, stretto_spmv_settings* settings) {
  return give(settings, "settings", [&] { return settings_to_c(plan_of(plan).settings()); });
}

int stretto_spmv_needed(const stretto_spmv* plan, size_t* elements, size_t* ranks) {
  return guarded([&] {
    std::size_t& of_others = given(elements, "elements");
    std::size_t& owners = given(ranks, "ranks");
    of_others = plan_of(plan).needed_elements();
    owners = plan_of(plan).needed_ranks();
  });
}

int stretto_spmv_multiply(stretto_spmv* plan, const double x[], size_t x_count, double y[], size_t y_count) {
  return guarded([&] {
    plan_of(plan).multiply({given_array(x, x_count, "x"), x_count}, {given_array(y, y_count, "y"), y_count});
  });
}

int stretto_spmv_messages(const stretto_spmv* plan, uint64_t* messages) {
  return give(messages, "messages", [&] { return plan_of(plan).messages(); });
}

int stretto_spmv_timers(const stretto_spmv* plan, stretto_timers* timers) {
  return give(timers, "timers", [&] { return timers_to_c(plan_of(plan).timers()); });
}

int stretto_spmv_reset_timers(stretto_spmv* plan) {
  return guarded([&] { plan_of(plan).reset_timers(); });
}
}
