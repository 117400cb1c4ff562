// SPDX-License-Identifier: BSD-3-Clause
#include "armci/collective.hpp"

#include <armci/message.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "armci/boundary.hpp"
#include "armci/codes.hpp"
#include "armci/process.hpp"
#include "mpi/check.hpp"
#include "onesided/api/services.hpp"

namespace stretto::armci {

using mpi::check;

namespace {

/// A type of numbers, and its operations outside MPI.
struct Number {
  int type;
  MPI_Datatype mpi_type;
  std::size_t size_bytes;
  bool whole;
  void (*to_absolute)(void* number);
  bool (*less)(const void* a, const void* b);
};

template <typename T>
Number number(int type, MPI_Datatype mpi_type) {
  return {.type = type,
          .mpi_type = mpi_type,
          .size_bytes = sizeof(T),
          .whole = std::is_integral_v<T>,
          .to_absolute = [](void* place) { *static_cast<T*>(place) = std::abs(*static_cast<T*>(place)); },
          .less =
              [](const void* a, const void* b) {
                T first{};
                T second{};
                std::memcpy(&first, a, sizeof first);
                std::memcpy(&second, b, sizeof second);
                return first < second;
              }};
}

Number kind_of(int type) {
  switch (type_code(type)) {
    case ARMCI_INT:
      return number<int>(type, MPI_INT);
    case ARMCI_LONG:
      return number<long>(type, MPI_LONG);
    case ARMCI_LONG_LONG:
      return number<long long>(type, MPI_LONG_LONG);
    case ARMCI_FLOAT:
      return number<float>(type, MPI_FLOAT);
    case ARMCI_DOUBLE:
      return number<double>(type, MPI_DOUBLE);
    default:
      throw Refused(FAIL6, "type: " + std::to_string(type) +
                               " is none of ARMCI_INT, ARMCI_LONG, ARMCI_LONG_LONG, "
                               "ARMCI_FLOAT and ARMCI_DOUBLE");
  }
}

/// As in Fortran, characters after the name do not matter.
bool is(const char* operation, std::string_view name) {
  return operation != nullptr && std::string_view(operation).starts_with(name);
}

struct Reduction {
  MPI_Op operation;
  bool absolute;
};

Reduction reduction_of(const char* name, const Number& kind) {
  if (is(name, "+")) return {MPI_SUM, false};
  if (is(name, "*")) return {MPI_PROD, false};
  if (is(name, "max")) return {MPI_MAX, false};
  if (is(name, "min")) return {MPI_MIN, false};
  if (is(name, "absmax")) return {MPI_MAX, true};
  if (is(name, "absmin")) return {MPI_MIN, true};
  if (kind.whole && (is(name, "&&") || is(name, "land"))) return {MPI_LAND, false};
  if (kind.whole && (is(name, "||") || is(name, "lor"))) return {MPI_LOR, false};
  if (kind.whole && (is(name, "&") || is(name, "band"))) return {MPI_BAND, false};
  if (kind.whole && (is(name, "|") || is(name, "bor") || is(name, "or"))) return {MPI_BOR, false};
  throw Refused(FAIL6,
                std::string("op: \"") + (name == nullptr ? "" : name) +
                    "\" is none of +, *, max, min, absmax, absmin, and of whole numbers &&, ||, & and |");
}

/// A barrier that serves requests, before a collective of MPI that would not.
void enter(MPI_Comm all) {
  const Runtime& runtime = process().runtime;
  if (onesided::serves_requests(runtime)) onesided::barrier(runtime, all);
}

}  // namespace

void check_buffer(const void* buffer, int length, const char* name) {
  if (length < 0) throw Refused(FAIL6, std::string(name) + ": is negative");
  if (buffer == nullptr && length > 0) throw Refused(FAIL6, "the buffer is NULL");
}

std::shared_ptr<Group> default_group() {
  const GroupTable& groups = process().groups;
  return groups.at(groups.default_number());
}

std::shared_ptr<Group> group_in(const ARMCI_Group* group) { return process().groups.at(number_in(group)); }

void broadcast(Group& group, int scope, void* buffer, int length, int root) {
  check_buffer(buffer, length, "len");
  const std::vector<int> members = group.members(scope);
  const auto source = std::lower_bound(members.begin(), members.end(), root);
  if (source == members.end() || *source != root) {
    throw Refused(FAIL6, "root: " + std::to_string(root) + " is none of those who take part");
  }
  MPI_Comm all = group.communicator(scope);
  if (all == MPI_COMM_NULL) return;
  enter(all);
  check(MPI_Bcast(buffer, length, MPI_BYTE, static_cast<int>(source - members.begin()), all), "MPI_Bcast");
}

void reduce(Group& group, int scope, void* numbers, int count, const char* operation, int type) {
  check_buffer(numbers, count, "n");
  const Number kind = kind_of(type);
  const Reduction reduction = reduction_of(operation, kind);
  MPI_Comm all = group.communicator(scope);
  if (all == MPI_COMM_NULL) return;
  if (reduction.absolute) {
    auto* place = static_cast<std::byte*>(numbers);
    for (int i = 0; i < count; ++i, place += kind.size_bytes) kind.to_absolute(place);
  }
  enter(all);
  check(MPI_Allreduce(MPI_IN_PLACE, numbers, count, kind.mpi_type, reduction.operation, all),
        "MPI_Allreduce");
}

void select(Group& group, int scope, void* buffer, int length, const char* operation, int type,
            bool contributes) {
  struct Candidate {
    std::array<std::byte, 8> number;
    int contributes;
  };
  check_buffer(buffer, length, "n");
  const Number kind = kind_of(type);
  const bool least = is(operation, "min");
  if (!least && !is(operation, "max")) throw Refused(FAIL6, "op: must be \"min\" or \"max\"");
  if (static_cast<std::size_t>(length) < kind.size_bytes)
    throw Refused(FAIL6, "n: is less than one number has");
  MPI_Comm all = group.communicator(scope);
  if (all == MPI_COMM_NULL) return;
  Candidate mine{.number = {}, .contributes = contributes ? 1 : 0};
  std::memcpy(mine.number.data(), buffer, kind.size_bytes);
  std::vector<Candidate> candidates(group.members(scope).size());
  enter(all);
  check(MPI_Allgather(&mine, sizeof mine, MPI_BYTE, candidates.data(), sizeof mine, MPI_BYTE, all),
        "MPI_Allgather");
  const Candidate* best = nullptr;
  for (const Candidate& one : candidates) {
    if (one.contributes == 0) continue;
    const bool better = best == nullptr || (least ? kind.less(one.number.data(), best->number.data())
                                                  : kind.less(best->number.data(), one.number.data()));
    if (better) best = &one;
  }
  if (best == nullptr) return;
  check(MPI_Bcast(buffer, length, MPI_BYTE, static_cast<int>(best - candidates.data()), all), "MPI_Bcast");
}

void exchange(Group& group, void* addresses[], int count) {
  const Team& team = group.team();
  if (addresses == nullptr || count != team.size()) {
    throw Refused(FAIL6, "n: must be the number of processes, " + std::to_string(team.size()));
  }
  void* const mine = addresses[team.rank()];
  MPI_Comm all = team.communicator();
  enter(all);
  // NOLINTNEXTLINE(mpi-buffer-deref): the addresses themselves are what is gathered
  check(MPI_Allgather(&mine, sizeof mine, MPI_BYTE, addresses, sizeof mine, MPI_BYTE, all), "MPI_Allgather");
}

}  // namespace stretto::armci
