// SPDX-License-Identifier: BSD-3-Clause
// What an OTF2 archive says of its processes, functions and communicators: its anchor file and the
// definitions of all locations.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "foreign/by_number.hpp"
#include "foreign/foreign_call.hpp"
#include "foreign/otf2_definitions.hpp"

namespace stretto::foreign {

struct Otf2Region {
  const std::string* place = nullptr;  ///< its name, with file and first line if known
  const Function* mpi = nullptr;       ///< the function of MPI that it is; null: none
};

class Otf2Archive {
 public:
  /// Reads the anchor file and the definitions. Throws Damaged, and NoMpi where no process is a rank.
  explicit Otf2Archive(const std::filesystem::path& anchor);

  /// The locations of each rank, by number.
  [[nodiscard]] const std::vector<std::vector<Otf2Location>>& ranks() const { return ranks_; }
  /// These throw Damaged where there is none of that number.
  [[nodiscard]] const Otf2Region& region(std::uint64_t number) const;
  [[nodiscard]] const Comm& comm(std::uint64_t number) const;
  /// A time since the begin of the run. Throws Damaged.
  [[nodiscard]] std::uint64_t ns(std::uint64_t ticks) const;
  /// A file of a location: `suffix` is `.evt` or `.def`.
  [[nodiscard]] std::filesystem::path file_of(const Otf2Location& location, const char* suffix) const;
  [[nodiscard]] std::uint64_t event_chunk_bytes() const { return event_chunk_bytes_; }
  [[nodiscard]] std::uint64_t definition_chunk_bytes() const { return definition_chunk_bytes_; }

 private:
  void read_anchor(const std::filesystem::path& anchor);
  void read_definitions(Otf2Definitions& all) const;
  void number_ranks(const Otf2Definitions& all);
  void define_regions(const Otf2Definitions& all);
  void define_comms(const Otf2Definitions& all);
  [[nodiscard]] std::span<const std::int32_t> ranks_of_group(const Otf2Definitions& all,
                                                             std::uint32_t number);
  [[nodiscard]] std::int32_t rank_of_process(std::uint64_t process) const;

  std::filesystem::path stem_;  // of all files
  std::uint64_t event_chunk_bytes_ = 0;
  std::uint64_t definition_chunk_bytes_ = 0;
  std::uint64_t clock_offset_ = 0;
  std::uint64_t clock_resolution_ = 0;
  std::unordered_map<std::uint64_t, std::int32_t> process_ranks_;
  std::vector<std::vector<Otf2Location>> ranks_;
  Functions functions_;
  Texts texts_;
  ByNumber<Otf2Region> regions_;
  ByNumber<std::vector<std::int32_t>> group_ranks_;  // of the communicators
  ByNumber<Comm> comms_;
};

}  // namespace stretto::foreign
