// SPDX-License-Identifier: BSD-3-Clause
// Teams and regions.
#include <optional>
#include <span>
#include <stretto/region.hpp>
#include <stretto/team.hpp>
#include <string>

#include "bindings/communicators.hpp"
#include "bindings/objects.hpp"
#include "onesided/api/agreement.hpp"

using namespace stretto::bindings;

namespace {

void check_rank(const char* argument, int rank, int size) {
  if (rank < 0 || rank >= size) {
    throw stretto::ArgumentError(argument, std::to_string(rank) + " is none of " + std::to_string(size));
  }
}

std::span<std::byte> memory_of(void* memory, size_t size_bytes) {
  return {static_cast<std::byte*>(given_array(memory, size_bytes, "memory")), size_bytes};
}

int give_team(stretto_team** team, auto&& make) {
  return guarded([&] {
    stretto_team*& result = given(team, "team");
    result = new stretto_team{make()};
  });
}

}  // namespace

extern "C" {

int stretto_team_create(const stretto_runtime* runtime, int count, const int ranks[], stretto_team** team) {
  return give_team(team, [&] {
    if (count < 0) throw stretto::ArgumentError("count", std::to_string(count) + " is less than 0");
    const auto members = static_cast<std::size_t>(count);
    return stretto::Team(runtime_of(runtime), {given_array(ranks, members, "ranks"), members});
  });
}

int stretto_team_world(const stretto_runtime* runtime, stretto_team** team) {
  return give_team(team, [&] { return runtime_of(runtime).world(); });
}

int stretto_team_free(stretto_team** team) {
  return freed(team, "team", [](const stretto_team&) {});
}

int stretto_team_rank(const stretto_team* team) { return team == nullptr ? -1 : team->team.rank(); }

int stretto_team_size(const stretto_team* team) { return team == nullptr ? -1 : team->team.size(); }

int stretto_team_runtime_rank(const stretto_team* team, int member, int* runtime_rank) {
  return give(runtime_rank, "runtime_rank", [&] { return team_of(team).runtime_rank(member); });
}

int stretto_team_rank_of(const stretto_team* team, int runtime_rank, int* rank) {
  return give(rank, "rank", [&] { return team_of(team).team_rank(runtime_rank); });
}

int stretto_team_translate(const stretto_team* team, int member, const stretto_team* other, int* rank) {
  return give(rank, "rank", [&] { return team_of(team).translate(member, given(other, "other").team); });
}

int stretto_team_split(const stretto_team* team, int color, int key, stretto_team** part) {
  return guarded([&] {
    stretto::onesided::agree(team_of(team), [&] { (void)given(part, "part"); });
    const std::optional<stretto::Team> own = team_of(team).split(color, key);
    *part = own ? new stretto_team{*own} : nullptr;
  });
}

int stretto_team_node(const stretto_team* team, int member, int* node) {
  return give(node, "node", [&] {
    check_rank("member", member, team_of(team).size());
    return team_of(team).nodes()[static_cast<std::size_t>(member)];
  });
}

int stretto_team_communicator(const stretto_team* team, MPI_Comm* communicator) {
  return give(communicator, "communicator", [&] { return team_of(team).communicator(); });
}

int stretto_team_communicator_fortran(const stretto_team* team, int* communicator) {
  return give(communicator, "communicator", [&] { return fortran_handle(team_of(team).communicator()); });
}

int stretto_team_barrier(const stretto_team* team) {
  return guarded([&] { team_of(team).barrier(); });
}

int stretto_region_create(const stretto_runtime* runtime, size_t size_bytes, stretto_region** region) {
  return guarded([&] {
    stretto::onesided::agree(runtime_of(runtime), [&] { (void)given(region, "region"); });
    *region = new stretto_region{stretto::Region(runtime->runtime, size_bytes)};
  });
}

int stretto_region_create_on(const stretto_team* team, size_t size_bytes, stretto_region** region) {
  return guarded([&] {
    stretto::onesided::agree(team_of(team), [&] { (void)given(region, "region"); });
    *region = new stretto_region{stretto::Region(team->team, size_bytes)};
  });
}

int stretto_region_create_over(const stretto_runtime* runtime, void* memory, size_t size_bytes,
                               stretto_region** region) {
  return guarded([&] {
    std::span<std::byte> own;
    stretto::onesided::agree(runtime_of(runtime), [&] {
      (void)given(region, "region");
      own = memory_of(memory, size_bytes);
    });
    *region = new stretto_region{stretto::Region(runtime->runtime, own)};
  });
}

int stretto_region_create_over_on(const stretto_team* team, void* memory, size_t size_bytes,
                                  stretto_region** region) {
  return guarded([&] {
    std::span<std::byte> own;
    stretto::onesided::agree(team_of(team), [&] {
      (void)given(region, "region");
      own = memory_of(memory, size_bytes);
    });
    *region = new stretto_region{stretto::Region(team->team, own)};
  });
}

int stretto_region_free(stretto_region** region) {
  return freed(region, "region", [](stretto_region& object) { object.region.free(); });
}

int stretto_region_rank(const stretto_region* region) {
  return region == nullptr ? -1 : region->region.rank();
}

int stretto_region_size(const stretto_region* region) {
  return region == nullptr ? -1 : region->region.size();
}

int stretto_region_local(const stretto_region* region, void** address, size_t* size_bytes) {
  return guarded([&] {
    void*& begin = given(address, "address");
    std::size_t& size = given(size_bytes, "size_bytes");
    const std::span<std::byte> local = region_of(region).local();
    begin = local.data();
    size = local.size();
  });
}

int stretto_region_size_bytes(const stretto_region* region, int target, size_t* size_bytes) {
  return give(size_bytes, "size_bytes", [&] { return region_of(region).size_bytes(target); });
}

int stretto_region_node_local(const stretto_region* region, int target, void** address) {
  return give(address, "address", [&] { return region_of(region).node_local_pointer(target); });
}

int stretto_region_team(const stretto_region* region, stretto_team** team) {
  return give_team(team, [&] { return region_of(region).team(); });
}
}
