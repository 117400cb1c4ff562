// SPDX-License-Identifier: BSD-3-Clause
// How busy others keep the machines of the ranks: before the measurement, while all ranks rest, and during
// it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "measure/team.hpp"
#include "record/sample_file.hpp"

namespace stretto::probe {

class LoadWatch {
 public:
  /// `hosts` is by rank and used at rank 0 only; `file` is null except at rank 0. Collective.
  LoadWatch(measure::Team& team, std::vector<std::string> hosts, record::SampleFile* file);

  /// Lets all ranks rest for a moment and records the load of it. Collective.
  void record_before();

  /// Records the load since the last call. Collective.
  void record_during() { record("during"); }

 private:
  struct Reading {
    bool known = false;
    measure::HostActivity activity;
  };

  void record(const std::string& when);
  [[nodiscard]] std::vector<Reading> read();

  measure::Team& team_;
  std::vector<std::string> hosts_;
  record::SampleFile* file_;
  std::vector<Reading> last_;  // by rank, at rank 0
};

}  // namespace stretto::probe
