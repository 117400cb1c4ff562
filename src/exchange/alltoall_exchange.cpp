// SPDX-License-Identifier: BSD-3-Clause
// An exchange by one blocking MPI_Alltoallv, as codes without overlap use it.
#include <mpi.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "exchange/arenas.hpp"
#include "exchange/transports.hpp"
#include "mpi/check.hpp"
#include "mpi/communicator.hpp"
#include "mpi/count.hpp"

namespace stretto::exchange {
namespace {

using mpi::check;

// MPI's displacements are int: counting complex elements reaches 32 GiB.
constexpr std::size_t complex_bytes = 16;

int elements(std::size_t size_bytes) {
  return mpi::count_of(size_bytes / complex_bytes, "complex numbers in an all-to-all");
}

class AlltoallExchange final : public Exchange {
 public:
  AlltoallExchange(std::shared_ptr<BufferArena> arena, const Team& team, const ExchangeShape& shape,
                   const std::vector<ReceivePattern>& patterns)
      : Exchange(std::move(arena), shape),
        communicator_(team.communicator()),
        sent_from_(ranks(), nullptr),
        send_counts_(ranks(), 0) {
    for (const ReceivePattern& pattern : patterns) receives_.push_back(places_of(pattern));
    check(MPI_Type_contiguous(complex_bytes, MPI_BYTE, &element_), "MPI_Type_contiguous");
    check(MPI_Type_commit(&element_), "MPI_Type_commit");
  }
  ~AlltoallExchange() override { MPI_Type_free(&element_); }

  void open(std::size_t pattern, std::size_t shift_bytes) override {
    current_ = &receives_[pattern];
    shift_bytes_ = shift_bytes;
    exchanged_ = false;
    std::fill(send_counts_.begin(), send_counts_.end(), 0);
  }

  void send(int target, const std::byte* from, const StridedBlock& block, int /*group*/) override {
    const auto place = static_cast<std::size_t>(target);
    sent_from_[place] = from;
    send_counts_[place] = elements(block.size_bytes);
    ++messages_;
  }

  /// Carries out the exchange. All blocks that were sent lie in one array, so displacements are relative to
  /// the first.
  void wait_sent() override {
    if (exchanged_) return;
    exchanged_ = true;
    const std::byte* first = nullptr;
    for (std::size_t rank = 0; rank < ranks(); ++rank) {
      if (send_counts_[rank] > 0 && (first == nullptr || sent_from_[rank] < first)) first = sent_from_[rank];
    }
    std::vector<int> places(ranks(), 0);
    for (std::size_t rank = 0; rank < ranks(); ++rank) {
      if (send_counts_[rank] > 0) {
        places[rank] = elements(static_cast<std::size_t>(sent_from_[rank] - first));
      }
    }
    check(MPI_Alltoallv(first, send_counts_.data(), places.data(), element_, receive_buffer() + shift_bytes_,
                        current_->counts.data(), current_->places.data(), element_, communicator_.get()),
          "MPI_Alltoallv");
  }

  void wait_arrived(int /*group*/) override { wait_sent(); }

 private:
  struct Receives {
    std::vector<int> counts;
    std::vector<int> places;
  };

  [[nodiscard]] Receives places_of(const ReceivePattern& pattern) const {
    Receives receives{std::vector<int>(ranks(), 0), std::vector<int>(ranks(), 0)};
    for (const IncomingBlocks& one : pattern) {
      const auto place = static_cast<std::size_t>(one.source);
      if (receives.counts[place] != 0 || one.block.count != 1 || one.times != 1) {
        throw std::logic_error("an all-to-all carries one contiguous block a source");
      }
      receives.counts[place] = elements(one.block.size_bytes);
      receives.places[place] = elements(one.block.offset);
    }
    return receives;
  }

  [[nodiscard]] std::size_t ranks() const { return static_cast<std::size_t>(communicator_.size()); }

  mpi::Communicator communicator_;
  std::size_t shift_bytes_ = 0;
  std::vector<Receives> receives_;  // by pattern
  const Receives* current_ = nullptr;
  bool exchanged_ = false;
  std::vector<const std::byte*> sent_from_;
  std::vector<int> send_counts_;
  MPI_Datatype element_ = MPI_DATATYPE_NULL;
};

}  // namespace

std::shared_ptr<BufferArena> alltoall_arena(const ArenaRequest& request) {
  return std::make_shared<HeapArena<AlltoallExchange>>(request.memory_bytes);
}

}  // namespace stretto::exchange
