// SPDX-License-Identifier: BSD-3-Clause
#include "memory/own_code.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <unwind.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace stretto::memory {
namespace {

constexpr int max_frames = 64;

struct Function {
  std::uintptr_t begin;
  std::uintptr_t end;
};

// Symbols are read without libelf: what is preloaded into any program brings no library along.
template <typename T>
std::vector<T> read(std::ifstream& file, std::uint64_t offset, std::uint64_t count) {
  file.seekg(0, std::ios::end);
  const auto size = static_cast<std::uint64_t>(std::max<std::streamoff>(file.tellg(), 0));
  if (offset > size || count > (size - offset) / sizeof(T)) return {};
  std::vector<T> found(count);
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(reinterpret_cast<char*>(found.data()), static_cast<std::streamsize>(count * sizeof(T)));
  return file ? found : std::vector<T>{};
}

/// The functions of the C++ library in a module's file, in ascending order of their addresses there. None
/// where it has no symbols.
std::vector<Function> library_functions(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const auto header = read<ElfW(Ehdr)>(file, 0, 1);
  if (header.empty() || std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0) return {};
  const auto sections = read<ElfW(Shdr)>(file, header[0].e_shoff, header[0].e_shnum);
  std::vector<Function> found;
  for (const auto& section : sections) {
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
    const auto& text = sections[section.sh_link];
    auto names = read<char>(file, text.sh_offset, text.sh_size);
    names.push_back('\0');
    for (const auto& one : read<ElfW(Sym)>(file, section.sh_offset, section.sh_size / sizeof(ElfW(Sym)))) {
      if ((one.st_info & 0xFU) != STT_FUNC || one.st_shndx == SHN_UNDEF || one.st_name >= names.size())
        continue;
      if (is_of_cpp_library(&names[one.st_name])) found.push_back({one.st_value, one.st_value + one.st_size});
    }
  }
  std::ranges::sort(found, {}, &Function::begin);
  return found;
}

/// Library functions of the modules that were requested.
class Modules {
 public:
  /// Whether the call before a return address is in a function of the C++ library.
  bool is_library_code(std::uintptr_t return_address) {
    if (const auto known = known_.find(return_address); known != known_.end()) return known->second;
    const bool found = look_up(return_address);
    if (known_.size() < max_known) known_[return_address] = found;
    return found;
  }

  /// Never waits: the holder may wait for the loader's lock, or have been a thread of a forked parent.
  std::unique_lock<std::mutex> try_lock() { return {mutex_, std::try_to_lock}; }

 private:
  static constexpr std::size_t max_known = 4096;

  bool look_up(std::uintptr_t return_address) {
    const std::uintptr_t call = return_address - 1;
    Dl_info info{};
    link_map* map = nullptr;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address in the program's code
    if (::dladdr1(reinterpret_cast<void*>(call), &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) ==
            0 ||
        map == nullptr) {
      return false;
    }
    const auto [one, is_new] = functions_.try_emplace(map->l_addr);
    if (is_new) one->second = library_functions(map->l_name[0] == '\0' ? "/proc/self/exe" : map->l_name);
    const std::uintptr_t address = call - map->l_addr;
    const auto after = std::ranges::upper_bound(one->second, address, {}, &Function::begin);
    return after != one->second.begin() && address < (after - 1)->end;
  }

  std::mutex mutex_;
  std::unordered_map<std::uintptr_t, bool> known_;             // of return addresses
  std::map<std::uintptr_t, std::vector<Function>> functions_;  // by the module's place in memory
};

Modules& modules() {
  static auto* the_one = new Modules;  // never destroyed, because a program allocates to its end
  return *the_one;
}

struct Walk {
  std::uintptr_t from;
  std::uintptr_t found = 0;
  int frames = 0;
  bool reached = false;  // `from` has been met
};

_Unwind_Reason_Code visit(_Unwind_Context* context, void* data) {
  auto& walk = *static_cast<Walk*>(data);
  const std::uintptr_t pc = _Unwind_GetIP(context);
  if (++walk.frames > max_frames || pc == 0) return _URC_END_OF_STACK;
  walk.reached = walk.reached || pc == walk.from;
  if (!walk.reached || modules().is_library_code(pc)) return _URC_NO_REASON;
  walk.found = pc;
  return _URC_END_OF_STACK;
}

}  // namespace

bool is_of_cpp_library(std::string_view mangled) {
  if (!mangled.starts_with("_Z")) return false;
  std::string_view name = mangled.substr(2);
  // The name of an entity inside a function begins with that of the function.
  while (name.starts_with('Z')) name.remove_prefix(1);
  const bool nested = name.starts_with('N');
  if (nested) name.remove_prefix(1);
  while (nested && !name.empty() && std::string_view("VKRO").find(name[0]) != std::string_view::npos)
    name.remove_prefix(1);  // qualifiers of a member function
  constexpr std::array in_std = {"St", "Sa", "Sb", "Ss", "Si", "So", "Sd"};
  const auto begins = [name](std::string_view prefix) { return name.starts_with(prefix); };
  return std::ranges::any_of(in_std, begins) || begins("9__gnu_cxx");
}

std::uintptr_t own_caller(std::uintptr_t pc) {
  const auto held = modules().try_lock();
  if (!held.owns_lock()) return pc;
  try {
    if (!modules().is_library_code(pc)) return pc;
    Walk walk{pc};
    _Unwind_Backtrace(visit, &walk);
    return walk.found != 0 ? walk.found : pc;
  } catch (const std::exception&) {  // no memory for a table
    return pc;
  }
}

}  // namespace stretto::memory
