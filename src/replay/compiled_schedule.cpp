// SPDX-License-Identifier: BSD-3-Clause
#include "replay/compiled_schedule.hpp"

#include <algorithm>
#include <utility>

namespace stretto::replay {
namespace {

/// Per rank, and one past the last: the index of its first resource. A rank has one resource more than the
/// highest number that it uses.
std::vector<std::uint32_t> firsts(const std::vector<std::uint32_t>& counts, std::size_t operations,
                                  const char* what) {
  std::vector<std::uint32_t> first(counts.size() + 1, 0);
  std::size_t total = 0;
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    total += counts[rank];
    first[rank + 1] = static_cast<std::uint32_t>(total);
  }
  // Without this check, 256 of each for every rank of an almost empty schedule would need gigabytes.
  if (total > 2 * counts.size() + 16 * operations) {
    throw ScheduleError(
        std::string("too many ").append(what).append(" that no operation uses: number them from 0"));
  }
  return first;
}

/// The channels of one receiver: a hash table from (source, tag) to channel, reused for the next receiver.
class ChannelTable {
 public:
  void begin(std::uint32_t next) {
    slots_.assign(16, Slot{});
    first_ = next_ = next;
  }

  std::uint32_t channel(std::uint32_t source, std::uint32_t tag) {
    const std::uint64_t key = (static_cast<std::uint64_t>(source) << 32U) | tag;
    Slot* slot = &slot_of(key);
    if (slot->channel == no_channel) {
      if (2 * std::size_t{next_ - first_} >= slots_.size()) {
        grow();
        slot = &slot_of(key);
      }
      *slot = {.key = key, .channel = next_++};
    }
    return slot->channel;
  }

  [[nodiscard]] std::uint32_t next() const { return next_; }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t channel = no_channel;
  };

  /// The slot of the key, or the free slot for it.
  Slot& slot_of(std::uint64_t key) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = (key * 0x9E3779B97F4A7C15U >> 32U) & mask;
    while (slots_[at].channel != no_channel && slots_[at].key != key) at = (at + 1) & mask;
    return slots_[at];
  }

  void grow() {
    const std::vector<Slot> before = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
    for (const Slot& slot : before) {
      if (slot.channel != no_channel) slot_of(slot.key) = slot;
    }
  }

  std::vector<Slot> slots_;
  std::uint32_t first_ = 0;
  std::uint32_t next_ = 0;
};

/// Sends by receiver: those to rank r are order[first[r]] to order[first[r + 1]].
struct SendsByReceiver {
  explicit SendsByReceiver(const Schedule& schedule) : first(schedule.ranks() + std::size_t{1}, 0) {
    const OperationId count = schedule.operations();
    for (OperationId id = 0; id < count; ++id) {
      if (schedule.kind[id] == OperationKind::send) ++first[schedule.peer[id] + std::size_t{1}];
    }
    for (std::size_t rank = 0; rank + 1 < first.size(); ++rank) first[rank + 1] += first[rank];
    order.resize(first.back());
    std::vector<std::uint32_t> cursor(first.begin(), first.end() - 1);
    std::uint32_t rank = 0;
    source.resize(first.back());
    for (OperationId id = 0; id < count; ++id) {
      while (id >= schedule.first_operation[rank + 1]) ++rank;
      if (schedule.kind[id] != OperationKind::send) continue;
      const std::uint32_t at = cursor[schedule.peer[id]]++;
      order[at] = id;
      source[at] = rank;
    }
  }
  std::vector<std::uint32_t> first;
  SpillableColumn<OperationId> order;
  SpillableColumn<std::uint32_t> source;
};

/// Whether an operation waits for the start of this one.
bool starts_others(const Schedule& schedule, OperationId id) {
  bool starts = false;
  for (std::uint32_t at = schedule.first_dependent[id]; at < schedule.first_dependent[id + 1]; ++at) {
    starts |= (schedule.dependents[at] & 1U) != 0;
  }
  return starts;
}

}  // namespace

CompiledSchedule::CompiledSchedule(const Schedule& schedule) {
  wild.assign(schedule.ranks(), 0);
  steps.reserve(schedule.operations() + std::size_t{1});
  std::vector<std::uint32_t> cpus(schedule.ranks(), 1);
  std::vector<std::uint32_t> cards(schedule.ranks(), 1);
  for (std::uint32_t rank = 0; rank < schedule.ranks(); ++rank) {
    bool has_background = false;
    for (OperationId id = schedule.first_operation[rank]; id < schedule.first_operation[rank + 1]; ++id) {
      const Step step =
          step_of(schedule.operation(id), rank, schedule.first_dependent[id], starts_others(schedule, id));
      steps.push_back(step);
      has_one_sided = has_one_sided || step.one_sided;
      if (step.background) {
        has_background = true;
      } else {
        cpus[rank] = std::max(cpus[rank], step.cpu + 1U);
      }
      if (step.sends) {
        cards[rank] = std::max(cards[rank], step.nic + 1U);
        cards[step.peer] = std::max(cards[step.peer], step.nic + 1U);
        several_cards = several_cards || step.nic > 0;
      } else if (step.receives && (step.peer == any || schedule.tag[id] == any)) {
        wild[rank] = 1;
      }
    }
    if (has_background) place_background(schedule, rank, cpus[rank]++);
  }
  steps.push_back({.first_dependent = schedule.first_dependent.back()});
  first_cpu = firsts(cpus, schedule.operations(), "cpus");
  first_card = firsts(cards, schedule.operations(), "nics");
  find_channels(schedule);
}

/// Gives the background operations of a rank the processor `cpu`.
void CompiledSchedule::place_background(const Schedule& schedule, std::uint32_t rank, std::uint32_t cpu) {
  for (OperationId id = schedule.first_operation[rank]; id < schedule.first_operation[rank + 1]; ++id) {
    if (steps[id].background) steps[id].cpu = static_cast<std::uint16_t>(cpu);
  }
}

void CompiledSchedule::find_channels(const Schedule& schedule) {
  const SendsByReceiver sends(schedule);
  ChannelTable table;
  for (std::uint32_t rank = 0; rank < schedule.ranks(); ++rank) {
    const OperationId begin = schedule.first_operation[rank];
    const OperationId end = schedule.first_operation[rank + 1];
    table.begin(channels);
    for (std::uint32_t at = sends.first[rank]; at < sends.first[rank + 1]; ++at) {
      const OperationId id = sends.order[at];
      steps[id].channel = table.channel(sends.source[at], wild[rank] != 0 ? any : schedule.tag[id]);
    }
    if (wild[rank] == 0) {
      for (OperationId id = begin; id < end; ++id) {
        Step& step = steps[id];
        if (step.receives) step.channel = table.channel(step.peer, schedule.tag[id]);
      }
    }
    channels = table.next();
  }
}

}  // namespace stretto::replay
