// SPDX-License-Identifier: BSD-3-Clause
#include "foreign/call_writer.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "foreign/damaged.hpp"
#include "record/rank_runs.hpp"

namespace stretto::foreign {
namespace {

using record::Record;

constexpr std::uint64_t text_space = (std::uint64_t{1} << 16U) - sizeof(record::TraceHeader);
constexpr std::size_t max_calls = (std::size_t{1} << 16U) - record::first_call - 1;
constexpr std::size_t max_sites = max_calls;

record::TraceHeader header_of(std::int32_t rank, std::size_t ranks) {
  record::TraceHeader header;
  header.rank = static_cast<std::uint32_t>(rank);
  header.ranks = static_cast<std::uint32_t>(ranks);
  return header;
}

/// Throws Damaged unless the value is at most `most`.
template <typename Integer>
Integer checked(std::uint64_t value, std::uint64_t most, const char* what) {
  if (value > most) throw Damaged(fmt::format("{} that no record can hold", what));
  return static_cast<Integer>(value);
}

std::uint32_t request_from(std::uint64_t number) {
  return checked<std::uint32_t>(number, std::numeric_limits<std::uint32_t>::max(), "a request");
}

}  // namespace

void allow_open_files(std::size_t ranks) {
  constexpr std::size_t others = 64;
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur >= ranks + others) return;
  if (limit.rlim_max < ranks + others)
    throw Damaged(fmt::format("{} ranks, and a process may open {} files here", ranks, limit.rlim_max));
  limit.rlim_cur = ranks + others;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

CallWriter::CallWriter(const std::filesystem::path& directory, std::int32_t rank, std::size_t ranks,
                       LeftOut& left_out)
    : rank_(rank),
      left_out_(left_out),
      out_(directory / fmt::format("rank-{:06}.trace", rank), header_of(rank, ranks), text_space) {}

void CallWriter::add(std::uint32_t thread, const Call& call, std::uint64_t end_ns) {
  const Function& function = *call.function;
  if (!has_begun_ && function.precedes_run) return;
  if (!has_begun_ && !function.begins_run) {
    // MPI_Init was filtered out, so the rank's time begins after it.
    records_.clear();
    static const std::string init = "MPI_Init";
    add_record(number_of_call(init, "plain"), call.begin_ns);
    out_.append(thread, records_.front());
  }
  has_begun_ = true;
  records_.clear();
  const std::string_view kind = make_records(thread, call);
  const std::uint16_t site = site_of(thread, call.place != nullptr ? *call.place : function.unknown_caller);
  const std::uint64_t duration = end_ns - std::min(end_ns, call.begin_ns);
  records_.front().begin_and_call = record::pack_field(call.begin_ns, number_of_call(function.name, kind));
  records_.front().duration_and_site = record::pack_field(duration, site);
  end_ns_ = std::max(end_ns_, record::end_ns(records_.front()));
  for (const Record& one : records_) out_.append(thread, one);
}

std::string_view CallWriter::make_records(std::uint32_t thread, const Call& call) {
  constexpr std::array<const char*, 3> with_request{"isend", "irecv", "icollective"};
  const Function& function = *call.function;
  // The call itself comes first; its number, duration and site follow.
  const auto only = [&](const Transfer& one) -> Record& {
    return add_transfer(thread, one, 0, call.begin_ns);
  };
  std::array<const Transfer*, 3> done{};
  for (const Transfer& one : call.done) {
    done[static_cast<std::size_t>(one.moved)] = &one;
    context_of(thread, *one.comm);
  }
  const auto [sent, received, by_all] = done;
  if (call.started.size() > 1 || (!call.started.empty() && function.starts_requests)) {
    add_record(0, call.begin_ns).count = request_from(call.started.size());
    for (const Requested& one : call.started) {
      Record& started = add_transfer(thread, one.transfer, record::started, call.begin_ns);
      started.request = request_from(one.request);
      started.count = static_cast<std::uint32_t>(one.transfer.moved);
    }
    return "startall";
  }
  if (!call.started.empty()) {
    const Requested& one = call.started.front();
    only(one.transfer).request = request_from(one.request);
    return with_request[static_cast<std::size_t>(one.transfer.moved)];
  }
  if (call.probed) {
    Record& probed = only(call.probed->transfer);
    probed.request = request_from(call.probed->request);
    probed.count = 1;
    return function.probes;
  }
  if (call.taken) {
    only(call.taken->transfer).request = request_from(call.taken->request);
    return function.name == "MPI_Imrecv" ? "imrecv" : "mrecv";
  }
  if (by_all != nullptr) {
    only(*by_all);
    return function.makes_comm ? "new_comm" : "collective";
  }
  if (sent != nullptr) {
    only(*sent);
    if (received == nullptr) return "send";
    add_transfer(thread, *received, record::receive_half, call.begin_ns);
    return "sendrecv";
  }
  if (received != nullptr) {
    only(*received);
    return "recv";
  }
  return make_completions(call);
}

std::string_view CallWriter::make_completions(const Call& call) {
  const Function& function = *call.function;
  Record& own = add_record(0, call.begin_ns);
  if (!call.completed.empty() || !call.cancelled.empty() || function.completes) {
    own.count = request_from(call.completed.size() + call.cancelled.size());
    for (const std::uint64_t request : call.completed)
      add_record(record::completion, call.begin_ns).request = request_from(request);
    for (const std::uint64_t request : call.cancelled) {
      Record& over = add_record(record::completion, call.begin_ns);
      over.request = request_from(request);
      over.count = record::cancelled;
    }
    return "wait";
  }
  if (function.receives_probed) ++left_out_[function.name + " without its message"];
  return function.communicates ? "without_message" : "plain";
}

Record& CallWriter::add_record(std::uint16_t special, std::uint64_t begin_ns) {
  Record& record = records_.emplace_back();
  record.begin_and_call = record::pack_field(begin_ns, special);
  record.bytes_and_context = record::pack_field(0, record::no_context);
  record.peer = record::no_peer;
  end_ns_ = std::max(end_ns_, begin_ns);
  return record;
}

Record& CallWriter::add_transfer(std::uint32_t thread, const Transfer& one, std::uint16_t special,
                                 std::uint64_t begin_ns) {
  const std::uint16_t context = context_of(thread, *one.comm);
  Record& record = add_record(special, begin_ns);
  record.bytes_and_context =
      record::pack_field(checked<std::uint64_t>(one.bytes, record::field_mask, "a size"), context);
  record.peer = one.peer;
  record.tag = static_cast<std::int32_t>(one.tag);
  if (record.tag != one.tag) throw Damaged("a tag that no record can hold");
  record.extra = one.extra;
  return record;
}

std::uint16_t CallWriter::number_of_call(const std::string& name, std::string_view kind) {
  const auto [place, is_new] = call_numbers_.try_emplace(
      {&name, kind}, static_cast<std::uint16_t>(record::first_call + calls_.size()));
  if (!is_new) return place->second;
  // The MPI_Init that was filtered out may have another address than the archive's own.
  const auto known = std::ranges::find(calls_, std::pair(name, std::string(kind)));
  if (known != calls_.end()) {
    place->second = static_cast<std::uint16_t>(record::first_call + (known - calls_.begin()));
  } else if (calls_.size() == max_calls) {
    throw Damaged("more calls than a trace has numbers for");
  } else {
    calls_.emplace_back(name, kind);
  }
  return place->second;
}

std::uint16_t CallWriter::site_of(std::uint32_t thread, const std::string& place) {
  const auto [found, is_new] = sites_.try_emplace(&place, static_cast<std::uint16_t>(sites_.size() + 1));
  if (is_new && sites_.size() > max_sites) throw Damaged("more call sites than a trace has numbers for");
  const std::uint16_t site = found->second;
  std::vector<bool>& sites = defined_[thread].sites;
  if (sites.size() <= site) sites.resize(site + 1U);
  if (!sites[site]) {
    sites[site] = true;
    const std::int32_t module = site - 1;
    define(thread, record::definition_of(record::module, module), place.data(), place.size());
    Record definition = record::definition_of(record::site, site);
    definition.tag = module;
    define(thread, definition, nullptr, 0);
  }
  return site;
}

std::uint16_t CallWriter::context_of(std::uint32_t thread, const Comm& comm) {
  const auto [found, is_new] = contexts_.try_emplace(&comm, record::no_context);
  const auto members = comm.members_for(rank_);
  const auto own = is_new ? std::ranges::find(members, rank_) : members.end();
  if (own != members.end()) {
    if (defined_contexts_ == record::no_context)
      throw Damaged("more communicators than a trace has numbers for");
    found->second = static_cast<std::uint16_t>(defined_contexts_++);
  }
  const std::uint16_t context = found->second;
  if (context == record::no_context) return context;
  std::vector<bool>& contexts = defined_[thread].contexts;
  if (contexts.size() <= context) contexts.resize(context + 1U);
  if (!contexts[context]) {
    contexts[context] = true;
    const std::vector<record::RankRun> runs = record::runs_of(members);
    Record definition = record::definition_of(record::communicator, context);
    definition.tag = static_cast<std::int32_t>(std::ranges::find(members, rank_) - members.begin());
    definition.count = static_cast<std::uint32_t>(runs.size());
    definition.extra = comm.number + std::uint64_t{1};
    define(thread, definition, runs.data(), runs.size() * sizeof runs[0]);
  }
  return context;
}

void CallWriter::define(std::uint32_t thread, Record definition, const void* payload, std::size_t bytes) {
  definition.bytes_and_context = record::pack_field(bytes, 0);
  out_.define(definition, payload, thread);
}

void CallWriter::finish(const Origin& origin) {
  const nlohmann::json text = {
      {"schema", fmt::format("stretto.trace/{}.{}", record::packed_major, record::packed_minor)},
      {"host", ""},
      {"command", {origin.file}},
      {"mpi", {{"family", ""}, {"library", origin.format}}},
      {"calls", calls_}};
  const std::string bytes = text.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  if (bytes.size() > text_space) throw Damaged("more names of calls than the header can hold");
  out_.finish(end_ns_, 0);
  out_.write_text(bytes);
  out_.close();
}

}  // namespace stretto::foreign
