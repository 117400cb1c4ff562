// SPDX-License-Identifier: BSD-3-Clause
// Datatypes are taken apart with MPI_Type_get_contents, from the outermost constructor to named types.
#include "trace/layout.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <vector>

namespace stretto::trace {
namespace {

constexpr std::size_t max_blocks = std::size_t{1} << 16U;

/// Bytes at an offset from the buffer's address.
struct Piece {
  MPI_Aint offset = 0;
  MPI_Aint bytes = 0;
};

/// The blocks of one element, in the order in which MPI sends them.
struct Element {
  std::vector<Piece> blocks;
  MPI_Aint extent = 0;
  bool complete = true;  ///< false: there are more blocks than are listed, or they are not known
};

struct Extents {
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  MPI_Aint true_lower = 0;
  MPI_Aint true_extent = 0;
  bool known = false;
};

Extents extents_of(MPI_Datatype type) {
  Extents of;
  of.known = PMPI_Type_get_extent(type, &of.lower, &of.extent) == MPI_SUCCESS &&
             PMPI_Type_get_true_extent(type, &of.true_lower, &of.true_extent) == MPI_SUCCESS;
  return of;
}

/// Adds `count` elements from `offset` on.
void repeat(Element& into, const Element& one, MPI_Aint count, MPI_Aint offset) {
  into.complete = into.complete && one.complete;
  for (MPI_Aint i = 0; i < count && into.complete; ++i) {
    for (const Piece& block : one.blocks) {
      const MPI_Aint begin = offset + i * one.extent + block.offset;
      if (!into.blocks.empty() && into.blocks.back().offset + into.blocks.back().bytes == begin) {
        into.blocks.back().bytes += block.bytes;
      } else {
        into.blocks.push_back({begin, block.bytes});
      }
    }
    into.complete = into.blocks.size() <= max_blocks;
  }
}

/// The arguments of the call that made a datatype. Frees the datatypes that MPI returns among them.
class Contents {
 public:
  explicit Contents(MPI_Datatype type) {
#if MPI_VERSION >= 4
    MPI_Count integers = 0;
    MPI_Count addresses = 0;
    MPI_Count counts = 0;
    MPI_Count types = 0;
    // The function without large counts fails for types that were made with them.
    if (PMPI_Type_get_envelope_c(type, &integers, &addresses, &counts, &types, &combiner) != MPI_SUCCESS ||
        counts > 0) {
      combiner = MPI_UNDEFINED;
    }
#else
    int integers = 0;
    int addresses = 0;
    int types = 0;
    if (PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner) != MPI_SUCCESS) {
      combiner = MPI_UNDEFINED;
    }
#endif
    if (combiner == MPI_UNDEFINED || combiner == MPI_COMBINER_NAMED || types == 0) return;
    n.resize(static_cast<std::size_t>(integers));
    a.resize(static_cast<std::size_t>(addresses));
    of.resize(static_cast<std::size_t>(types));
    if (PMPI_Type_get_contents(type, static_cast<int>(integers), static_cast<int>(addresses),
                               static_cast<int>(types), n.data(), a.data(), of.data()) != MPI_SUCCESS) {
      combiner = MPI_UNDEFINED;
      of.clear();
    }
  }
  ~Contents() {
    for (MPI_Datatype& type : of) {
      if (!is_named(type)) PMPI_Type_free(&type);
    }
  }
  Contents(const Contents&) = delete;
  Contents& operator=(const Contents&) = delete;

  int combiner = MPI_UNDEFINED;
  std::vector<int> n;
  std::vector<MPI_Aint> a;
  std::vector<MPI_Datatype> of;

 private:
  static bool is_named(MPI_Datatype type) {
#if MPI_VERSION >= 4
    MPI_Count unused = 0;
    int kind = MPI_COMBINER_NAMED;
    PMPI_Type_get_envelope_c(type, &unused, &unused, &unused, &unused, &kind);
#else
    int unused = 0;
    int kind = MPI_COMBINER_NAMED;
    PMPI_Type_get_envelope(type, &unused, &unused, &unused, &kind);
#endif
    return kind == MPI_COMBINER_NAMED;
  }
};

/// A subarray: the rows of its fastest dimension, one after the other.
void add_subarray(Element& into, const Element& one, const std::vector<int>& n) {
  const auto dimensions = static_cast<std::size_t>(n[0]);
  const auto at = [&](std::size_t list, std::size_t dimension) {
    const bool fortran = n[3 * dimensions + 1] == MPI_ORDER_FORTRAN;
    return static_cast<MPI_Aint>(
        n[1 + list * dimensions + (fortran ? dimension : dimensions - 1 - dimension)]);
  };
  std::vector<MPI_Aint> index(dimensions, 0);
  for (std::size_t dimension = 0; dimension < dimensions; ++dimension) {
    if (at(1, dimension) == 0) return;
  }
  while (into.complete) {
    MPI_Aint place = 0;
    for (std::size_t dimension = dimensions; dimension-- > 0;) {
      place = place * at(0, dimension) + at(2, dimension) + index[dimension];
    }
    repeat(into, one, at(1, 0), place * one.extent);
    std::size_t dimension = 1;
    while (dimension < dimensions && ++index[dimension] == at(1, dimension)) index[dimension++] = 0;
    if (dimension >= dimensions) return;
  }
}

Element element_of(MPI_Datatype type);

/// The blocks that a constructor makes of the type that it was given. False for other constructors.
bool add_constructed(Element& into, const Contents& made) {
  const std::vector<int>& n = made.n;
  const Element one = element_of(made.of[0]);
  const auto count = n.empty() ? std::size_t{0} : static_cast<std::size_t>(n[0]);
  switch (made.combiner) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED:
      repeat(into, one, 1, 0);
      return true;
    case MPI_COMBINER_CONTIGUOUS:
      repeat(into, one, n[0], 0);
      return true;
    case MPI_COMBINER_VECTOR:
      for (std::size_t i = 0; i < count; ++i) {
        repeat(into, one, n[1], static_cast<MPI_Aint>(i) * n[2] * one.extent);
      }
      return true;
    case MPI_COMBINER_HVECTOR:
      for (std::size_t i = 0; i < count; ++i) repeat(into, one, n[1], static_cast<MPI_Aint>(i) * made.a[0]);
      return true;
    case MPI_COMBINER_INDEXED:
      for (std::size_t i = 0; i < count; ++i) repeat(into, one, n[1 + i], n[1 + count + i] * one.extent);
      return true;
    case MPI_COMBINER_HINDEXED:
      for (std::size_t i = 0; i < count; ++i) repeat(into, one, n[1 + i], made.a[i]);
      return true;
    case MPI_COMBINER_INDEXED_BLOCK:
      for (std::size_t i = 0; i < count; ++i) repeat(into, one, n[1], n[2 + i] * one.extent);
      return true;
    case MPI_COMBINER_HINDEXED_BLOCK:
      for (std::size_t i = 0; i < count; ++i) repeat(into, one, n[1], made.a[i]);
      return true;
    case MPI_COMBINER_STRUCT:
      for (std::size_t i = 0; i < count; ++i) repeat(into, element_of(made.of[i]), n[1 + i], made.a[i]);
      return true;
    case MPI_COMBINER_SUBARRAY:
      add_subarray(into, one, n);
      return true;
    default:
      return false;
  }
}

