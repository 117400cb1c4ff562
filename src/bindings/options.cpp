// SPDX-License-Identifier: BSD-3-Clause
#include "bindings/options.hpp"

#include <stretto/error.hpp>

#include "bindings/boundary.hpp"

namespace stretto::bindings {
namespace {

static_assert(static_cast<int>(Progress::none) == STRETTO_PROGRESS_NONE &&
              static_cast<int>(Progress::poll) == STRETTO_PROGRESS_POLL &&
              static_cast<int>(Progress::thread) == STRETTO_PROGRESS_THREAD);
static_assert(static_cast<int>(Path::direct) == STRETTO_PATH_DIRECT &&
              static_cast<int>(Path::rma) == STRETTO_PATH_RMA &&
              static_cast<int>(Path::message) == STRETTO_PATH_MESSAGE);

/// The enumerator of a number up to 2; none for STRETTO_DEFAULT.
template <typename Enumeration>
std::optional<Enumeration> enumerator_or_default(int number, const char* argument) {
  if (number == STRETTO_DEFAULT) return std::nullopt;
  return enumerator<Enumeration>(number, 2, argument);
}

template <typename Enumeration>
int number_of(const std::optional<Enumeration>& enumerator) {
  return enumerator ? static_cast<int>(*enumerator) : STRETTO_DEFAULT;
}

}  // namespace

Options options_from(const stretto_options* options) {
  if (options == nullptr) return {};
  return {.progress = enumerator_or_default<Progress>(options->progress, "progress"),
          .path = enumerator_or_default<Path>(options->path, "path"),
          .contiguous = enumerator_or_default<Path>(options->contiguous, "contiguous"),
          .poll_interval_s = options->poll_interval_s,
          .segment_bytes = options->segment_bytes,
          .outstanding = options->outstanding,
          .contexts = options->contexts,
          .node_ranks = options->node_ranks,
          .report_after_s = options->report_after_s,
          .timeout_s = options->timeout_s};
}

stretto_options options_to_c(const Options& options) {
  return {.progress = number_of(options.progress),
          .path = number_of(options.path),
          .contiguous = number_of(options.contiguous),
          .outstanding = options.outstanding,
          .node_ranks = options.node_ranks,
          .contexts = options.contexts,
          .poll_interval_s = options.poll_interval_s,
          .segment_bytes = options.segment_bytes,
          .report_after_s = options.report_after_s,
          .timeout_s = options.timeout_s};
}

}  // namespace stretto::bindings

int stretto_options_init(stretto_options* options) {
  using namespace stretto::bindings;
  return give(options, "options", [&] { return options_to_c({}); });
}
