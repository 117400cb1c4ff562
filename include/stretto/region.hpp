// SPDX-License-Identifier: BSD-3-Clause
// Symmetric memory: each rank of a team gives a part, and all of them may address all of it.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <stretto/team.hpp>

namespace stretto {

namespace rma {
struct RegionState;
}  // namespace rma

class Region {
 public:
  /// `size_bytes` of this rank, zeroed, aligned to 64; each rank may give another size, also none.
  /// Collective over the runtime, or the team.
  Region(const Runtime& runtime, std::size_t size_bytes);
  Region(const Team& team, std::size_t size_bytes);
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;
  /// Frees, unless free() has; collective like it. What is pending is an error on stderr and ends the
  /// program. Under an exception nothing collective is done: the memory stays until the program ends.
  ~Region();

  /// Gives the memory back when all that was sent to it has arrived. Collective over the team. When an
  /// operation on it is pending at any rank, throws RegionInUseError on all of them and frees nothing.
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
  /// A rank's part in this process's addresses, or nullptr when its memory is not shared with this rank.
  [[nodiscard]] std::byte* neighbour(int target) const;
  [[nodiscard]] Team team() const;

  /// For the runtime's own use.
  [[nodiscard]] const std::shared_ptr<rma::RegionState>& state() const { return state_; }

 private:
  std::shared_ptr<rma::RegionState> state_;
};

}  // namespace stretto
