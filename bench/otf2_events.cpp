// SPDX-License-Identifier: BSD-3-Clause
// otf2_events write TRACE ARCHIVE: the calls of a generated trace as an OTF2 archive, by the library's own
// writer. otf2_events read ARCHIVE: reads all events in the order of time, as otf2-print does, and prints
// their number.
#include <otf2/otf2.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "record/trace_format.hpp"
#include "replay/trace_file.hpp"

namespace {

using namespace stretto;
using record::Record;

void check(OTF2_ErrorCode code) {
  if (code != OTF2_SUCCESS) throw std::runtime_error(OTF2_Error_GetDescription(code));
}

OTF2_FlushType flush(void* /*user*/, OTF2_FileType /*type*/, OTF2_LocationRef /*of*/, void* /*caller*/,
                     bool /*final*/) {
  return OTF2_FLUSH;
}

/// Writes the events of one rank. A call is left where the next one begins, behind its completions.
class RankEvents {
 public:
  RankEvents(OTF2_EvtWriter* out, replay::TraceReader& reader) : out_(out), reader_(reader) {
    reader.for_each([this](std::uint32_t, const Record& one) { take(one); });
    leave();
  }
  [[nodiscard]] std::uint64_t end_ns() const { return end_ns_; }
  [[nodiscard]] std::uint64_t events() const { return events_; }

 private:
  void take(const Record& one) {
    const std::uint16_t number = record::high_field(one.begin_and_call);
    if (number == record::completion) {
      complete(one);
      return;
    }
    leave();
    call_ = number;
    end_ns_ = record::end_ns(one);
    const std::uint64_t begin = record::low_field(one.begin_and_call);
    const std::string& kind = reader_.call(number).kind;
    put(OTF2_EvtWriter_Enter(out_, nullptr, begin, call_));
    const std::uint64_t bytes = record::low_field(one.bytes_and_context);
    if (kind == "isend" || kind == "irecv") started_[one.request] = one;
    if (kind == "isend") {
      put(OTF2_EvtWriter_MpiIsend(out_, nullptr, begin, static_cast<std::uint32_t>(one.peer), 0,
                                  static_cast<std::uint32_t>(one.tag), bytes, one.request));
    } else if (kind == "irecv") {
      put(OTF2_EvtWriter_MpiIrecvRequest(out_, nullptr, begin, one.request));
    } else if (kind == "collective") {
      put(OTF2_EvtWriter_MpiCollectiveBegin(out_, nullptr, begin));
      put(OTF2_EvtWriter_MpiCollectiveEnd(out_, nullptr, end_ns_, OTF2_COLLECTIVE_OP_ALLREDUCE, 0, 0, bytes,
                                          bytes));
    }
  }

  void complete(const Record& one) {
    const auto found = started_.find(one.request);
    if (found == started_.end()) throw std::runtime_error("a completion without its start");
    const Record& start = found->second;
    if (reader_.call(record::high_field(start.begin_and_call)).kind == "isend") {
      put(OTF2_EvtWriter_MpiIsendComplete(out_, nullptr, end_ns_, one.request));
    } else {
      put(OTF2_EvtWriter_MpiIrecv(out_, nullptr, end_ns_, static_cast<std::uint32_t>(start.peer), 0,
                                  static_cast<std::uint32_t>(start.tag),
                                  record::low_field(start.bytes_and_context), one.request));
    }
    started_.erase(found);
  }

  void leave() {
    if (call_ != 0) put(OTF2_EvtWriter_Leave(out_, nullptr, end_ns_, call_));
    call_ = 0;
  }

  void put(OTF2_ErrorCode code) {
    check(code);
    ++events_;
  }

