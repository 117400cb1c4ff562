// SPDX-License-Identifier: BSD-3-Clause
#include "trace/contexts.hpp"

#include <numeric>

#include "record/rank_runs.hpp"
#include "trace/requests.hpp"
#include "trace/stream.hpp"
#include "trace/world.hpp"

namespace stretto::trace {
namespace {

using record::RankRun;
using record::Record;
using record::runs_of;

constexpr std::uint64_t world_key = 1;
constexpr std::uint64_t unknown_parent = 2;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash ^= value + 0x9E3779B97F4A7C15U + (hash << 6U) + (hash >> 2U);
  hash *= 0xFF51AFD7ED558CCDU;
  return hash ^ (hash >> 33U);
}

void write(const Context& context, record::Defined what, std::uint64_t own_bytes, Stream& stream) {
  std::vector<RankRun> runs = runs_of(context.members);
  const std::vector<RankRun> remote = runs_of(context.remote);
  Record record = record::definition_of(what, context.number);
  record.duration_and_site = own_bytes;
  record.bytes_and_context = record::pack_field(0, context.number);
  record.tag = context.rank;
  record.count = static_cast<std::uint32_t>(runs.size());
  record.extra = context.key;
  runs.insert(runs.end(), remote.begin(), remote.end());
  stream.append(record, runs.data(), runs.size() * sizeof runs[0]);
}

void ask_topology(MPI_Comm comm, Context& context) {
  int topology = MPI_UNDEFINED;
  if (PMPI_Topo_test(comm, &topology) != MPI_SUCCESS) return;
  int count = 0;
  if (topology == MPI_CART) {
    PMPI_Cartdim_get(comm, &count);
    context.in_degree = context.out_degree = 2 * count;
  } else if (topology == MPI_GRAPH) {
    PMPI_Graph_neighbors_count(comm, context.rank, &count);
    context.in_degree = context.out_degree = count;
  } else if (topology == MPI_DIST_GRAPH) {
    int weighted = 0;
    PMPI_Dist_graph_neighbors_count(comm, &context.in_degree, &context.out_degree, &weighted);
  }
}

}  // namespace

Context& Contexts::of(MPI_Comm comm, Stream& stream) {
  const auto held = lock();
  const auto found = comms_.find(key_of(comm));
  if (found != comms_.end()) return *found->second;
  const auto born = later_.find(key_of(comm));
  if (born == later_.end()) return define(comm, {.parent_key = unknown_parent, .ordinal = 0}, stream);
  const Birth birth = born->second;
  later_.erase(born);
  return define(comm, birth, stream);
}

bool Contexts::knows(MPI_Comm comm) {
  const auto held = lock();
  return comms_.contains(key_of(comm)) || later_.contains(key_of(comm));
}

Context& Contexts::of_window(MPI_Win window, Stream& stream) {
  const auto held = lock();
  const auto found = windows_.find(key_of(window));
  return found != windows_.end() ? *found->second : define_window(window, 0, stream);
}

std::uint32_t Contexts::number_of(MPI_Group group, Stream& stream) {
  std::vector<std::int32_t> members = world_ranks(group);
  const auto held = lock();
  const auto found = groups_.find(members);
  const bool is_new = found == groups_.end();
  if (!is_new && !stream.lacks(record::group, found->second)) return found->second;
  const std::uint32_t number = is_new ? ++last_group_ : found->second;
  const std::vector<RankRun> runs = runs_of(members);
  stream.append(record::definition_of(record::group, static_cast<std::int32_t>(number)), runs.data(),
                runs.size() * sizeof runs[0]);
  if (is_new && groups_.size() == max_groups) groups_.clear();
  if (is_new) groups_.emplace(std::move(members), number);
  return number;
}

void Contexts::add(MPI_Comm made, std::uint64_t parent_key, std::uint64_t ordinal, Stream& stream) {
  if (made == MPI_COMM_NULL) return;
  const auto held = lock();
  define(made, {.parent_key = parent_key, .ordinal = ordinal}, stream);
}

void Contexts::add_tagged(MPI_Comm made, std::uint64_t parent_key, std::uint64_t tag, Stream& stream) {
  if (made == MPI_COMM_NULL) return;
  const auto held = lock();
  define(made, {.parent_key = parent_key, .ordinal = tag, .tagged = true}, stream);
}

void Contexts::add_later(MPI_Comm made, std::uint64_t parent_key, std::uint64_t ordinal) {
  const auto held = lock();
  comms_.erase(key_of(made));
  later_[key_of(made)] = {.parent_key = parent_key, .ordinal = ordinal};
}

