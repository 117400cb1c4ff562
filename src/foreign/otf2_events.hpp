// SPDX-License-Identifier: BSD-3-Clause
// The events of one rank, those of all its locations in order of time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "foreign/otf2_archive.hpp"
#include "foreign/otf2_records.hpp"

namespace stretto::foreign {

/// An event; its type decides which members are used.
struct Otf2Event {
  std::uint8_t type = 0;
  std::uint64_t time = 0;    ///< in ticks of the archive's clock
  std::size_t location = 0;  ///< index among the rank's
  const Otf2Region* region = nullptr;
  const Comm* comm = nullptr;
  std::uint32_t peer = 0;  ///< a rank of the communicator
  std::uint32_t root = 0;
  std::uint32_t tag = 0;
  std::uint8_t operation = 0;
  std::uint64_t bytes = 0;  ///< of a collective, what is sent
  std::uint64_t received_bytes = 0;
  std::uint64_t request = 0;
  std::uint64_t message = 0;
};

/// The name of an event that concerns MPI; empty: it does not.
[[nodiscard]] std::string_view name_of_mpi_event(std::uint8_t type);

class Otf2Events {
 public:
  /// `archive` must outlive this object. Throws Damaged.
  Otf2Events(const Otf2Archive& archive, const std::vector<Otf2Location>& locations);
  Otf2Events(const Otf2Events&) = delete;
  Otf2Events& operator=(const Otf2Events&) = delete;
  ~Otf2Events();

  /// False: there are no more. Throws Damaged.
  bool next(Otf2Event& event);

 private:
  class Location;
  void queue(std::size_t location);

  std::vector<std::unique_ptr<Location>> locations_;
  std::vector<std::size_t> waiting_;  // a heap of those that have an event
};

}  // namespace stretto::foreign