  OTF2_EvtWriter* out_;
  replay::TraceReader& reader_;
  std::uint32_t call_ = 0;
  std::uint64_t end_ns_ = 0;
  std::uint64_t events_ = 0;
  std::unordered_map<std::uint32_t, Record> started_;
};

void define(OTF2_GlobalDefWriter* out, const replay::TraceReader& any, const std::vector<RankEvents>& ranks) {
  std::uint32_t strings = 0;
  const auto text = [&](const std::string& value) {
    check(OTF2_GlobalDefWriter_WriteString(out, strings, value.c_str()));
    return strings++;
  };
  check(OTF2_GlobalDefWriter_WriteClockProperties(out, 1'000'000'000, 0, ranks[0].end_ns() + 1,
                                                  OTF2_UNDEFINED_TIMESTAMP));
  const std::uint32_t none = text("");
  for (std::size_t i = 0; i < any.calls().size(); ++i) {
    const std::uint32_t name = text(any.calls()[i].name);
    check(OTF2_GlobalDefWriter_WriteRegion(out, static_cast<OTF2_RegionRef>(record::first_call + i), name,
                                           name, none, OTF2_REGION_ROLE_UNKNOWN, OTF2_PARADIGM_MPI,
                                           OTF2_REGION_FLAG_NONE, none, 0, 0));
  }
  const std::uint32_t world = text("world");
  check(OTF2_GlobalDefWriter_WriteSystemTreeNode(out, 0, world, world, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
  std::vector<std::uint64_t> locations;
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
    const std::uint32_t name = text("rank " + std::to_string(rank));
    check(OTF2_GlobalDefWriter_WriteLocationGroup(out, rank, name, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                  OTF2_UNDEFINED_LOCATION_GROUP));
    check(OTF2_GlobalDefWriter_WriteLocation(out, rank, name, OTF2_LOCATION_TYPE_CPU_THREAD,
                                             ranks[rank].events(), rank));
    locations.push_back(rank);
  }
  const auto count = static_cast<std::uint32_t>(locations.size());
  for (std::uint32_t group = 0; group < 2; ++group) {
    check(OTF2_GlobalDefWriter_WriteGroup(
        out, group, world, group == 0 ? OTF2_GROUP_TYPE_COMM_LOCATIONS : OTF2_GROUP_TYPE_COMM_GROUP,
        OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, count, locations.data()));
  }
  check(OTF2_GlobalDefWriter_WriteComm(out, 0, world, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
}

void write(const char* trace, const char* archive) {
  const OTF2_FlushCallbacks flushing{.otf2_pre_flush = flush, .otf2_post_flush = nullptr};
  OTF2_Archive* const out = OTF2_Archive_Open(archive, "traces", OTF2_FILEMODE_WRITE, 1024UL * 1024,
                                              4UL * 1024 * 1024, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  if (out == nullptr) throw std::runtime_error("no archive can be written there");
  check(OTF2_Archive_SetFlushCallbacks(out, &flushing, nullptr));
  check(OTF2_Archive_SetSerialCollectiveCallbacks(out));
  check(OTF2_Archive_OpenEvtFiles(out));
  const auto files = replay::trace_files(trace);
  std::vector<RankEvents> ranks;
  for (std::size_t rank = 0; rank < files.size(); ++rank) {
    OTF2_EvtWriter* const events = OTF2_Archive_GetEvtWriter(out, rank);
    replay::TraceReader reader(files[rank]);
    ranks.emplace_back(events, reader);
    check(OTF2_Archive_CloseEvtWriter(out, events));
  }
  check(OTF2_Archive_CloseEvtFiles(out));
  check(OTF2_Archive_OpenDefFiles(out));
  for (std::size_t rank = 0; rank < files.size(); ++rank) {
    check(OTF2_Archive_CloseDefWriter(out, OTF2_Archive_GetDefWriter(out, rank)));
  }
  check(OTF2_Archive_CloseDefFiles(out));
  OTF2_GlobalDefWriter* const definitions = OTF2_Archive_GetGlobalDefWriter(out);
  define(definitions, replay::TraceReader(files[0]), ranks);
  check(OTF2_Archive_CloseGlobalDefWriter(out, definitions));
  check(OTF2_Archive_Close(out));
}

/// Counts an event of any kind.
template <typename... Members>
OTF2_CallbackCode count(OTF2_LocationRef /*of*/, OTF2_TimeStamp /*time*/, void* events,
                        OTF2_AttributeList* /*more*/, Members... /*members*/) {
  ++*static_cast<std::uint64_t*>(events);
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode select_location(void* reader, OTF2_LocationRef self, OTF2_StringRef /*name*/,
                                  OTF2_LocationType /*type*/, std::uint64_t /*events*/,
                                  OTF2_LocationGroupRef /*group*/) {
  auto* const all = static_cast<std::pair<OTF2_Reader*, std::vector<OTF2_LocationRef>>*>(reader);
  all->second.push_back(self);
  return OTF2_Reader_SelectLocation(all->first, self) == OTF2_SUCCESS ? OTF2_CALLBACK_SUCCESS
                                                                      : OTF2_CALLBACK_ERROR;
}

std::uint64_t read(const char* archive) {
  OTF2_Reader* const reader = OTF2_Reader_Open((std::string(archive) + "/traces.otf2").c_str());
  if (reader == nullptr) throw std::runtime_error("no archive");
  check(OTF2_Reader_SetSerialCollectiveCallbacks(reader));
  std::pair<OTF2_Reader*, std::vector<OTF2_LocationRef>> of{reader, {}};
  std::uint64_t read = 0;
  OTF2_GlobalDefReader* const definitions = OTF2_Reader_GetGlobalDefReader(reader);
  OTF2_GlobalDefReaderCallbacks* const defined = OTF2_GlobalDefReaderCallbacks_New();
  check(OTF2_GlobalDefReaderCallbacks_SetLocationCallback(defined, select_location));
  check(OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, defined, &of));
  check(OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &read));
  check(OTF2_Reader_OpenDefFiles(reader));
  for (const OTF2_LocationRef location : of.second) {
    OTF2_DefReader* const local = OTF2_Reader_GetDefReader(reader, location);
    check(OTF2_Reader_ReadAllLocalDefinitions(reader, local, &read));
    check(OTF2_Reader_CloseDefReader(reader, local));
  }
  check(OTF2_Reader_CloseDefFiles(reader));
  check(OTF2_Reader_OpenEvtFiles(reader));
  for (const OTF2_LocationRef location : of.second)
    static_cast<void>(OTF2_Reader_GetEvtReader(reader, location));
  OTF2_GlobalEvtReader* const events = OTF2_Reader_GetGlobalEvtReader(reader);
  OTF2_GlobalEvtReaderCallbacks* const calls = OTF2_GlobalEvtReaderCallbacks_New();
  check(OTF2_GlobalEvtReaderCallbacks_SetEnterCallback(calls, count));
  check(OTF2_GlobalEvtReaderCallbacks_SetLeaveCallback(calls, count));
  check(OTF2_GlobalEvtReaderCallbacks_SetMpiIsendCallback(calls, count));
  check(OTF2_GlobalEvtReaderCallbacks_SetMpiIsendCompleteCallback(calls, count));
  check(OTF2_GlobalEvtReaderCallbacks_SetMpiIrecvRequestCallback(calls, count));
  check(OTF2_GlobalEvtReaderCallbacks_SetMpiIrecvCallback(calls, count));
  check(OTF2_GlobalEvtReaderCallbacks_SetMpiCollectiveBeginCallback(calls, count));
  check(OTF2_GlobalEvtReaderCallbacks_SetMpiCollectiveEndCallback(calls, count));
  std::uint64_t counted = 0;
  check(OTF2_Reader_RegisterGlobalEvtCallbacks(reader, events, calls, &counted));
  check(OTF2_Reader_ReadAllGlobalEvents(reader, events, &read));
  if (read != counted) throw std::runtime_error("events of another kind");
  check(OTF2_Reader_Close(reader));
  return counted;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::string what = argc > 1 ? argv[1] : "";
    if (what == "write" && argc == 4) {
      write(argv[2], argv[3]);
    } else if (what == "read" && argc == 3) {
      std::printf("%lu\n", read(argv[2]));
    } else {
      throw std::invalid_argument("usage: otf2_events write TRACE ARCHIVE, or read ARCHIVE");
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "otf2_events: %s\n", error.what());
    return 1;
  }
}
