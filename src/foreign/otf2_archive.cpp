// SPDX-License-Identifier: BSD-3-Clause
#include "foreign/otf2_archive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include "foreign/mapped_file.hpp"
#include "foreign/otf2_definitions.hpp"
#include "foreign/otf2_records.hpp"
#include "foreign/otf2_types.hpp"
#include "record/trace_format.hpp"

namespace stretto::foreign {
namespace {

constexpr std::uint64_t ns_a_second = 1'000'000'000;

/// The name of a function of MPI, without the parentheses of some recorders; empty of any other. What looks
/// at MPI from outside (MPI_T_...) may be called before it begins, and is none.
std::string_view mpi_name(std::string_view name) {
  if (name.ends_with("()")) name.remove_suffix(2);
  return name.starts_with("MPI_") && !name.starts_with("MPI_T_") ? name : std::string_view();
}

}  // namespace

Otf2Archive::Otf2Archive(const std::filesystem::path& anchor) {
  read_anchor(anchor);
  Otf2Definitions all;
  read_definitions(all);
  if (!all.clock) throw Damaged("its clock is not defined");
  std::tie(clock_resolution_, clock_offset_) = *all.clock;
  if (clock_resolution_ == 0) throw Damaged("a clock that does not run");
  number_ranks(all);
  if (ranks_.empty()) throw NoMpi("no MPI process is in it");
  define_regions(all);
  define_comms(all);
}

void Otf2Archive::read_anchor(const std::filesystem::path& anchor) {
  constexpr std::uint8_t ordinary_files = 1;
  constexpr std::uint8_t not_compressed = 1;
  constexpr std::uint64_t min_chunk_bytes = 32;
  const MappedFile file(anchor);
  stem_ = anchor;
  stem_.replace_extension();
  try {
    Otf2Bytes bytes = otf2_chunk(file.bytes());
    if (bytes.text() != "OTF2") throw Damaged("is no anchor file of OTF2");
    for (int left = 5; left > 0; --left) bytes.byte();  // versions: later ones have more behind what follows
    event_chunk_bytes_ = bytes.full<std::uint64_t>();
    definition_chunk_bytes_ = bytes.full<std::uint64_t>();
    if (bytes.byte() != ordinary_files)
      throw Damaged("its files are in SIONlib containers: convert it to POSIX");
    if (bytes.byte() != not_compressed)
      throw Damaged("its files are compressed: write it without compression");
  } catch (const Damaged& error) {
    throw Damaged(fmt::format("{}: {}", anchor.string(), error.what()));
  }
  if (std::min(event_chunk_bytes_, definition_chunk_bytes_) < min_chunk_bytes)
    throw Damaged(anchor.string() + ": chunks without space for a record");
}

void Otf2Archive::read_definitions(Otf2Definitions& all) const {
  std::filesystem::path file = stem_;
  file += ".def";
  Otf2Records records(file, definition_chunk_bytes_, Otf2Content::definitions);
  while (records.next()) {
    try {
      all.take(records.type(), records.body());
    } catch (const Damaged& error) {
      throw records.at_place(error);
    }
  }
}

/// A rank is the index of a process among MPI's locations, or else among the processes.
void Otf2Archive::number_ranks(const Otf2Definitions& all) {
  std::vector<std::uint64_t> processes;
  const auto world = all.worlds.find(otf2::mpi);
  if (world != all.worlds.end()) {
    processes = all.processes_of(*world->second);
  } else {
    for (const Otf2Definitions::LocationGroup& one : all.location_groups) {
      if (one.type == otf2::process) processes.push_back(one.number);
    }
  }
  for (const std::uint64_t process : processes) {
    const auto rank = static_cast<std::int32_t>(process_ranks_.size());
    if (!process_ranks_.emplace(process, rank).second) throw Damaged("two ranks in one process");
  }
  ranks_.resize(processes.size());
  for (const Otf2Definitions::Location& one : all.locations) {
    const std::int32_t rank = rank_of_process(one.group);
    if (rank >= 0) ranks_[static_cast<std::size_t>(rank)].push_back(one.self);
  }
  for (auto& locations : ranks_) std::ranges::sort(locations, {}, &Otf2Location::number);
}

std::int32_t Otf2Archive::rank_of_process(std::uint64_t process) const {
  const auto found = process_ranks_.find(process);
  return found == process_ranks_.end() ? record::no_peer : found->second;
}

void Otf2Archive::define_regions(const Otf2Definitions& all) {
  for (const Otf2Definitions::Region& one : all.regions) {
    const std::string name = all.text(one.name);
    const std::string file = all.text(one.file);
    const std::string base = file.substr(file.rfind('/') + 1);
    Otf2Region region;
    region.place = texts_.add(base.empty() ? name : fmt::format("{} {}:{}", name, base, one.line));
    const std::string_view mpi = mpi_name(name);
    if (!mpi.empty()) region.mpi = functions_.add(std::string(mpi));
    if (!regions_.add(one.number, region))
      throw Damaged(fmt::format("region {} is defined twice", one.number));
  }
}

void Otf2Archive::define_comms(const Otf2Definitions& all) {
  for (const Otf2Definitions::CommOfGroup& one : all.comms) {
    Comm comm{.number = one.number, .is_between_groups = !one.group};
    if (one.group) comm.members = ranks_of_group(all, *one.group);
    if (!comms_.add(one.number, comm))
      throw Damaged(fmt::format("communicator {} is defined twice", one.number));
  }
}

std::span<const std::int32_t> Otf2Archive::ranks_of_group(const Otf2Definitions& all, std::uint32_t number) {
  const std::vector<std::int32_t>* known = group_ranks_.find(number);
  if (known == nullptr) {
    const Otf2Definitions::Group* const group = all.groups.find(number);
    if (group == nullptr) throw Damaged(fmt::format("group {} is not defined", number));
    std::vector<std::int32_t> ranks;
    for (const std::uint64_t process : all.processes_of(*group)) ranks.push_back(rank_of_process(process));
    group_ranks_.add(number, std::move(ranks));
    known = group_ranks_.find(number);
  }
  return *known;
}

const Otf2Region& Otf2Archive::region(std::uint64_t number) const {
  const Otf2Region* const found = regions_.find(number);
  if (found == nullptr) throw Damaged(fmt::format("region {} is not defined", number));
  return *found;
}

const Comm& Otf2Archive::comm(std::uint64_t number) const {
  const Comm* const found = comms_.find(number);
  if (found == nullptr) throw Damaged(fmt::format("communicator {} is not defined", number));
  if (found->is_between_groups)
    throw Damaged("a communicator between two groups, which stretto does not read");
  return *found;
}

std::uint64_t Otf2Archive::ns(std::uint64_t ticks) const {
  __extension__ using Wide = unsigned __int128;
  const std::uint64_t since = ticks - std::min(ticks, clock_offset_);
  const Wide ns = Wide{since} * ns_a_second / clock_resolution_;
  if (ns > record::field_mask) throw Damaged("a time that no record can hold");
  return static_cast<std::uint64_t>(ns);
}

std::filesystem::path Otf2Archive::file_of(const Otf2Location& location, const char* suffix) const {
  return stem_ / (std::to_string(location.number) + suffix);
}

}  // namespace stretto::foreign
