// SPDX-License-Identifier: BSD-3-Clause
#include "foreign/otf2_definitions.hpp"

#include <fmt/format.h>

#include "foreign/otf2_types.hpp"

namespace stretto::foreign {
namespace {

using Group = Otf2Definitions::Group;

/// Groups had one number for type and paradigm before version 1.2.
void set_type_before_1_2(Group& group, std::uint8_t type) {
  constexpr std::uint8_t mpi_group = 4;
  constexpr std::uint8_t mpi_self = 5;
  constexpr std::uint8_t mpi_locations = 6;
  group.type = type;
  if (type < mpi_group) return;
  group.paradigm = otf2::mpi;
  if (type == mpi_group) group.type = otf2::comm_group;
  if (type == mpi_self) group.type = otf2::comm_self;
  if (type == mpi_locations) group.type = otf2::comm_locations;
}

Group group_from(Otf2Bytes& body) {
  Group group;
  body.number32();  // its name
  const std::uint8_t type = body.byte();
  for (std::uint32_t left = body.number32(); left > 0; --left) group.members.push_back(body.number());
  if (body.left() == 0) {
    set_type_before_1_2(group, type);
  } else {
    group.type = body.byte();
    group.paradigm = body.byte();
  }
  return group;
}

}  // namespace

void Otf2Definitions::take(std::uint8_t type, Otf2Bytes& body) {
  if (type == otf2::clock_properties) {
    const std::uint64_t resolution = body.number();
    clock = {resolution, body.number()};
    return;
  }
  bool is_new = true;
  const std::uint64_t self = type == otf2::location ? body.number() : 0;
  const auto number = [&] { return body.number32(); };
  switch (type) {
    case otf2::string: {
      const std::uint32_t own = number();
      is_new = texts.add(own, std::string(body.text()));
      break;
    }
    case otf2::location_group: {
      const std::uint32_t own = number();
      number();  // its name
      location_groups.push_back({own, body.byte()});
      break;
    }
    case otf2::location: {
      number();     // its name
      body.byte();  // its type
      const std::uint64_t events = body.number();
      const std::uint32_t of = number();
      locations.push_back({{self, events}, of});
      is_new = location_processes.add(self, of);
      break;
    }
    case otf2::region: {
      Region one;
      one.number = number();
      one.name = number();
      number();     // its description
      body.byte();  // its role
      one.file = number();
      one.line = number();
      regions.push_back(one);
      break;
    }
    case otf2::group: {
      const std::uint32_t own = number();
      is_new = groups.add(own, group_from(body));
      const Group* const added = groups.find(own);
      if (added->type == otf2::comm_locations || added->type == otf2::comm_location_groups)
        worlds.emplace(added->paradigm, added);
      break;
    }
    case otf2::comm: {
      const std::uint32_t own = number();
      number();  // its name
      comms.push_back({own, number()});
      break;
    }
    case otf2::inter_comm:
      comms.push_back({number(), {}});
      break;
    default:
      break;
  }
  if (!is_new) throw Damaged("a number is defined twice");
}

std::string Otf2Definitions::text(std::uint32_t number) const {
  if (number == undefined32) return {};
  const std::string* const found = texts.find(number);
  if (found == nullptr) throw Damaged(fmt::format("text {} is not defined", number));
  return *found;
}

std::uint64_t Otf2Definitions::process_of(std::uint64_t location) const {
  const std::uint32_t* const found = location_processes.find(location);
  if (found == nullptr) throw Damaged(fmt::format("location {} is not defined", location));
  return *found;
}

std::vector<std::uint64_t> Otf2Definitions::processes_of(const Group& group) const {
  std::vector<std::uint64_t> result;
  switch (group.type) {
    case otf2::comm_self:
      break;
    case otf2::locations:
    case otf2::comm_locations:
      for (const std::uint64_t location : group.members) result.push_back(process_of(location));
      break;
    case otf2::comm_location_groups:
      result = group.members;
      break;
    case otf2::comm_group: {
      const auto found = worlds.find(group.paradigm);
      if (found == worlds.end()) throw Damaged("a group of ranks without a group of all");
      const Group& world = *found->second;
      for (const std::uint64_t rank : group.members) {
        if (rank >= world.members.size())
          throw Damaged(fmt::format("a group with rank {} of {}", rank, world.members.size()));
        const std::uint64_t member = world.members[rank];
        result.push_back(world.type == otf2::comm_locations ? process_of(member) : member);
      }
      break;
    }
    default:
      throw Damaged(fmt::format("a communicator of a group of type {}", group.type));
  }
  return result;
}

}  // namespace stretto::foreign
