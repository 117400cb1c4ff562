// SPDX-License-Identifier: BSD-3-Clause
#include "onesided/api/resolve_options.hpp"

#include <stretto/error.hpp>
#include <string>

#include "mpi/library.hpp"

namespace stretto::onesided {
namespace {

#ifdef STRETTO_SIMGRID
constexpr int default_outstanding = 8;  // each posted receive costs the simulator time
#else
constexpr int default_outstanding = 32;
#endif
constexpr double default_poll_interval_s = 1e-3;  // a wake-up costs about 25 us: 3 % of a core
constexpr std::size_t min_segment_bytes = 256;
constexpr std::size_t largest_segment_bytes = std::size_t{1} << 30;  // MPI counts a packet's length in an int

void check_seconds(const char* name, double seconds) {
  const bool valid = seconds >= 0;  // false for NaN
  if (!valid) throw ArgumentError(name, std::to_string(seconds) + " is not 0 or more");
}

}  // namespace

Options resolve_options(Options options) {
  if (options.segment_bytes == 0) options.segment_bytes = default_segment_bytes;
  if (options.poll_interval_s == 0) options.poll_interval_s = default_poll_interval_s;
  if (options.outstanding == 0) options.outstanding = default_outstanding;
  if (options.contexts == 0) options.contexts = 1;
  if (options.segment_bytes < min_segment_bytes || options.segment_bytes > largest_segment_bytes) {
    throw ArgumentError("segment_bytes", std::to_string(options.segment_bytes) + " is not between " +
                                             std::to_string(min_segment_bytes) + " and " +
                                             std::to_string(largest_segment_bytes));
  }
  if (options.outstanding < 1 || options.outstanding > 4096) {
    throw ArgumentError("outstanding", std::to_string(options.outstanding) + " is not between 1 and 4096");
  }
  if (options.contexts < 1 || options.contexts > 64) {
    throw ArgumentError("contexts", std::to_string(options.contexts) + " is not between 1 and 64");
  }
  const bool within = options.poll_interval_s > 0 && options.poll_interval_s <= 1;  // false for NaN, too
  if (!within) {
    throw ArgumentError("poll_interval_s",
                        std::to_string(options.poll_interval_s) + " is not above 0 and at most 1");
  }
  check_seconds("report_after_s", options.report_after_s);
  check_seconds("timeout_s", options.timeout_s);
  if (options.node_ranks < 0) throw ArgumentError("node_ranks", "is negative");
  if (options.contiguous == Path::direct) {
    throw ArgumentError("contiguous", "must be rma or message: direct does not reach other nodes");
  }
  return options;
}

Progress resolve_progress(const Options& options) {
#ifdef STRETTO_SIMGRID
  if (options.progress == Progress::thread) {
    throw ArgumentError("progress", "thread does not exist under SimGrid; use poll or none");
  }
  return options.progress.value_or(Progress::poll);
#else
  if (options.progress == Progress::thread && !mpi::may_thread()) {
    throw ArgumentError("progress",
                        "thread needs MPI_THREAD_MULTIPLE; ask MPI_Init_thread for it, or use poll");
  }
  return options.progress.value_or(mpi::may_thread() ? Progress::thread : Progress::poll);
#endif
}

PathRules resolve_path_rules(const Options& options, Progress progress, const SharingRules& sharing) {
  if (options.path == Path::rma && !sharing.rma_works) {
    throw ArgumentError("path", "rma is forced, but this MPI makes no windows over this network");
  }
  return {.forced = options.path,
          .contiguous = options.contiguous.value_or(usual_path(progress)),
          .rma_works = sharing.rma_works};
}

}  // namespace stretto::onesided
