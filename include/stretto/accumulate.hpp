// SPDX-License-Identifier: BSD-3-Clause
// target[i] += factor * source[i], in all shapes. Each element is updated atomically, the two parts of a
// complex one separately. Completion and errors are those of put. Every block must also consist of whole
// elements. Accumulates and atomics on one place may be mixed: no update is lost. Elements that are not
// aligned are slower, because a lock protects them.
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
