// SPDX-License-Identifier: BSD-3-Clause
// Memory for elements of any datatype, datatypes that are freed with their owner, and copies between layouts.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <utility>

namespace stretto::collective {

/// A derived datatype of our own: committed, freed at the end.
class Type {
 public:
  /// `count` elements one behind the other: a block, of which any number may follow each other.
  static Type block(int count, MPI_Datatype element);
  /// `count` blocks of type `block`, `stride_bytes` from one to the next; the next such element begins
  /// `extent_bytes` behind.
  static Type strided(int count, MPI_Datatype block, MPI_Aint stride_bytes, MPI_Aint extent_bytes);
  /// MPI_Type_indexed.
  static Type indexed(int count, const int* lengths, const int* displacements, MPI_Datatype element);

  Type(Type&& other) noexcept : handle_(std::exchange(other.handle_, MPI_DATATYPE_NULL)) {}
  Type& operator=(Type&&) = delete;
  ~Type();

  [[nodiscard]] MPI_Datatype get() const { return handle_; }

 private:
  explicit Type(MPI_Datatype handle);

  MPI_Datatype handle_;
};

[[nodiscard]] MPI_Aint extent_of(MPI_Datatype type);

/// Bytes of data in `count` elements.
[[nodiscard]] std::size_t size_of(long long count, MPI_Datatype type);

/// Memory for `count` elements. A type's data may lie before or behind the address that MPI is given.
class Elements {
 public:
  Elements(long long count, MPI_Datatype type);

  [[nodiscard]] void* get() const { return begin_; }

 private:
  std::unique_ptr<std::byte[]> bytes_;
  void* begin_ = nullptr;
};

/// `bytes` behind `address`.
[[nodiscard]] inline void* behind(void* address, MPI_Aint bytes) {
  return static_cast<std::byte*>(address) + bytes;
}
[[nodiscard]] inline const void* behind(const void* address, MPI_Aint bytes) {
  return static_cast<const std::byte*>(address) + bytes;
}

/// The same data from one layout into another, within this process.
void copy(const void* from, int from_count, MPI_Datatype from_type, void* to, int to_count,
          MPI_Datatype to_type);

/// The data of `count` elements as contiguous bytes: their own memory where that is contiguous, else a copy.
class Bytes {
 public:
  Bytes(void* buffer, int count, MPI_Datatype type);

  [[nodiscard]] std::byte* get() const { return bytes_; }
  [[nodiscard]] std::size_t size() const { return size_; }

  void pack();    ///< from the elements
  void unpack();  ///< into the elements

 private:
  void* buffer_;
  int count_;
  MPI_Datatype type_;
  std::size_t size_;
  std::unique_ptr<std::byte[]> packed_;  ///< null where the elements are contiguous
  std::byte* bytes_;
};

}  // namespace stretto::collective
