// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/cut.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "analysis/cut_counts.hpp"
#include "analysis/cut_ends.hpp"
#include "analysis/cut_writer.hpp"
#include "record/limited_size.hpp"

namespace stretto::analysis {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using replay::TraceError;

/// What is known of a rank's file without reading its records.
struct LimitedFile {
  fs::path path;
  bool is_limited = false;  ///< not cut yet
  bool has_dropped = false;
  bool is_complete = false;
  std::uint64_t lost = 0;
  std::uint64_t kept_from_ns = 0;
  std::uint64_t end_ns = 0;
  std::uint64_t limit_bytes = 0;
};

/// The text of a header, which is JSON: the reader has checked it.
json text_of(replay::TraceReader& reader) { return json::parse(reader.text()); }

LimitedFile look_at(const fs::path& path) {
  replay::TraceReader reader(path, replay::Limited::is_read);
  const replay::TraceBlocks& blocks = reader.file();
  LimitedFile file{.path = path, .is_limited = blocks.is_limited(), .has_dropped = blocks.has_dropped()};
  const json text = text_of(reader);
  file.is_complete = blocks.complete();
  file.lost = blocks.trailer().lost;
  file.end_ns = blocks.trailer().end_ns;
  file.kept_from_ns = blocks.dropped_until_ns();
  file.limit_bytes = text.value("limit_bytes", std::uint64_t{0});
  if (const auto kept = text.find("kept"); kept != text.end()) {
    file.kept_from_ns = kept->value("from_ns", std::uint64_t{0});
    file.has_dropped = true;
  }
  return file;
}

std::vector<LimitedFile> look_into(const fs::path& directory) {
  std::vector<LimitedFile> files;
  for (const fs::path& path : replay::trace_files(directory, replay::Limited::is_read))
    files.push_back(look_at(path));
  if (std::ranges::none_of(files, [](const auto& one) { return one.is_limited; }))
    throw TraceError(fmt::format("{}: is no trace that was recorded with --limit", directory.string()));
  return files;
}

[[noreturn]] void refuse(const fs::path& directory, const std::string& why) {
  throw std::runtime_error(
      fmt::format("{}: no trace can be cut out of what --limit kept: {}; record with a larger limit",
                  directory.string(), why));
}

/// Throws where the messages of the files cannot be matched from their end.
void check(const fs::path& directory, const std::vector<LimitedFile>& files) {
  const std::uint64_t least = record::min_limit(files.size());
  for (const LimitedFile& file : files) {
    if (!file.is_limited || file.limit_bytes >= least) continue;
    throw TraceError(fmt::format(
        "{}: nothing was recorded: a limit of {} bytes is too small for {} ranks: give at least {}",
        directory.string(), file.limit_bytes, files.size(), least));
  }
  if (std::ranges::none_of(files, [](const auto& one) { return one.has_dropped; })) return;
  for (std::size_t rank = 0; rank < files.size(); ++rank) {
    const char* why = nullptr;
    if (!files[rank].is_complete) why = "ended without MPI_Finalize";
    if (files[rank].lost > 0) why = "has lost records at the end of the run";
    if (why == nullptr) continue;
    refuse(directory,
           fmt::format("rank {} {}, so it is not known which of its messages were received", rank, why));
  }
}

json left_out_json(const LeftOut& left_out) {
  return {{"messages", left_out.messages},
          {"completions", left_out.completions},
          {"collectives", left_out.collectives},
          {"epochs", left_out.epochs}};
}

/// Writes a new file in place of another, or leaves that as it is. `change(text)` changes its header's text.
template <typename Change, typename Write>
void replace(const fs::path& path, const Change& change, const Write& write) {
  fs::path made = path;
  made += ".part";
  try {
    replay::TraceReader old(path, replay::Limited::is_read);
    json text = text_of(old);
    text["schema"] = fmt::format("stretto.trace/{}.{}", record::packed_major, record::packed_minor);
    change(text);
    replay::PackedTrace out(made, old.file().header(), text.dump());
    write(out);
    out.close();
    fs::rename(made, path);
  } catch (const std::ios_base::failure&) {
    std::error_code ignored;
    fs::remove(made, ignored);
    throw std::runtime_error(made.string() +
                             ": cannot be written: make space, and run `stretto-analyse --cut` again");
  } catch (...) {
    std::error_code ignored;
    fs::remove(made, ignored);
    throw;
  }
}

/// Of a file that lacks nothing only the order of its blocks changes: definitions precede their use.
void keep_whole(const LimitedFile& file) {
  replay::TraceBlocks blocks(file.path, replay::Limited::is_read);
  std::vector<replay::TraceBlock> all = blocks.blocks();
  std::stable_partition(all.begin(), all.end(),
                        [](const auto& one) { return one.thread == record::definitions_thread; });
  const auto as_it_is = [](json&) {};
  replace(file.path, as_it_is, [&](replay::PackedTrace& out) {
    for (const replay::TraceBlock& one : all) {
      record::BlockHeader header;
      blocks.read_at(one.offset, &header, sizeof header);
      if (header.thread == record::definitions_thread) {
        header.thread = 0;
        header.waited_ms = header.of_ms = 0;
      }
      const std::uint64_t used = record::packed_use(header.used_bytes).bytes;
      std::vector<std::byte> rest(record::packed_header_bytes - sizeof header + used);
      blocks.read_at(one.offset + sizeof header, rest.data(), rest.size());
      out.copy(header, rest);
    }
    if (file.is_complete) out.finish(file.end_ns, file.lost);
  });
}

CutCounts count(const fs::path& directory, const std::vector<LimitedFile>& files, std::uint64_t from_ns) {
  CutCounts counts(files.size());
  try {
    for (const LimitedFile& file : files) {
      KeptRecords records(file.path, from_ns);
      CutEnds(records).count(counts);
    }
  } catch (const CutError& error) {
    refuse(directory, error.what());
  }
  counts.finish();
  if (const auto channel = counts.unreceived()) {
    refuse(directory, fmt::format("rank {} never receives a message of rank {} (tag {})", channel->target,
                                  channel->source, channel->tag));
  }
  return counts;
}

LeftOut cut(const LimitedFile& file, std::uint64_t from_ns, std::uint64_t end_ns, const CutCounts& counts) {
  KeptRecords records(file.path, from_ns);
  const CutPlan plan = CutEnds(records).plan(counts);
  const auto say_what_is_kept = [&](json& text) {
    text["calls"].push_back({cut_call, "plain"});
    text["kept"] = {{"from_ns", from_ns}, {"end_ns", end_ns}};
  };
  LeftOut left_out;
  replace(file.path, say_what_is_kept, [&](replay::PackedTrace& out) {
    left_out = CutWriter(records, plan, from_ns, out).write(file.path);
    out.finish(file.end_ns, 0);
  });
  return left_out;
}

}  // namespace

std::string cut_trace(const fs::path& directory) {
  const std::vector<LimitedFile> files = look_into(directory);
  check(directory, files);
  std::uint64_t from_ns = 0;
  std::uint64_t end_ns = 0;
  bool is_whole = true;
  for (const LimitedFile& file : files) {
    from_ns = std::max(from_ns, file.kept_from_ns);
    end_ns = std::max(end_ns, file.end_ns);
    is_whole = is_whole && !file.has_dropped;
  }
  LeftOut left_out;
  if (is_whole) {
    for (const LimitedFile& file : files) {
      if (file.is_limited) keep_whole(file);
    }
  } else {
    const CutCounts counts = count(directory, files, from_ns);
    for (const LimitedFile& file : files) {
      if (file.is_limited) left_out.add(cut(file, from_ns, end_ns, counts));
    }
  }
  constexpr double ns = 1e-9;
  return json{{"whole", is_whole},
              {"kept_s", static_cast<double>(end_ns - std::min(from_ns, end_ns)) * ns},
              {"run_s", static_cast<double>(end_ns) * ns},
              {"limit_bytes", files.front().limit_bytes},
              {"left_out", left_out_json(left_out)}}
      .dump();
}

}  // namespace stretto::analysis
