// SPDX-License-Identifier: BSD-3-Clause
// An aggregate handle: any mix of puts, or of gets, to one rank, of any shapes and regions, as one message.
//
// It is sent on wait, on test, when a buffer is full, on a fence of its target and on a barrier; each filled
// buffer is one request. Until it is waited for, the sources of puts must not change, and the data of gets is
// undefined. After wait it is empty, and may be used again, also for another target.
#pragma once

#include <memory>
#include <span>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>
#include <stretto/shape.hpp>

namespace stretto {

namespace onesided {
struct Access;
struct AggregateState;
}  // namespace onesided

class Aggregate {
 public:
  explicit Aggregate(Runtime& runtime);
  Aggregate(Aggregate&&) noexcept;
  Aggregate& operator=(Aggregate&&) noexcept;
  /// As a handle's: an aggregate that holds operations must be waited for.
  ~Aggregate();

  // They throw what stretto::put and get throw, and HandleError for puts mixed with gets, for a second target
  // and for a region of another runtime.
  void put(const Region& region, Place place, Source source);
  void put(const Region& region, Place place, const void* source, const Strided& shape);
  void put(const Region& region, int target, std::span<const PutPiece> pieces);
  void get(const Region& region, Place place, Sink sink);
  void get(const Region& region, Place place, void* sink, const Strided& shape);
  void get(const Region& region, int target, std::span<const GetPiece> pieces);

  /// Whether it holds operations that were not waited for.
  [[nodiscard]] bool pending() const;

 private:
  friend struct onesided::Access;

  std::shared_ptr<onesided::AggregateState> state_;
};

}  // namespace stretto
