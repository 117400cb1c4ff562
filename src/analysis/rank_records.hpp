// SPDX-License-Identifier: BSD-3-Clause
// Walks through the records of a rank, and says from when on the ones that are left begin.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <vector>

#include "analysis/event.hpp"
#include "replay/trace_file.hpp"

namespace stretto::analysis {

/// The traits of calls by number, which ranks with the same calls share.
using SharedTraits = std::shared_ptr<const std::vector<CallTraits>>;

class RankRecords {
 public:
  /// Reads `most` records at a time. `shared`: the traits of another rank, or null. Throws TraceError.
  RankRecords(const std::filesystem::path& file, std::size_t most, bool keeps_open,
              const SharedTraits& shared);

  [[nodiscard]] const replay::TraceReader& reader() const { return reader_; }
  [[nodiscard]] const SharedTraits& traits() const { return traits_; }
  [[nodiscard]] std::uint32_t thread() const { return piece_.thread; }
  [[nodiscard]] bool at_end() const { return at_end_; }
  /// The next record; there is one.
  [[nodiscard]] const record::Record& next() const { return piece_.records[at_]; }
  /// No call that is left begins before; infinite at the end.
  [[nodiscard]] double next_s() const { return next_s_; }
  /// Goes to the next record. Throws TraceError.
  void advance();

 private:
  void read();
  void look();

  replay::TraceReader reader_;
  std::size_t max_;
  bool keeps_open_;
  SharedTraits traits_;
  replay::TracePiece piece_;
  std::size_t at_ = 0;
  bool at_end_ = false;
  double next_s_ = 0;
};

}  // namespace stretto::analysis
