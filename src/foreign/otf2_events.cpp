// SPDX-License-Identifier: BSD-3-Clause
#include "foreign/otf2_events.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <utility>

#include "foreign/otf2_local.hpp"
#include "foreign/otf2_types.hpp"

namespace stretto::foreign {

std::string_view name_of_mpi_event(std::uint8_t type) {
  constexpr std::array point_to_point{
      "MpiSend",  "MpiIsend",       "MpiIsendComplete",    "MpiIrecvRequest",    "MpiRecv",
      "MpiIrecv", "MpiRequestTest", "MpiRequestCancelled", "MpiCollectiveBegin", "MpiCollectiveEnd"};
  constexpr std::array one_sided{"RmaWinCreate",
                                 "RmaWinDestroy",
                                 "RmaCollectiveBegin",
                                 "RmaCollectiveEnd",
                                 "RmaGroupSync",
                                 "RmaRequestLock",
                                 "RmaAcquireLock",
                                 "RmaTryLock",
                                 "RmaReleaseLock",
                                 "RmaSync",
                                 "RmaWaitChange",
                                 "RmaPut",
                                 "RmaGet",
                                 "RmaAtomic",
                                 "RmaOpCompleteBlocking",
                                 "RmaOpCompleteNonBlocking",
                                 "RmaOpTest",
                                 "RmaOpCompleteRemote"};
  static_assert(otf2::send + point_to_point.size() == otf2::collective_end + 1);
  static_assert(otf2::rma_win_create + one_sided.size() == otf2::rma_op_complete_remote + 1);
  if (type >= otf2::send && type <= otf2::collective_end) return point_to_point[type - otf2::send];
  if (type >= otf2::rma_win_create && type <= otf2::rma_op_complete_remote)
    return one_sided[type - otf2::rma_win_create];
  switch (type) {
    case otf2::nonblocking_request:
      return "NonBlockingCollectiveRequest";
    case otf2::nonblocking_complete:
      return "NonBlockingCollectiveComplete";
    case otf2::probe:
      return "MpiProbe";
    case otf2::mrecv:
      return "MpiMrecv";
    case otf2::imrecv_request:
      return "MpiImrecvRequest";
    case otf2::imrecv:
      return "MpiImrecv";
    default:
      return {};
  }
}

/// One location, and its next event.
class Otf2Events::Location {
 public:
  Location(const Otf2Archive& archive, const Otf2Location& location, std::size_t index)
      : archive_(archive), local_(archive, location) {
    event_.location = index;
    const std::filesystem::path file = archive.file_of(location, ".evt");
    if (location.events == 0 && !std::filesystem::exists(file)) return;
    records_.emplace(file, archive.event_chunk_bytes(), Otf2Content::events);
  }

  [[nodiscard]] const Otf2Event& event() const { return event_; }

  /// Reads on; false: it has no more.
  bool next() {
    if (!records_ || !records_->next()) return false;
    try {
      event_.type = records_->type();
      event_.time = local_.time(records_->time());
      decode(records_->body());
    } catch (const Damaged& error) {
      throw records_->at_place(error);
    }
    return true;
  }

 private:
  const Comm* comm(std::uint32_t own) const { return &archive_.comm(local_.comm(own)); }

  void decode(Otf2Bytes& body) {
    switch (event_.type) {
      case otf2::enter:
      case otf2::leave:
        event_.region = &archive_.region(local_.region(body.number32()));
        break;
      case otf2::send:
      case otf2::isend:
      case otf2::recv:
      case otf2::irecv:
        event_.peer = body.number32();
        event_.comm = comm(body.number32());
        event_.tag = body.number32();
        event_.bytes = body.number();
        if (event_.type == otf2::isend || event_.type == otf2::irecv) event_.request = body.number();
        break;
      case otf2::isend_complete:
      case otf2::irecv_request:
      case otf2::request_cancelled:
      case otf2::nonblocking_request:
        event_.request = body.number();
        break;
      case otf2::collective_end:
      case otf2::nonblocking_complete:
        event_.operation = body.byte();
        event_.comm = comm(body.number32());
        event_.root = body.number32();
        event_.bytes = body.number();
        event_.received_bytes = body.number();
        if (event_.type == otf2::nonblocking_complete) event_.request = body.number();
        break;
      case otf2::probe:
        event_.peer = body.number32();
        event_.comm = comm(body.number32());
        event_.tag = body.number32();
        event_.message = body.number();
        break;
      case otf2::mrecv:
        event_.message = body.number();
        event_.bytes = body.number();
        break;
      case otf2::imrecv_request:
        event_.message = body.number();
        event_.request = body.number();
        break;
      case otf2::imrecv:
        event_.request = body.number();
        event_.bytes = body.number();
        break;
      default:
        break;
    }
  }

  const Otf2Archive& archive_;
  Otf2Local local_;
  std::optional<Otf2Records> records_;
  Otf2Event event_;
};

Otf2Events::Otf2Events(const Otf2Archive& archive, const std::vector<Otf2Location>& locations) {
  for (const Otf2Location& one : locations)
    locations_.push_back(std::make_unique<Location>(archive, one, locations_.size()));
  for (std::size_t i = 0; i < locations_.size(); ++i) queue(i);
}

Otf2Events::~Otf2Events() = default;

bool Otf2Events::next(Otf2Event& event) {
  if (waiting_.empty()) return false;
  const std::size_t first = waiting_.front();
  event = locations_[first]->event();
  if (waiting_.size() == 1) {
    if (!locations_[first]->next()) waiting_.clear();
    return true;
  }
  const auto is_later = [this](std::size_t a, std::size_t b) {
    return std::pair(locations_[a]->event().time, a) > std::pair(locations_[b]->event().time, b);
  };
  std::ranges::pop_heap(waiting_, is_later);
  waiting_.pop_back();
  queue(first);
  return true;
}

void Otf2Events::queue(std::size_t location) {
  if (!locations_[location]->next()) return;
  waiting_.push_back(location);
  std::ranges::push_heap(waiting_, [this](std::size_t a, std::size_t b) {
    return std::pair(locations_[a]->event().time, a) > std::pair(locations_[b]->event().time, b);
  });
}

}  // namespace stretto::foreign
