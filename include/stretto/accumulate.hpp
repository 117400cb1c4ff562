// SPDX-License-Identifier: BSD-3-Clause
// target[i] += factor * source[i], atomic for each element (for the two parts of a complex one, each), in all
// shapes. Completion and errors are those of put; besides, the place must be aligned to the element and every
// block be whole elements. Accumulates and atomics on one place may be mixed: no update is lost.
#pragma once

#include <span>
#include <stretto/element.hpp>
#include <stretto/handle.hpp>
#include <stretto/region.hpp>
#include <stretto/shape.hpp>

namespace stretto {

void accumulate(const Region& region, Place place, Source source, const Scale& scale);
void accumulate(const Region& region, Place place, const void* source, const Strided& shape,
                const Scale& scale);
void accumulate(const Region& region, int target, std::span<const PutPiece> pieces, const Scale& scale);

namespace nonblocking {
Handle accumulate(const Region& region, Place place, Source source, const Scale& scale);
Handle accumulate(const Region& region, Place place, const void* source, const Strided& shape,
                  const Scale& scale);
Handle accumulate(const Region& region, int target, std::span<const PutPiece> pieces, const Scale& scale);
}  // namespace nonblocking

namespace implicit {
void accumulate(const Region& region, Place place, Source source, const Scale& scale);
void accumulate(const Region& region, Place place, const void* source, const Strided& shape,
                const Scale& scale);
void accumulate(const Region& region, int target, std::span<const PutPiece> pieces, const Scale& scale);
}  // namespace implicit

}  // namespace stretto
