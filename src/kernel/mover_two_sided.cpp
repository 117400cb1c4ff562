// SPDX-License-Identifier: BSD-3-Clause
// Isend and Irecv. All receives are posted when a round opens; MPI matches them in the order of the sends.
#include <mpi.h>

#include <algorithm>
#include <span>

#include "kernel/landing.hpp"
#include "kernel/movers.hpp"
#include "mpi/check.hpp"
#include "mpi/communicator.hpp"
#include "rma/state.hpp"

namespace stretto::kernel {
namespace {

using mpi::check;

constexpr int tag = 1;

/// Blocks `stride` bytes apart, for as long as a call needs it.
class Shape {
 public:
  Shape(const Block& block, std::size_t stride) {
    const auto elements = static_cast<int>(block.size_bytes / sizeof(double));
    check(MPI_Type_create_hvector(static_cast<int>(block.count), elements, static_cast<MPI_Aint>(stride),
                                  MPI_DOUBLE, &type_),
          "MPI_Type_create_hvector");
    check(MPI_Type_commit(&type_), "MPI_Type_commit");
  }
  Shape(const Shape&) = delete;
  Shape& operator=(const Shape&) = delete;
  ~Shape() { MPI_Type_free(&type_); }
  [[nodiscard]] MPI_Datatype type() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

class TwoSidedMover final : public Mover {
 public:
  TwoSidedMover(const Team& team, const MoverShape& shape, std::vector<Route> routes)
      : communicator_(team.state()->communicator.get()),
        size_bytes_(shape.landing_bytes),
        memory_(make_landing(size_bytes_)),
        routes_(std::move(routes)) {
    for (Route& route : routes_) {
      std::stable_sort(route.begin(), route.end(),
                       [](const Incoming& a, const Incoming& b) { return a.group < b.group; });
    }
  }

  std::byte* landing() override { return memory_.get(); }
  bool copies_to(int /*target*/) const override { return false; }

  /// The order among groups of one source does not matter: each group has its own tag.
  void open(std::size_t route) override {
    current_ = &routes_[route];
    receives_.assign(current_->size(), MPI_REQUEST_NULL);
    for (std::size_t i = 0; i < receives_.size(); ++i) post((*current_)[i], receives_[i]);
  }

  void send(int target, const std::byte* from, const Block& block, int group) override {
    MPI_Request request = MPI_REQUEST_NULL;
    if (block.count == 1) {
      check(MPI_Isend(from, elements(block), MPI_DOUBLE, target, tag + group, communicator_.get(), &request),
            "MPI_Isend");
    } else {
      const Shape shape(block, block.here_stride);
      check(MPI_Isend(from, 1, shape.type(), target, tag + group, communicator_.get(), &request),
            "MPI_Isend");
    }
    sends_.push_back(request);
    ++messages_;
  }

  void sent() override {
    wait(sends_);
    sends_.clear();
  }

  void arrived(int group) override {
    const auto [first, last] =
        std::equal_range(current_->begin(), current_->end(), Incoming{.group = group},
                         [](const Incoming& a, const Incoming& b) { return a.group < b.group; });
    wait(std::span(receives_).subspan(static_cast<std::size_t>(first - current_->begin()),
                                      static_cast<std::size_t>(last - first)));
  }

  void release() override {}  // the next round's receives are posted only when this rank has come to it

  std::size_t memory_bytes() const override { return size_bytes_; }

 private:
  static int elements(const Block& block) { return static_cast<int>(block.size_bytes / sizeof(double)); }

  void post(const Incoming& one, MPI_Request& request) {
    const auto& [source, group, block] = one;
    std::byte* to = memory_.get() + block.offset;
    if (block.count == 1) {
      check(MPI_Irecv(to, elements(block), MPI_DOUBLE, source, tag + group, communicator_.get(), &request),
            "MPI_Irecv");
    } else {
      const Shape shape(block, block.there_stride);
      check(MPI_Irecv(to, 1, shape.type(), source, tag + group, communicator_.get(), &request), "MPI_Irecv");
    }
  }

  static void wait(std::span<MPI_Request> requests) {
    check(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
          "MPI_Waitall");
  }

  mpi::Communicator communicator_;
  std::size_t size_bytes_;
  Landing memory_;
  std::vector<Route> routes_;  // each by group
  const Route* current_ = nullptr;
  std::vector<MPI_Request> receives_;  // of the current route
  std::vector<MPI_Request> sends_;
};

}  // namespace

std::unique_ptr<Mover> two_sided_mover(const Team& team, const MoverShape& shape, std::vector<Route> routes) {
  return std::make_unique<TwoSidedMover>(team, shape, std::move(routes));
}

}  // namespace stretto::kernel
