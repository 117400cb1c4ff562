// SPDX-License-Identifier: BSD-3-Clause
#include "armci/describe.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <string>
#include <utility>

#include "armci/boundary.hpp"
#include "armci/codes.hpp"
#include "armci/process.hpp"
#include "onesided/api/make_transfer.hpp"
#include "onesided/api/services.hpp"

namespace stretto::armci {

using onesided::Layout;
using onesided::LayoutTransfer;
using onesided::OperationKind;
using onesided::Piece;

namespace {

using Sizes = std::array<std::size_t, ARMCI_MAX_STRIDE_LEVEL + 1>;

void check_addresses(const void* local, const void* remote) {
  if (local == nullptr || remote == nullptr) throw Refused(FAIL, "src or dst is NULL");
}

std::size_t not_negative(int code, const char* name, int value) {
  if (value < 0) throw Refused(code, std::string(name) + ": " + std::to_string(value) + " is negative");
  return static_cast<std::size_t>(value);
}

/// Whether the caller's address is that of the remote memory itself.
bool is_onto_itself(const AddressTable::Found& found, const void* local) {
  const std::byte* const there = found.region.node_local_pointer(found.place.target);
  return there != nullptr && there + found.place.offset == local;
}

/// A put or get of memory onto itself moves nothing, but its arguments must be right. An accumulate does.
OneTransfer unless_onto_itself(LayoutTransfer&& transfer, bool onto_itself) {
  if (!onto_itself || transfer.kind == OperationKind::accumulate) return std::move(transfer);
  onesided::check_range(transfer);
  return std::nullopt;
}

/// The addresses of a vector's segments, as pieces of the region that they are in.
struct Gathered {
  AddressTable::Found found;
  std::vector<Piece> pieces;
  std::vector<Piece> unmoved;  // of a put or get: their source is their destination

