// SPDX-License-Identifier: BSD-3-Clause
// Memory for elements of any datatype, owned datatypes, and copies between layouts.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <utility>

namespace stretto::collective {

/// An owned derived datatype: committed, and freed at the end of its lifetime.
class Type {
 public:
  /// A block of `count` contiguous elements. Consecutive blocks are contiguous, too.
  static Type block(int count, MPI_Datatype element);
  /// `count` blocks of type `block` with a stride of `stride_bytes`. The type has an extent of
  /// `extent_bytes`.
  static Type strided(int count, MPI_Datatype block, MPI_Aint stride_bytes, MPI_Aint extent_bytes);
  /// MPI_Type_create_hindexed: blocks of `lengths` elements, each at its place in bytes.
  static Type indexed(int count, const int* lengths, const MPI_Aint* places_bytes, MPI_Datatype element);

  Type(Type&& other) noexcept : handle_(std::exchange(other.handle_, MPI_DATATYPE_NULL)) {}
  Type& operator=(Type&&) = delete;
  ~Type();

  [[nodiscard]] MPI_Datatype get() const { return handle_; }

 private:
  explicit Type(MPI_Datatype handle);

  MPI_Datatype handle_;
};

[[nodiscard]] MPI_Aint extent_of(MPI_Datatype type);

/// Size in bytes of the data in `count` elements.
[[nodiscard]] std::size_t size_of(long long count, MPI_Datatype type);

/// Memory for `count` elements. A type's data may lie before or after the address that is passed to MPI.
class Elements {
 public:
  Elements(long long count, MPI_Datatype type);

  [[nodiscard]] void* get() const { return begin_; }

 private:
  std::unique_ptr<std::byte[]> bytes_;
  void* begin_ = nullptr;
};

/// The address `bytes` after `address`.
[[nodiscard]] inline void* offset_by(void* address, MPI_Aint bytes) {
  return static_cast<std::byte*>(address) + bytes;
}
[[nodiscard]] inline const void* offset_by(const void* address, MPI_Aint bytes) {
  return static_cast<const std::byte*>(address) + bytes;
}

/// Copies data from one layout to another, within this process: by a message to itself in a communicator that
/// stretto owns, where no receive of the application can match it.
void copy(const void* from, int from_count, MPI_Datatype from_type, void* to, int to_count,
          MPI_Datatype to_type, MPI_Comm own);

/// The data of `count` elements as contiguous bytes: in place if the elements are contiguous, else in a copy.
class Bytes {
 public:
  Bytes(void* buffer, int count, MPI_Datatype type);

  [[nodiscard]] std::byte* get() const { return bytes_; }
  [[nodiscard]] std::size_t size() const { return size_; }

  void pack();    ///< copies the elements to the bytes
  void unpack();  ///< copies the bytes to the elements

 private:
  void* buffer_;
  int count_;
  MPI_Datatype type_;
  std::size_t size_;
  std::unique_ptr<std::byte[]> packed_;  ///< null where the elements are contiguous
  std::byte* bytes_;
};

}  // namespace stretto::collective
