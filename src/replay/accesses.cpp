// SPDX-License-Identifier: BSD-3-Clause
#include "replay/accesses.hpp"

#include "replay/trace_file.hpp"

namespace stretto::replay {
namespace {

using record::Record;

/// Passes the operations of one rank to `use`.
template <typename Use>
void for_each_access(const std::filesystem::path& file, std::uint32_t rank, bool by_ranks, const Use& use) {
  TraceReader reader(file);
  const bool padded = by_ranks && pads_gets(reader);
  std::vector<const OneSidedCall*> calls;
  for (const TracedCall& call : reader.calls()) calls.push_back(one_sided_call(call));
  reader.for_each([&](std::uint32_t thread, const Record& record) {
    const std::uint16_t number = record::high_field(record.begin_and_call);
    if (number < record::first_call) return;
    const OneSidedCall* call = calls[number - record::first_call];
    if (call == nullptr) return;
    const TracedContext* window = reader.context(record::high_field(record.bytes_and_context));
    RemoteAccess access{.origin = rank, .thread = thread};
    if (window == nullptr || !window->window) return;
    if (access_of(*call, record, reader.ranks(), padded, access)) use(access);
  });
}

}  // namespace

Accesses::Accesses(const std::vector<std::filesystem::path>& files, bool by_ranks)
    : first_(files.size() + 1, 0) {
  SpillableColumn<RemoteAccess> by_origin;
  for (std::size_t rank = 0; rank < files.size(); ++rank) {
    for_each_access(files[rank], static_cast<std::uint32_t>(rank), by_ranks, [&](const RemoteAccess& access) {
      if (access.target >= files.size()) return;
      by_origin.push_back(access);
      ++first_[access.target + std::size_t{1}];
    });
  }
  for (std::size_t target = 0; target < files.size(); ++target) first_[target + 1] += first_[target];
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  all_.resize(by_origin.size());
  for (const RemoteAccess& access : by_origin) all_[next[access.target]++] = access;
}

std::span<const RemoteAccess> Accesses::on(std::uint32_t target) const {
  return std::span(all_).subspan(first_[target], first_[target + std::size_t{1}] - first_[target]);
}

bool pads_gets(const TraceReader& reader) { return reader.library().starts_with("Open MPI v5."); }

bool access_of(const OneSidedCall& call, const Record& record, std::uint32_t ranks, bool padded,
               RemoteAccess& access) {
  if (call.access == Access::none && !call.locks) return false;
  if (record.peer < 0 || static_cast<std::uint32_t>(record.peer) >= ranks) return false;
  access.target = static_cast<std::uint32_t>(record.peer);
  const std::uint64_t bytes = record::low_field(record.bytes_and_context);
  const bool asks_with_bytes =
      call.access == Access::put || call.access == Access::both || (call.access == Access::get && padded);
  access.request_bytes = asks_with_bytes ? bytes : 0;
  access.reply_bytes = call.access == Access::get || call.access == Access::both ? bytes : 0;
  return true;
}

}  // namespace stretto::replay