void Contexts::add_window(MPI_Win made, std::uint64_t bytes, Stream& stream) {
  const auto held = lock();
  define_window(made, bytes, stream);
}

Contexts::Entry Contexts::take(MPI_Comm comm) {
  const auto held = lock();
  Entry entry;
  if (auto known = comms_.extract(key_of(comm))) entry.context = std::move(known.mapped());
  if (const auto later = later_.extract(key_of(comm))) entry.birth = later.mapped();
  return entry;
}

Contexts::Entry Contexts::take_window(MPI_Win window) {
  const auto held = lock();
  auto known = windows_.extract(key_of(window));
  return {known ? std::move(known.mapped()) : nullptr, std::nullopt};
}

void Contexts::put_back(MPI_Comm comm, Entry entry) {
  const auto held = lock();
  if (entry.context) comms_[key_of(comm)] = std::move(entry.context);
  if (entry.birth) later_[key_of(comm)] = *entry.birth;
}

void Contexts::put_back_window(MPI_Win window, Entry entry) {
  const auto held = lock();
  if (entry.context) windows_[key_of(window)] = std::move(entry.context);
}

Context& Contexts::define(MPI_Comm comm, Birth birth, Stream& stream) {
  auto context = std::make_unique<Context>();
  int inter = 0;
  PMPI_Comm_test_inter(comm, &inter);
  PMPI_Comm_rank(comm, &context->rank);
  MPI_Group group = MPI_GROUP_NULL;
  PMPI_Comm_group(comm, &group);
  context->members = world_ranks(group);
  PMPI_Group_free(&group);
  // MPICH gives a topology of fewer ranks the group of all its parent's ranks, of which it has the first.
  int size = 0;
  PMPI_Comm_size(comm, &size);
  if (static_cast<std::size_t>(size) < context->members.size()) {
    context->members.resize(static_cast<std::size_t>(size));
  }
  if (inter != 0) {
    PMPI_Comm_remote_group(comm, &group);
    context->remote = world_ranks(group);
    PMPI_Group_free(&group);
  } else {
    ask_topology(comm, *context);
  }
  if (comm == MPI_COMM_WORLD) {
    context->key = world_key;
  } else {
    // Both sides of an intercommunicator are hashed in the same order.
    const bool swapped = inter != 0 && context->remote < context->members;
    context->key = mixed(birth.parent_key, birth.ordinal);
    for (const auto* side :
         {swapped ? &context->remote : &context->members, swapped ? &context->members : &context->remote}) {
      for (const std::int32_t member : *side) {
        context->key = mixed(context->key, static_cast<std::uint64_t>(member));
      }
    }
    if (birth.tagged) context->key = mixed(context->key, made_before_[context->key]++);
  }
  context->number = next_number();
  write(*context, record::communicator, 0, stream);
  return *(comms_[key_of(comm)] = std::move(context));
}

Context& Contexts::define_window(MPI_Win window, std::uint64_t bytes, Stream& stream) {
  auto context = std::make_unique<Context>();
  MPI_Group group = MPI_GROUP_NULL;
  PMPI_Win_get_group(window, &group);
  context->members = world_ranks(group);
  PMPI_Group_rank(group, &context->rank);
  PMPI_Group_free(&group);
  context->number = next_number();
  context->key = unknown_parent;
  for (const std::int32_t member : context->members) {
    context->key = mixed(context->key, static_cast<std::uint64_t>(member));
  }
  write(*context, record::window, bytes, stream);
  return *(windows_[key_of(window)] = std::move(context));
}

std::uint16_t Contexts::next_number() {
  if (made_ < record::no_context) return static_cast<std::uint16_t>(made_++);
  if (unused_.size() < min_unused) return record::no_context;
  const std::uint16_t number = unused_.front();
  unused_.pop_front();
  return number;
}

void Contexts::give_up(std::uint16_t number) {
  const auto held = lock();
  if (number != record::no_context) unused_.push_back(number);
}

std::vector<std::int32_t> Contexts::world_ranks(MPI_Group group) {
  const World all;
  int size = 0;
  PMPI_Group_size(group, &size);
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  std::vector<int> world(ranks.size());
  PMPI_Group_translate_ranks(group, size, ranks.data(), all.group(), world.data());
  for (int& rank : world) {
    if (rank < 0) rank = record::no_peer;  // the process belongs to another program (MPI_Comm_spawn)
  }
  return {world.begin(), world.end()};
}

}  // namespace stretto::trace
