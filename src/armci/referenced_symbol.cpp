// SPDX-License-Identifier: BSD-3-Clause
#include "armci/referenced_symbol.hpp"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace stretto::armci {
namespace {

// NOLINTBEGIN(performance-no-int-to-ptr): the tables hold addresses as integers

/// The dynamic section's tables that lead from relocations to names.
struct Tables {
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
  std::uintptr_t relocations[2] = {0, 0};  // of calls, and of addresses
  std::size_t sizes[2] = {0, 0};
};

/// glibc has added the base to these addresses; other loaders have not.
std::uintptr_t absolute(std::uintptr_t base, std::uintptr_t address) {
  return address < base ? base + address : address;
}

Tables tables_of(std::uintptr_t base, const ElfW(Dyn) * entry) {
  Tables tables;
  for (; entry->d_tag != DT_NULL; ++entry) {
    const auto address = absolute(base, entry->d_un.d_ptr);
    switch (entry->d_tag) {
      case DT_SYMTAB:
        tables.symbols = reinterpret_cast<const ElfW(Sym)*>(address);
        break;
      case DT_STRTAB:
        tables.names = reinterpret_cast<const char*>(address);
        break;
      case DT_JMPREL:
        tables.relocations[0] = address;
        break;
      case DT_PLTRELSZ:
        tables.sizes[0] = entry->d_un.d_val;
        break;
      case DT_RELA:
        tables.relocations[1] = address;
        break;
      case DT_RELASZ:
        tables.sizes[1] = entry->d_un.d_val;
        break;
      default:
        break;
    }
  }
  return tables;
}

bool refers_to(const Tables& tables, const char* name) {
  if (tables.symbols == nullptr || tables.names == nullptr) return false;
  for (int table = 0; table < 2; ++table) {
    const auto* const first = reinterpret_cast<const ElfW(Rela)*>(tables.relocations[table]);
    if (first == nullptr) continue;
    const bool found =
        std::any_of(first, first + tables.sizes[table] / sizeof *first, [&](const ElfW(Rela) & one) {
          const ElfW(Sym)& symbol = tables.symbols[ELF64_R_SYM(one.r_info)];
          return symbol.st_shndx == SHN_UNDEF && std::strcmp(tables.names + symbol.st_name, name) == 0;
        });
    if (found) return true;
  }
  return false;
}

struct Search {
  const char* name;
  std::string object;
};

int visit(dl_phdr_info* object, std::size_t /*size*/, void* argument) {
  auto& search = *static_cast<Search*>(argument);
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = object->dlpi_phdr[i];
    if (header.p_type != PT_DYNAMIC) continue;
    const auto* const dynamic = reinterpret_cast<const ElfW(Dyn)*>(object->dlpi_addr + header.p_vaddr);
    if (!refers_to(tables_of(object->dlpi_addr, dynamic), search.name)) continue;
    search.object = object->dlpi_name[0] == '\0' ? "the program" : object->dlpi_name;
    return 1;
  }
  return 0;
}

// NOLINTEND(performance-no-int-to-ptr)

}  // namespace

std::string object_that_references(const char* name) {
  Search search{.name = name, .object = {}};
  dl_iterate_phdr(visit, &search);
  return search.object;
}

}  // namespace stretto::armci
