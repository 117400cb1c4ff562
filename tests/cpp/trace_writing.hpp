// SPDX-License-Identifier: BSD-3-Clause
// Small traces as bytes, for the tests of their readers.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "record/record_packer.hpp"
#include "record/trace_format.hpp"
#include "replay/data_times.hpp"

namespace stretto::replay::trace_test {

/// The numbers of the calls that the header below names.
enum TestCall : std::uint16_t {
  init = 16,
  send,
  receive,
  isend,
  irecv,
  wait,
  barrier,
  put,
  finalize,
  mprobe,
  improbe,
  mrecv,
  isendrecv,
  start,
  bcast_init,
  allreduce_init,
  alltoallv,
  gatherv,
  get,
  rput,
  accumulate,
  fetch_and_op,
  win_fence,
  win_flush,
  win_flush_local,
  win_flush_all,
  win_lock,
  win_unlock,
  win_lock_all,
  win_allocate,
  win_post,
  win_start,
  win_complete,
  win_wait,
  win_test,
  request_free
};
inline constexpr const char* test_calls =
    R"({"schema": "stretto.trace/1.0", "calls": [["MPI_Init", "plain"], ["MPI_Send", "send"],
        ["MPI_Recv", "recv"], ["MPI_Isend", "isend"], ["MPI_Irecv", "irecv"], ["MPI_Wait", "wait"],
        ["MPI_Barrier", "collective"], ["MPI_Put", "one_sided"], ["MPI_Finalize", "plain"],
        ["MPI_Mprobe", "mprobe"], ["MPI_Improbe", "improbe"], ["MPI_Mrecv", "mrecv"],
        ["MPI_Isendrecv", "isendrecv"], ["MPI_Start", "start"], ["MPI_Bcast_init", "collective_init"],
        ["MPI_Allreduce_init", "collective_init"], ["MPI_Alltoallv", "collective"],
        ["MPI_Gatherv", "gather"], ["MPI_Get_c", "one_sided"], ["MPI_Rput", "one_sided"],
        ["MPI_Accumulate", "one_sided"], ["MPI_Fetch_and_op", "one_sided"], ["MPI_Win_fence", "synchronise"],
        ["MPI_Win_flush", "synchronise_with"], ["MPI_Win_flush_local", "synchronise_with"],
        ["MPI_Win_flush_all", "synchronise"], ["MPI_Win_lock", "synchronise_with"],
        ["MPI_Win_unlock", "synchronise_with"], ["MPI_Win_lock_all", "synchronise"],
        ["MPI_Win_allocate", "new_window"], ["MPI_Win_post", "synchronise_group"],
        ["MPI_Win_start", "synchronise_group"], ["MPI_Win_complete", "synchronise"],
        ["MPI_Win_wait", "synchronise"], ["MPI_Win_test", "synchronise"],
        ["MPI_Request_free", "request_free"]]})";

struct TraceWriter {
  std::uint32_t rank = 0;
  std::uint32_t ranks = 1;
  std::vector<record::Record> records;
  std::vector<std::vector<record::Record>> more_threads;
  std::string library;  ///< as the header names it; empty: it does not

  TraceWriter(std::uint32_t own, std::uint32_t all) : rank(own), ranks(all) {
    define(record::communicator, 0);
    call(init, 0, 1000);
  }

  /// A communicator or window of all ranks.
  void define(record::Defined what, std::int32_t number) {
    record::Record context;
    context.begin_and_call = record::pack_field(0, record::definition);
    context.bytes_and_context = record::pack_field(sizeof(record::RankRun), 0);
    context.peer = number;
    context.tag = static_cast<std::int32_t>(rank);
    context.request = what;
    context.count = 1;
    context.extra = static_cast<std::uint64_t>(number) + 1;
    record::Record members;
    const record::RankRun run{.first = 0, .stride = 1, .count = ranks};
    std::memcpy(static_cast<void*>(&members), &run, sizeof run);
    records.insert(records.end(), {context, members});
  }

