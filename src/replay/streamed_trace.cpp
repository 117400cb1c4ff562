// SPDX-License-Identifier: BSD-3-Clause
#include "replay/streamed_trace.hpp"

#include "replay/rank_writer.hpp"

namespace stretto::replay {
namespace {

/// Counts the operations of a rank.
class Count final : public OperationSink {
 public:
  Count(std::uint32_t ranks, OperationId before) : ranks_(ranks), before_(before) {}

  std::uint32_t add(const ScheduleOperation& operation) override {
    check(operation, before_ + operations);
    if (operation.kind != OperationKind::calculate && operation.peer != any && operation.peer >= ranks_)
      throw ScheduleError("an operation names a rank that the trace does not have");
    has_background = has_background || operation.cpu == background_cpu;
    is_wild = is_wild ||
              (operation.kind == OperationKind::receive && (operation.peer == any || operation.tag == any));
    return operations++;
  }
  void require(std::uint32_t, std::uint32_t) override {}
  void require_start(std::uint32_t, std::uint32_t) override {}

  OperationId operations = 0;
  bool has_background = false;
  bool is_wild = false;

 private:
  std::uint32_t ranks_;
  OperationId before_;  // of the ranks before
};

}  // namespace

std::optional<StreamedTrace> streamed_trace(const std::vector<std::filesystem::path>& files,
                                            const TraceOptions& options) {
  if (options.level != Level::traced) return {};
  StreamedTrace trace;
  trace.files = files;
  trace.options = options;
  trace.resources.first_cpu = trace.resources.first_card = {0};
  trace.resources.wild.assign(files.size(), 0);
  Tags tags;
  std::uint64_t begin_ns = 0;  // of the run, by the file of rank 0
  for (std::uint32_t rank = 0; rank < trace.ranks(); ++rank) {
    Count count(trace.ranks(), trace.operations());
    RankWriter writer(files[rank], rank, files.size(), options, tags, count, trace.summary);
    if (rank == 0) begin_ns = writer.reader().begin_ns();
    writer.reader().refuse_other_run(begin_ns);
    if (writer.read_ahead() || writer.has_several_threads()) return {};
    writer.write({});
    if (count.is_wild) return {};
    trace.has_facts.push_back(writer.has_facts() ? 1 : 0);
    trace.first_operation.push_back(trace.operations() + count.operations);
    trace.resources.first_cpu.push_back(trace.resources.first_cpu.back() + (count.has_background ? 2 : 1));
    trace.resources.first_card.push_back(rank + 1);
  }
  return trace;
}

}  // namespace stretto::replay
