// SPDX-License-Identifier: BSD-3-Clause
#include "trace/sites.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdlib>
#include <vector>

#include "trace/build_id.hpp"
#include "trace/not_cancelled.hpp"
#include "trace/stream.hpp"

namespace stretto::trace {
namespace {

constexpr std::size_t max_sites = 65535;
constexpr int max_frames = 24;  // of the recorder, and then of the program
constexpr std::size_t max_callers = 4;

struct Place {
  std::string module;         ///< absolute path, empty: not known
  std::uint64_t address = 0;  ///< address within the module's file
};

Place place_of(void* address) {
  Dl_info info{};
  link_map* map = nullptr;
  if (::dladdr1(address, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0 || map == nullptr) {
    return {"", reinterpret_cast<std::uint64_t>(address)};
  }
  // The program's entry has no name. Libraries may have names relative to the directory in which the program
  // started.
  const char* name = map->l_name[0] == '\0' ? "/proc/self/exe" : map->l_name;
  char path[PATH_MAX];
  if (::realpath(name, path) == nullptr)
    return {name, reinterpret_cast<std::uint64_t>(address) - map->l_addr};
  return {path, reinterpret_cast<std::uint64_t>(address) - map->l_addr};
}

}  // namespace

std::uint16_t Sites::look_up(void* address, Stream& stream) {
  const std::scoped_lock lock(mutex_);
  const std::uint32_t closed = closed_modules();
  const auto found = sites_.find(address);
  if (found != sites_.end() && found->second.closed == closed) return found->second.number;
  const Place place = place_of(address);
  Site site = {module_number(place.module, stream), place.address, closed, 0};
  const bool same =
      found != sites_.end() && found->second.module == site.module && found->second.address == site.address;
  if (same) {
    found->second.closed = closed;
    return found->second.number;
  }
  if (last_number_ >= max_sites) return 0;
  site.number = ++last_number_;
  record::Record record = record::definition_of(record::site, site.number);
  record.tag = site.module;
  record.extra = site.address;
  stream.append(record);
  sites_[address] = site;
  write_callers(address, site.number, stream);
  return site.number;
}

std::pair<std::int32_t, std::uint64_t> Sites::module_of(std::uintptr_t address, Stream& stream) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address in the program's code
  const Place place = place_of(reinterpret_cast<void*>(address));
  if (place.module.empty()) return {-1, place.address};
  const std::scoped_lock lock(mutex_);
  return {module_number(place.module, stream), place.address};
}

void Sites::prepare() {
  std::array<void*, 1> frame{};
  (void)::backtrace(frame.data(), 1);  // loads the library that unwinds, which takes memory
}

std::int32_t Sites::module_number(const std::string& path, Stream& stream) {
  const auto [module, is_new] = modules_.try_emplace(path, static_cast<std::int32_t>(modules_.size()));
  if (is_new) {
    stream.append(record::definition_of(record::module, module->second), path.data(), path.size());
    const NotCancelled not_cancelled;
    const std::string id = path.empty() ? path : build_id_of(path);
    if (!id.empty())
      stream.append(record::definition_of(record::build_id, module->second), id.data(), id.size());
  }
  return module->second;
}

void Sites::write_callers(void* address, std::int32_t number, Stream& stream) {
  std::array<void*, max_frames> frames{};
  const int known = ::backtrace(frames.data(), max_frames);
  const auto end = frames.begin() + known;
  auto frame = std::find(frames.begin(), end, address);
  std::vector<record::Caller> callers;
  for (; frame != end && callers.size() < max_callers; ++frame) {
    if (*frame == address) continue;
    const Place place = place_of(*frame);
    const auto module = static_cast<std::uint64_t>(module_number(place.module, stream));
    callers.push_back({.module = module, .address = place.address});
  }
  if (callers.empty()) return;
  stream.append(record::definition_of(record::callers, number), callers.data(),
                callers.size() * sizeof callers[0]);
}

}  // namespace stretto::trace