  record::Record& call(std::uint16_t number, std::uint64_t begin_ns, std::uint64_t duration_ns = 0) {
    record::Record record;
    record.begin_and_call = record::pack_field(begin_ns, number);
    record.duration_and_site = record::pack_field(duration_ns, 0);
    return records.emplace_back(record);
  }
  void message(TestCall what, std::uint64_t begin_ns, int peer, std::uint64_t bytes,
               std::uint32_t request = 0) {
    record::Record& record = call(what, begin_ns, 100);
    record.bytes_and_context = record::pack_field(bytes, 0);
    record.peer = peer;
    record.request = request;
  }
  /// A collective with counts that exchanges these bytes with each rank.
  void counted(TestCall what, std::uint64_t begin_ns, std::int32_t number,
               const std::vector<record::PeerBytes>& sent, const std::vector<record::PeerBytes>& received) {
    std::vector<record::PeerBytes> all = sent;
    all.insert(all.end(), received.begin(), received.end());
    record::Record& definition = call(record::definition, 0);
    definition.bytes_and_context = all.size() * sizeof all[0];
    definition.request = record::peer_bytes;
    definition.peer = number;
    definition.count = static_cast<std::uint32_t>(sent.size());
    std::vector<record::Record> payload((all.size() * sizeof all[0] + 47) / 48);
    std::memcpy(static_cast<void*>(payload.data()), all.data(), all.size() * sizeof all[0]);
    records.insert(records.end(), payload.begin(), payload.end());
    record::Record& record = call(what, begin_ns, 100);
    for (const record::PeerBytes& one : sent) record.bytes_and_context += one.bytes;
    for (const record::PeerBytes& one : received) record.extra += one.bytes;
    record.peer = record::no_peer;
    record.tag = -number;
  }
  /// Group `number` of one rank.
  void define_group(std::int32_t number, std::int32_t member) {
    record::Record group;
    group.begin_and_call = record::pack_field(0, record::definition);
    group.bytes_and_context = record::pack_field(sizeof(record::RankRun), 0);
    group.peer = number;
    group.request = record::group;
    record::Record members;
    const record::RankRun run{.first = member, .stride = 1, .count = 1};
    std::memcpy(static_cast<void*>(&members), &run, sizeof run);
    records.insert(records.end(), {group, members});
  }
  /// A call on window 1.
  record::Record& on_window(TestCall what, std::uint64_t begin_ns, int peer = record::no_peer,
                            std::uint64_t bytes = 0) {
    record::Record& record = call(what, begin_ns, 100);
    record.bytes_and_context = record::pack_field(bytes, 1);
    record.peer = peer;
    return record;
  }
  void waited(std::uint64_t begin_ns, std::uint64_t duration_ns, std::uint32_t request) {
    call(wait, begin_ns, duration_ns).count = 1;
    call(record::completion, begin_ns, duration_ns).request = request;
  }