// Of the element that is kept as an attribute of a datatype, which MPI deletes with the datatype: a handle
// alone may name another datatype later.
using KeptElement = std::shared_ptr<const Element>;

std::mutex kept_mutex;

int delete_kept(MPI_Datatype /*type*/, int /*key*/, void* kept, void* /*state*/) {
  delete static_cast<KeptElement*>(kept);
  return MPI_SUCCESS;
}

/// The key of that attribute; MPI_KEYVAL_INVALID where MPI gives none.
int attribute_key() {
  static const int key = [] {
    int made = MPI_KEYVAL_INVALID;
    const int code = PMPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, delete_kept, &made, nullptr);
    return code == MPI_SUCCESS ? made : MPI_KEYVAL_INVALID;
  }();
  return key;
}

/// The element of a datatype, which is taken apart once. To do so at every call takes longer than a message.
KeptElement kept_element(MPI_Datatype datatype) {
  const std::lock_guard lock(kept_mutex);
  void* found = nullptr;
  int is_there = 0;
  const int keyval = attribute_key();
  if (keyval != MPI_KEYVAL_INVALID &&
      PMPI_Type_get_attr(datatype, keyval, static_cast<void*>(&found), &is_there) == MPI_SUCCESS &&
      is_there != 0) {
    return *static_cast<const KeptElement*>(found);
  }
  auto kept = std::make_unique<KeptElement>(std::make_shared<const Element>(element_of(datatype)));
  KeptElement element = *kept;
  if (keyval != MPI_KEYVAL_INVALID && PMPI_Type_set_attr(datatype, keyval, kept.get()) == MPI_SUCCESS)
    (void)kept.release();
  return element;
}

Element element_of(MPI_Datatype type) {
  Element element;
  const Extents extents = extents_of(type);
  element.extent = extents.extent;
  const Contents made(type);
  const bool known = !made.of.empty() && add_constructed(element, made);
  if (known && element.complete) return element;
  element.complete = made.combiner == MPI_COMBINER_NAMED;
  element.blocks.assign(1, {extents.true_lower, extents.true_extent});
  return element;
}

}  // namespace

bool is_dense(MPI_Datatype type) {
  const Extents of = extents_of(type);
  MPI_Count bytes = 0;
  return of.known && PMPI_Type_size_x(type, &bytes) == MPI_SUCCESS && of.lower == 0 && of.true_lower == 0 &&
         of.extent == of.true_extent && static_cast<MPI_Count>(of.extent) == bytes;
}

memory::Range span(const void* buffer, MPI_Count count, MPI_Datatype type) {
  if (buffer == MPI_IN_PLACE || type == MPI_DATATYPE_NULL || count <= 0) return {};
  const Extents of = extents_of(type);
  if (!of.known) return {};
  // The last element lies after the first one, or before it with a negative extent.
  const MPI_Aint last = static_cast<MPI_Aint>(count - 1) * of.extent;
  const auto begin = reinterpret_cast<std::intptr_t>(buffer) + of.true_lower + std::min<MPI_Aint>(last, 0);
  return {static_cast<std::uintptr_t>(begin), static_cast<std::size_t>(std::abs(last) + of.true_extent)};
}

memory::Data data_of(const void* buffer, MPI_Count count, MPI_Datatype type) {
  const memory::Range whole = span(buffer, count, type);
  if (whole.bytes == 0 || is_dense(type)) return buffer == nullptr ? memory::Range{} : whole;
  Element all;
  repeat(all, *kept_element(type), static_cast<MPI_Aint>(count), 0);
  if (!all.complete) return whole;
  memory::Data data;
  for (const Piece& block : all.blocks) {
    data.add({reinterpret_cast<std::uintptr_t>(buffer) + static_cast<std::uintptr_t>(block.offset),
              static_cast<std::size_t>(block.bytes)});
  }
  return data;
}

}  // namespace stretto::trace
