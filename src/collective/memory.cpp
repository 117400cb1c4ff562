// SPDX-License-Identifier: BSD-3-Clause
#include "collective/memory.hpp"

#include <algorithm>

#include "mpi/check.hpp"

namespace stretto::collective {

using mpi::check;

Type::Type(MPI_Datatype handle) : handle_(handle) { check(PMPI_Type_commit(&handle_), "MPI_Type_commit"); }

Type::~Type() {
  if (handle_ != MPI_DATATYPE_NULL) PMPI_Type_free(&handle_);
}

Type Type::block(int count, MPI_Datatype element) {
#ifdef STRETTO_SIMGRID
  // SMPI places contiguous elements by their size instead of their extent.
  const MPI_Aint extent = extent_of(element);
  return strided(count, element, extent, count * extent);
#else
  MPI_Datatype made = MPI_DATATYPE_NULL;
  check(PMPI_Type_contiguous(count, element, &made), "MPI_Type_contiguous");
  return Type(made);
#endif
}

Type Type::strided(int count, MPI_Datatype block, MPI_Aint stride_bytes, MPI_Aint extent_bytes) {
  MPI_Datatype spread = MPI_DATATYPE_NULL;
  check(PMPI_Type_create_hvector(count, 1, stride_bytes, block, &spread), "MPI_Type_create_hvector");
  MPI_Datatype made = MPI_DATATYPE_NULL;
  const int code = PMPI_Type_create_resized(spread, 0, extent_bytes, &made);
  PMPI_Type_free(&spread);
  check(code, "MPI_Type_create_resized");
  return Type(made);
}

Type Type::indexed(int count, const int* lengths, const MPI_Aint* places_bytes, MPI_Datatype element) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  check(PMPI_Type_create_hindexed(count, lengths, places_bytes, element, &made), "MPI_Type_create_hindexed");
  return Type(made);
}

MPI_Aint extent_of(MPI_Datatype type) {
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  check(PMPI_Type_get_extent(type, &lower, &extent), "MPI_Type_get_extent");
  return extent;
}

std::size_t size_of(long long count, MPI_Datatype type) {
  MPI_Count size = 0;  // a type may have more bytes than int can say
#if MPI_VERSION >= 4
  check(PMPI_Type_size_c(type, &size), "MPI_Type_size_c");
#else
  check(PMPI_Type_size_x(type, &size), "MPI_Type_size_x");
#endif
  return static_cast<std::size_t>(count) * static_cast<std::size_t>(size);
}

Elements::Elements(long long count, MPI_Datatype type) {
  if (count < 1) return;
  MPI_Aint true_lower = 0;
  MPI_Aint true_extent = 0;
  check(PMPI_Type_get_true_extent(type, &true_lower, &true_extent), "MPI_Type_get_true_extent");
  const MPI_Aint last = (count - 1) * extent_of(type);  // an extent may be negative
  const MPI_Aint lowest = std::min<MPI_Aint>(0, last) + true_lower;
  const MPI_Aint highest = std::max<MPI_Aint>(0, last) + true_lower + true_extent;
  bytes_ = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(highest - lowest));
  begin_ = bytes_.get() - lowest;
}

void copy(const void* from, int from_count, MPI_Datatype from_type, void* to, int to_count,
          MPI_Datatype to_type, MPI_Comm own) {
  constexpr int copy_tag = 1;  // the phases' messages have 0
  int rank = 0;
  check(PMPI_Comm_rank(own, &rank), "MPI_Comm_rank");
  check(PMPI_Sendrecv(from, from_count, from_type, rank, copy_tag, to, to_count, to_type, rank, copy_tag, own,
                      MPI_STATUS_IGNORE),
        "MPI_Sendrecv");
}

namespace {

/// Whether the type is predefined. A derived type may order its elements in any way, so only a predefined
/// type is certain to be contiguous in order.
bool is_predefined(MPI_Datatype type) {
  int integers = 0;
  int addresses = 0;
  int types = 0;
  int combiner = 0;
  check(PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner), "MPI_Type_get_envelope");
  return combiner == MPI_COMBINER_NAMED;
}

bool is_dense(MPI_Datatype type) {
  if (!is_predefined(type)) return false;
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  check(PMPI_Type_get_true_extent(type, &lower, &extent), "MPI_Type_get_true_extent");
  return lower == 0 && extent == extent_of(type) && static_cast<std::size_t>(extent) == size_of(1, type);
}

}  // namespace

// MPI_Pack copies raw bytes between like processes in every MPI that stretto supports. So a rank that packs
// and a rank that does not can communicate.
Bytes::Bytes(void* buffer, int count, MPI_Datatype type)
    : buffer_(buffer), count_(count), type_(type), size_(size_of(count, type)) {
  if (!is_dense(type)) packed_ = std::make_unique_for_overwrite<std::byte[]>(size_);
  bytes_ = packed_ ? packed_.get() : static_cast<std::byte*>(buffer);
}

void Bytes::pack() {
  if (!packed_) return;
  int position = 0;
  check(PMPI_Pack(buffer_, count_, type_, bytes_, static_cast<int>(size_), &position, MPI_COMM_SELF),
        "MPI_Pack");
}

void Bytes::unpack() {
  if (!packed_) return;
  int position = 0;
  check(PMPI_Unpack(bytes_, static_cast<int>(size_), &position, buffer_, count_, type_, MPI_COMM_SELF),
        "MPI_Unpack");
}

}  // namespace stretto::collective
