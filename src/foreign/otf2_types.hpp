// SPDX-License-Identifier: BSD-3-Clause
// The numbers of OTF2's records, and of the values that stretto looks at.
#pragma once

#include <cstdint>

namespace stretto::foreign::otf2 {

// In each file.
inline constexpr std::uint8_t end_of_chunk = 0;
inline constexpr std::uint8_t end_of_file = 2;
inline constexpr std::uint8_t time_stamp = 5;  // between events: the time of the next ones
inline constexpr std::uint8_t attributes = 6;  // between events: of the next one

enum Event : std::uint8_t {
  first_event = 10,
  enter = 12,
  leave = 13,
  send = 14,
  isend = 15,
  isend_complete = 16,
  irecv_request = 17,
  recv = 18,
  irecv = 19,
  request_test = 20,
  request_cancelled = 21,
  collective_begin = 22,
  collective_end = 23,
  omp_fork = 24,
  omp_task_create = 28,
  omp_task_switch = 29,
  omp_task_complete = 30,
  rma_win_create = 35,
  rma_collective_begin = 37,
  rma_op_complete_remote = 52,
  nonblocking_request = 85,
  nonblocking_complete = 86,
  probe = 89,
  mrecv = 90,
  imrecv_request = 91,
  imrecv = 92
};

/// Whether an event consists of one number, without its length.
constexpr bool is_one_number(std::uint8_t event) {
  switch (event) {
    case enter:
    case leave:
    case isend_complete:
    case irecv_request:
    case request_test:
    case request_cancelled:
    case omp_fork:
    case omp_task_create:
    case omp_task_switch:
    case omp_task_complete:
      return true;
    default:
      return false;
  }
}

/// Definitions of all locations.
enum Definition : std::uint8_t {
  clock_properties = 5,
  string = 10,
  location_group = 13,
  location = 14,
  region = 15,
  group = 18,
  comm = 22,
  inter_comm = 43
};

/// Definitions of one location.
enum LocalDefinition : std::uint8_t { mapping_table = 5, clock_offset = 6 };

enum Mapping : std::uint8_t { of_regions = 3, of_comms = 6 };

enum GroupType : std::uint8_t {
  locations = 1,
  comm_locations = 4,
  comm_group = 5,
  comm_self = 6,
  comm_location_groups = 7
};
inline constexpr std::uint8_t mpi = 4;      // a paradigm
inline constexpr std::uint8_t process = 1;  // a type of location groups

}  // namespace stretto::foreign::otf2
