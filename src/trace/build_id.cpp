// SPDX-License-Identifier: BSD-3-Clause
#include "trace/build_id.hpp"

#include <elf.h>
#include <link.h>

#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace stretto::trace {
namespace {

constexpr std::size_t max_bytes = 64;

struct Search {
  const std::string& path;
  std::string build_id;
};

std::size_t aligned(std::size_t bytes, std::size_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

/// The build id among the notes of a segment; empty: there is none.
std::string build_id_among(const std::byte* notes, std::size_t bytes, std::size_t alignment) {
  const std::size_t step = alignment == 8 ? 8 : 4;
  for (std::size_t at = 0; bytes - at >= sizeof(ElfW(Nhdr));) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes + at, sizeof note);
    const std::size_t name = at + sizeof note;
    const std::size_t content = aligned(name + note.n_namesz, step);
    if (content > bytes || note.n_descsz > bytes - content) return {};
    const bool is_gnu = note.n_namesz == 4 && std::memcmp(notes + name, "GNU", 4) == 0;
    if (is_gnu && note.n_type == NT_GNU_BUILD_ID && note.n_descsz <= max_bytes)
      return {reinterpret_cast<const char*>(notes + content), note.n_descsz};
    at = aligned(content + note.n_descsz, step);
    if (at >= bytes) return {};
  }
  return {};
}

/// Whether the loader's name of a module, which is empty for the program, is that of the file at `path`.
bool is_at(const char* name, const std::string& path) {
  const char* found = name == nullptr || name[0] == '\0' ? "/proc/self/exe" : name;
  char resolved[PATH_MAX];
  return ::realpath(found, resolved) != nullptr ? path == resolved : path == found;
}

int visit_module(dl_phdr_info* info, std::size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  if (!is_at(info->dlpi_name, search.path)) return 0;
  for (int index = 0; index < info->dlpi_phnum; ++index) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[index];
    if (segment.p_type != PT_NOTE) continue;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): where the loader has mapped the notes
    const auto* notes = reinterpret_cast<const std::byte*>(info->dlpi_addr + segment.p_vaddr);
    search.build_id = build_id_among(notes, segment.p_memsz, segment.p_align);
    if (!search.build_id.empty()) return 1;
  }
  return 1;
}

}  // namespace

std::string build_id_of(const std::string& path) {
  Search search{path, {}};
  ::dl_iterate_phdr(visit_module, &search);
  return search.build_id;
}

}  // namespace stretto::trace
