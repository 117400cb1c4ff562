// SPDX-License-Identifier: BSD-3-Clause
// The definitions of an OTF2 archive for all its locations, as its records have them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "foreign/by_number.hpp"
#include "foreign/otf2_bytes.hpp"

namespace stretto::foreign {

struct Otf2Location {
  std::uint64_t number = 0;
  std::uint64_t events = 0;
};

struct Otf2Definitions {
  struct LocationGroup {
    std::uint32_t number = 0;
    std::uint8_t type = 0;
  };

  struct Location {
    Otf2Location self;
    std::uint32_t group = 0;
  };

  struct Region {
    std::uint32_t number = 0;
    std::uint32_t name = 0;
    std::uint32_t file = 0;
    std::uint32_t line = 0;
  };

  struct Group {
    std::uint8_t type = 0;
    std::uint8_t paradigm = 0;
    std::vector<std::uint64_t> members;
  };

  struct CommOfGroup {
    std::uint32_t number = 0;
    std::optional<std::uint32_t> group;  // none: it is between two
  };

  std::optional<std::pair<std::uint64_t, std::uint64_t>> clock;  // resolution and offset
  ByNumber<std::string> texts;
  std::vector<LocationGroup> location_groups;
  std::vector<Location> locations;
  ByNumber<std::uint32_t> location_processes;
  std::vector<Region> regions;
  ByNumber<Group> groups;
  std::map<std::uint8_t, const Group*> worlds;  // the group of all ranks, by paradigm
  std::vector<CommOfGroup> comms;

  /// Stores a record, unless stretto has no use for it. Throws Damaged, as the others.
  void take(std::uint8_t type, Otf2Bytes& body);
  /// The text of this number; of the undefined number, none.
  [[nodiscard]] std::string text(std::uint32_t number) const;
  /// The processes of a group's members; of a group that stands for each process alone, none.
  [[nodiscard]] std::vector<std::uint64_t> processes_of(const Group& group) const;

 private:
  [[nodiscard]] std::uint64_t process_of(std::uint64_t location) const;
};

}  // namespace stretto::foreign