  [[nodiscard]] LayoutTransfer transfer(OperationKind kind, std::vector<Piece>&& some) const {
    return {.kind = kind,
            .region = found.region,
            .target = found.place.target,
            .layout = Layout::vector(std::move(some))};
  }
};

void gather(std::vector<Gathered>& all, OperationKind kind, int process, void* local, const void* remote,
            std::size_t bytes) {
  if (local == nullptr || remote == nullptr) throw Refused(FAIL2, "an address of a segment is NULL");
  const AddressTable::Found found = locate(process, remote);
  auto known = std::find_if(all.begin(), all.end(),
                            [&](const Gathered& one) { return &one.found.region == &found.region; });
  if (known == all.end()) {
    all.push_back({.found = found, .pieces = {}, .unmoved = {}});
    known = std::prev(all.end());
  }
  const bool moves = kind == OperationKind::accumulate || !is_onto_itself(found, local);
  (moves ? known->pieces : known->unmoved)
      .push_back({.local = static_cast<std::byte*>(local),
                  .offset = found.place.offset,
                  .size_bytes = bytes,
                  .region = onesided::number_of(found.region)});
}

void check_descriptors(const armci_giov_t* descriptors, int length) {
  if (descriptors == nullptr || length < 1) throw Refused(FAIL, "darr: has no descriptors");
  for (int i = 0; i < length; ++i) {
    const armci_giov_t& one = descriptors[i];
    const std::string name = "darr[" + std::to_string(i) + "]";
    if (one.src_ptr_array == nullptr || one.dst_ptr_array == nullptr) {
      throw Refused(FAIL2, name + ": an array of addresses is NULL");
    }
    const VectorCounts counts = counts_of(one);
    if (counts.bytes < 1) throw Refused(FAIL3, name + ".bytes: must be at least 1");
    if (counts.segments < 1) throw Refused(FAIL4, name + ".ptr_array_len: must be at least 1");
  }
}

}  // namespace

AddressTable::Found locate(int process, const void* address) {
  const auto found = armci::process().addresses.find(process, address);
  if (found) return *found;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%p", address);
  throw Refused(FAIL6, std::string("address ") + text.data() +
                           " is none that ARMCI_Malloc has given for process " + std::to_string(process));
}

OneTransfer contiguous(OperationKind kind, void* local, void* remote, int bytes, int process) {
  check_addresses(local, remote);
  const std::size_t size = not_negative(FAIL3, "bytes", bytes);
  armci::process().check_process(process);
  if (size == 0) return std::nullopt;
  const AddressTable::Found found = locate(process, remote);
  return unless_onto_itself(onesided::make_transfer(kind, found.region, found.place, local, size),
                            is_onto_itself(found, local));
}

OneTransfer strided(OperationKind kind, const StridedMemory& local, const StridedMemory& remote,
                    const int* count, int levels, int process) {
  check_addresses(local.first, remote.first);
  if (levels < 0 || levels > ARMCI_MAX_STRIDE_LEVEL) {
    throw Refused(FAIL4, "stride_levels: " + std::to_string(levels) + " is not between 0 and " +
                             std::to_string(ARMCI_MAX_STRIDE_LEVEL));
  }
  if (count == nullptr) throw Refused(FAIL3, "count is NULL");
  if (levels > 0 && (local.strides == nullptr || remote.strides == nullptr)) {
    throw Refused(FAIL2, "an array of strides is NULL");
  }
  armci::process().check_process(process);
  Sizes counts{};
  Sizes here{};
  Sizes there{};
  const auto depth = static_cast<std::size_t>(levels);
  bool empty = false;
  for (std::size_t level = 0; level <= depth; ++level) {
    counts[level] = not_negative(FAIL3, "count", count[level]);
    empty = empty || counts[level] == 0;
    if (level == depth) break;
    here[level] = not_negative(FAIL2, "a stride", local.strides[level]);
    there[level] = not_negative(FAIL2, "a stride", remote.strides[level]);
  }
  if (empty) return std::nullopt;
  const AddressTable::Found found = locate(process, remote.first);
  return unless_onto_itself(
      onesided::make_transfer(kind, found.region, found.place, local.first,
                              Strided{.counts = {counts.data(), depth + 1},
                                      .local_strides = {here.data(), depth},
                                      .remote_strides = {there.data(), depth}}),
      is_onto_itself(found, local.first) && std::equal(here.begin(), here.end(), there.begin()));
}

std::vector<LayoutTransfer> vector(OperationKind kind, const armci_giov_t* descriptors, int length,
                                   int process) {
  check_descriptors(descriptors, length);
  armci::process().check_process(process);
  std::vector<Gathered> all;
  for (int i = 0; i < length; ++i) {
    const armci_giov_t& one = descriptors[i];
    void* const* local = kind == OperationKind::get ? one.dst_ptr_array : one.src_ptr_array;
    void* const* remote = kind == OperationKind::get ? one.src_ptr_array : one.dst_ptr_array;
    const VectorCounts counts = counts_of(one);
    for (int segment = 0; segment < counts.segments; ++segment) {
      gather(all, kind, process, local[segment], remote[segment], static_cast<std::size_t>(counts.bytes));
    }
  }
  std::vector<LayoutTransfer> transfers;
  transfers.reserve(all.size());
  for (Gathered& one : all) {
    onesided::check_range(one.transfer(kind, std::move(one.unmoved)));
    transfers.push_back(one.transfer(kind, std::move(one.pieces)));
  }
  return transfers;
}

Scale scale_of(int optype, const void* factor) {
  if (factor == nullptr) throw Refused(FAIL, "scale is NULL");
  Scale scale;
  switch (accumulate_code(optype)) {
    case ARMCI_ACC_INT:
      scale.type = element_type<int>();
      break;
    case ARMCI_ACC_LNG:
      scale.type = element_type<long>();
      break;
    case ARMCI_ACC_FLT:
      scale.type = ElementType::float32;
      break;
    case ARMCI_ACC_DBL:
      scale.type = ElementType::float64;
      break;
    case ARMCI_ACC_CPL:
      scale.type = ElementType::complex64;
      break;
    case ARMCI_ACC_DCP:
      scale.type = ElementType::complex128;
      break;
    default:
      throw Refused(FAIL6, "optype: " + std::to_string(optype) + " is none of the ARMCI_ACC_ types");
  }
  std::memcpy(scale.factor.data(), factor, size_of(scale.type));
  return scale;
}

OneTransfer scaled(OneTransfer&& transfer, const Scale& scale) {
  if (transfer) transfer->scale = scale;
  return std::move(transfer);
}

std::vector<LayoutTransfer> scaled(std::vector<LayoutTransfer>&& transfers, const Scale& scale) {
  for (LayoutTransfer& transfer : transfers) transfer.scale = scale;
  return std::move(transfers);
}

}  // namespace stretto::armci
