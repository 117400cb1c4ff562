// SPDX-License-Identifier: BSD-3-Clause
// Symmetric memory: each rank of a team contributes a part, and all of them may access all parts.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <stretto/team.hpp>

namespace stretto {

namespace onesided {
struct Access;
struct RegionState;
}  // namespace onesided

class Region {
 public:
  /// A part of `size_bytes` on this rank, zeroed, aligned to 64 bytes. The sizes of the ranks may differ, and
  /// may be 0. Collective over the runtime, or the team.
  Region(const Runtime& runtime, std::size_t size_bytes);
  Region(const Team& team, std::size_t size_bytes);
  /// Over memory of the program, which must stay until the region is freed. Only this rank addresses it, so
  /// others reach it by messages or MPI_Put, also from the same node. Collective as above; the first of a
  /// runtime must be over the runtime, while no operation is outstanding and no other thread calls it.
  Region(const Runtime& runtime, std::span<std::byte> memory);
  Region(const Team& team, std::span<std::byte> memory);
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;
  /// Calls free() unless the program has; a pending operation is an error on stderr that ends the program.
  /// While an exception unwinds, nothing collective is done: the memory stays until the program ends.
  ~Region();

  /// Frees the memory when all that was sent to it has arrived. Collective over the team. When an operation
  /// on it is pending on any rank, throws RegionInUseError on all of them and frees nothing.
  void free();

  /// This rank's part.
  [[nodiscard]] std::span<std::byte> local() const;
  template <typename T>
  [[nodiscard]] std::span<T> local_as() const {
    return {reinterpret_cast<T*>(local().data()), local().size() / sizeof(T)};
  }

  [[nodiscard]] int rank() const;  ///< in the team
  [[nodiscard]] int size() const;  ///< of the team
  /// Bytes of a rank's part.
  [[nodiscard]] std::size_t size_bytes(int target) const;
  /// A rank's part as this process addresses it, or nullptr when its memory is not node-local. Source:
  /// MPI_Win_shared_query, as shmem_ptr.
  [[nodiscard]] std::byte* node_local_pointer(int target) const;
  [[nodiscard]] Team team() const;

 private:
  friend struct onesided::Access;

  std::shared_ptr<onesided::RegionState> state_;
};

}  // namespace stretto