  /// The file; its records are packed if `major` is that of such traces. A limited one has dropped its oldest
  /// blocks, and is complete.
  [[nodiscard]] std::string bytes(std::uint16_t major = record::trace_major) const {
    record::TraceHeader header;
    header.major = major;
    std::string text = test_calls;
    if (!library.empty()) text.insert(1, R"("mpi": {"library": ")" + library + R"("}, )");
    const bool is_limited = major == record::limited_major;
    text.replace(text.find("/1.0"), 4, "/" + std::to_string(major) + ".0");
    if (is_limited) {
      header.minor = record::dropped_minor;
      text.replace(text.rfind('}'), 1, R"(, "limit_bytes": 1048576})");
    }
    header.header_bytes = record::trace_page_bytes;
    header.rank = rank;
    header.ranks = ranks;
    header.text_bytes = static_cast<std::uint32_t>(text.size());
    std::string data(reinterpret_cast<const char*>(&header), sizeof header);
    data += text;
    data.resize(record::trace_page_bytes, '\0');
    const auto append = major >= record::packed_major ? append_packed_block : append_block;
    std::vector<record::BlockIndex> index{{.offset = 0, .first_ns = 2'000}};
    for (std::size_t i = 0; i <= more_threads.size(); ++i) {
      index.push_back({.offset = data.size()});
      append(data, static_cast<std::uint32_t>(i), i == 0 ? records : more_threads[i - 1]);
    }
    if (is_limited) append_trailer(data, index);
    return data;
  }

 private:
  static void append_block(std::string& data, std::uint32_t thread,
                           const std::vector<record::Record>& records) {
    const std::size_t begin = data.size();
    record::BlockHeader block;
    block.thread = thread;
    block.used_bytes = records.size() * sizeof records[0];
    block.block_bytes = (sizeof block + block.used_bytes + 4095) / 4096 * 4096;
    data.append(reinterpret_cast<const char*>(&block), sizeof block);
    data.append(reinterpret_cast<const char*>(records.data()), block.used_bytes);
    data.resize(begin + block.block_bytes, '\0');
  }
  static void append_trailer(std::string& data, const std::vector<record::BlockIndex>& index) {
    const record::TraceTrailer trailer{
        .blocks = index.size(), .index_offset = data.size(), .end_ns = 500'000};
    data.append(reinterpret_cast<const char*>(index.data()), index.size() * sizeof index[0]);
    data.append(reinterpret_cast<const char*>(&trailer), sizeof trailer);
  }
  static void append_packed_block(std::string& data, std::uint32_t thread,
                                  const std::vector<record::Record>& records) {
    std::vector<std::byte> packed(records.size() * 2 * sizeof records[0] + 4096);
    std::byte* end = packed.data();
    std::uint64_t use = 0;
    record::RecordPacker packer;
    for (std::size_t i = 0; i < records.size(); ++i) {
      if (record::high_field(records[i].begin_and_call) != record::definition) {
        end = packer.pack(records[i], end);
        use += record::one_packed_record;
        continue;
      }
      const std::size_t more = record::low_field(records[i].bytes_and_context);
      record::Record definition = records[i];
      // A definition that a test has damaged: the packer takes only what is there.
      const std::size_t there = (records.size() - i - 1) * sizeof records[0];
      if (more > there) definition.bytes_and_context = record::pack_field(there, 0);
      end = record::RecordPacker::pack_definition(definition, records.data() + i + 1, end);
      i += (std::min(more, there) + sizeof records[0] - 1) / sizeof records[0];
    }
    use += static_cast<std::uint64_t>(end - packed.data());
    packed.resize(static_cast<std::size_t>(end - packed.data()));
    const std::size_t begin = data.size();
    record::BlockHeader block;
    block.thread = thread;
    block.used_bytes = use;
    block.block_bytes = record::whole_pages(record::packed_header_bytes + packed.size());
    data.append(reinterpret_cast<const char*>(&block), sizeof block);
    data.resize(begin + record::packed_header_bytes, '\0');
    data.append(reinterpret_cast<const char*>(packed.data()), packed.size());
    data.resize(begin + block.block_bytes, '\0');
  }
};

/// The traces of `ranks` ranks, each of which `program` writes.
template <typename Program>
std::vector<TraceWriter> ranks_that(std::uint32_t ranks, const Program& program) {
  std::vector<TraceWriter> all;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) program(all.emplace_back(rank, ranks));
  return all;
}

/// Moves calls, with what belongs to them, to two other threads. `below(n)` is a random number below n.
template <typename Below>
void divide_among_threads(TraceWriter& trace, const Below& below) {
  const std::vector<record::Record> all = std::exchange(trace.records, {});
  trace.more_threads.resize(2);
  std::vector<record::Record>* thread = &trace.records;
  for (std::size_t i = 0; i < all.size(); ++i) {  // first its communicator and MPI_Init
    const bool is_call = i > 2 && record::high_field(all[i].begin_and_call) >= record::first_call;
    const std::size_t number = is_call ? below(3) : 0;
    if (is_call) thread = number == 0 ? &trace.records : &trace.more_threads[number - 1];
    thread->push_back(all[i]);
  }
}

/// Rank 0 produces the eight parts of 8000 bytes every 10 us, computes 20 us more, and sends. Rank 1
/// receives, computes 20 us, and needs a part every 10 us.
inline std::vector<TraceWriter> produced_and_consumed() {
  constexpr std::uint64_t waited_ns = 200'000;
  TraceWriter sender(0, 2);
  sender.message(send, 101'000, 1, 8000, 1);
  TraceWriter receiver(1, 2);
  receiver.message(receive, 1'000, 0, 8000, 1);
  receiver.records.back().duration_and_site = record::pack_field(waited_ns, 0);
  for (std::uint32_t part = 0; part < 8; ++part) {
    record::Record& stored = sender.call(record::produced, 1'000 + 10'000 * (part + 1));
    stored.request = 1;
    stored.count = part;
    stored.tag = message_parts;
    record::Record& loaded =
        receiver.call(record::consumed, 1'000 + waited_ns + 20'000 + std::uint64_t{10'000} * part);
    loaded.request = 1;
    loaded.count = part;
    loaded.tag = message_parts;
  }
  sender.call(finalize, 101'100);
  receiver.call(finalize, 1'000 + waited_ns + 100'000);
  return {sender, receiver};
}

/// A directory for one test; it is removed with its content.
class TemporaryDirectory {
 public:
  TemporaryDirectory() : path_(std::filesystem::temp_directory_path() / "stretto-XXXXXX") {
    std::string name = path_.string();
    path_ = ::mkdtemp(name.data());
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
  [[nodiscard]] std::filesystem::path file(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

inline std::filesystem::path write_bytes(const std::filesystem::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
  return file;
}

/// The files of all ranks.
inline std::vector<std::filesystem::path> write_ranks(const TemporaryDirectory& directory,
                                                      const std::vector<TraceWriter>& ranks,
                                                      std::uint16_t major = record::trace_major) {
  std::vector<std::filesystem::path> files;
  for (const TraceWriter& one : ranks) {
    files.push_back(
        write_bytes(directory.file("rank-" + std::to_string(one.rank) + ".trace"), one.bytes(major)));
  }
  return files;
}

}  // namespace stretto::replay::trace_test
