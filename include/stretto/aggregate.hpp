// SPDX-License-Identifier: BSD-3-Clause
// An aggregate handle: any mix of puts, or of gets, to one rank, of any shapes and regions, as one message.
//
// It goes out on wait, on test, when a buffer is full, on a fence of its target and on a barrier. Until it is
// waited for, sources of puts stay unchanged; a get reads when it goes out. As many requests leave as buffers
// were filled. After wait it is empty, and may be used again, also for another target.
#pragma once

#include <memory>
#include <span>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>
#include <stretto/shape.hpp>

namespace stretto {

namespace rma {
struct AggregateState;
}  // namespace rma

class Aggregate {
 public:
  explicit Aggregate(Runtime& runtime);
  Aggregate(Aggregate&&) noexcept;
  Aggregate& operator=(Aggregate&&) noexcept;
  /// As a handle's: an aggregate with operations must be waited for.
  ~Aggregate();

  // Errors are those of stretto::put and get; besides, HandleError for a get after a put or a put after a
  // get, for another target, and for a region of another runtime.
  void put(const Region& region, Place place, Source source);
  void put(const Region& region, Place place, const void* source, const Strided& shape);
  void put(const Region& region, int target, std::span<const PutPiece> pieces);
  void get(const Region& region, Place place, Sink sink);
  void get(const Region& region, Place place, void* sink, const Strided& shape);
  void get(const Region& region, int target, std::span<const GetPiece> pieces);

  /// Has operations that are not waited for.
  [[nodiscard]] bool pending() const;

  /// For the runtime's own use.
  [[nodiscard]] rma::AggregateState& state() const { return *state_; }

 private:
  std::shared_ptr<rma::AggregateState> state_;
};

}  // namespace stretto
