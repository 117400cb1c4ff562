// SPDX-License-Identifier: BSD-3-Clause
// The rows of a samples file (docs/formats.md), as plain structs. encode.hpp converts them to text, and
// sample_file.hpp writes them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace stretto::record {

/// Named coordinates of a point of a sweep, or named settings of a run, in the order of writing.
using Value = std::variant<std::int64_t, double, std::string>;
using Fields = std::vector<std::pair<std::string, Value>>;

struct MpiIdentity {
  std::string family = "none";
  std::string library;
  std::string standard;
};

struct ClockIdentity {
  std::string name;
  double resolution_s = 0;
  double overhead_s = 0;
  std::vector<double> offset_s;  ///< by rank: added to its local clock
  double offset_error_s = 0;
};

struct Header {
  std::string created_utc;
  std::vector<std::string> command;
  std::string revision;
  std::string on;
  MpiIdentity mpi;
  std::vector<std::string> hosts;  ///< by rank
  std::string cpu;
  std::string locality;
  int ranks = 0;
  int cases = 0;
  ClockIdentity clock;
  std::string network;
  std::string cluster;    ///< empty: not on a known one
  std::string partition;  ///< of the cluster
  Fields settings;
};

struct NoiseFloor {
  double value_s = 0;
  int n = 0;
};

/// What other programs took of a host's cores, and the hypervisor of all of them.
struct Load {
  std::string host;
  std::string when;  ///< `before` the first case, or `during` all of them
  double seconds = 0;
  int cores = 0;
  int ranks = 0;             ///< ranks that share these cores
  double others_cores = 0;   ///< cores that others than the ranks kept busy, on average
  double stolen_cores = 0;   ///< cores that the hypervisor did not give
  double waiting_share = 0;  ///< share of the time in which a runnable task waited for a core (PSI)
  int runnable = 0;          ///< tasks that ran or waited for a core, at the end
};

struct WorkRate {
  std::string work_kind;
  double seconds_per_count = 0;
  double ci95_low = 0;
  double ci95_high = 0;
  int n = 0;
};

/// Seconds that a step spent in each of its segments, summed within a rank.
struct Segments {
  double init_s = 0;
  double work_s = 0;
  double sync_s = 0;
  double barrier_s = 0;
  // spmv uses these instead of init and work (architectural probes, sections 6.2 and 6.3).
  double prefetch_init_s = 0;
  double pipeline_init_s = 0;
  double local_work_s = 0;
  double remote_work_s = 0;
};

struct SegmentName {
  std::string_view name;
  double Segments::*seconds;
};

inline constexpr std::array<SegmentName, 8> segment_names = {{{"init", &Segments::init_s},
                                                              {"work", &Segments::work_s},
                                                              {"sync", &Segments::sync_s},
                                                              {"barrier", &Segments::barrier_s},
                                                              {"prefetch_init", &Segments::prefetch_init_s},
                                                              {"pipeline_init", &Segments::pipeline_init_s},
                                                              {"local_work", &Segments::local_work_s},
                                                              {"remote_work", &Segments::remote_work_s}}};

struct Sample {
  std::string probe;
  int case_index = 0;
  std::string quantity;
  int round = 0;
  double time_s = 0;  ///< last end minus first start over the ranks
  std::int64_t messages = 0;
  int ranks = 0;
  Fields axes;
  Segments mean;      ///< over the ranks
  Segments smallest;  ///< smallest over the ranks
  Segments largest;
  int visit = 0;              ///< which of the visits to the case
  double lost_s = 0;          ///< the longest that a rank was runnable and did not run, for other programs
  std::int64_t switches = 0;  ///< the most involuntary context switches of a rank
  bool disturbed = false;     ///< ranks lost so much that the sample does not count
};

/// Data that the steps of a quantity moved from one rank to another over one path of the one-sided runtime.
struct Traffic {
  std::string probe;
  int case_index = 0;
  std::string quantity;
  int origin = 0;
  int target = 0;
  std::string path;
  std::int64_t steps = 0;  ///< number of steps that are summed
  std::int64_t operations = 0;
  std::int64_t bytes = 0;
  std::int64_t messages = 0;
};

struct CaseEnd {
  std::string probe;
  int case_index = 0;
  std::string ended_by;
  int rounds = 0;
  int discarded = 0;
  int visits = 1;
  int disturbed = 0;  ///< samples that other programs disturbed
};

struct Checked {
  std::string probe;
  int case_index = 0;
  std::int64_t transfers = 0;
  std::int64_t wrong = 0;
};

struct Skipped {
  std::string probe;
  std::string transport;
  std::string operation;  ///< empty: all operations
  std::string reason;
};

struct End {
  std::int64_t rows = 0;
};

}  // namespace stretto::record
