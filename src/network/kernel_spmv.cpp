// SPDX-License-Identifier: BSD-3-Clause
// Products with a sparse matrix: the exchanges of `stretto/spmv.hpp`, given the remote elements that the
// matrix needs.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "network/kernel_variants.hpp"
#include "network/probe_schedules.hpp"

namespace stretto::network {
namespace {

constexpr std::int64_t spmv_real_bytes = 8;

/// The needs of the average rank.
struct ProductNeeds {
  std::int64_t ranks;
  double sources;               // number of other ranks that own needed elements
  double elements;              // needed elements per such rank
  std::int64_t block_elements;  // elements per block
  double flops;                 // per product
  double own_share;             // share of the flops that needs no remote elements
};

class SpmvKernel final : public KernelModel {
 public:
  explicit SpmvKernel(const ProductNeeds& needs) : needs_(needs) {
    if (needs.ranks < 2) throw InvalidParameter("ranks", "the model of spmv knows 2 ranks and more");
  }

  /// The variants that can be the fastest, with one product each. Single elements never are. An aggregate
  /// equals a vector operation that is described again for each product.
  [[nodiscard]] std::vector<VariantName> variants() const override {
    std::vector<VariantName> found;
    for (const char* transport : {"stretto", "mpi-two-sided", "mpi-rma"}) {
      found.push_back({"signalled", transport, {}, true});
    }
    found.push_back({"vector", "stretto", {}, true});
    found.push_back({"blocks", "stretto", {"prefetch=1"}, true});
    if (needs_.ranks > 2) {
      found.push_back({"blocks", "stretto", {fmt::format("prefetch={}", needs_.ranks - 1)}, true});
    }
    return found;
  }

  [[nodiscard]] bool overlaps(const std::string&) const override { return true; }

  [[nodiscard]] std::vector<KernelPhase> phases(const VariantName& name) const override {
    std::vector<KernelPhase> found;
    if (name.variant == "signalled") {
      found.push_back(signalled(name.transport));
    } else if (name.variant == "vector") {
      found.push_back(fetched(name.variant, elements(), sources()));
    } else if (name.variant == "blocks") {
      found.push_back(fetched(name.variant, needs_.block_elements, prefetch_of(name)));
    } else {
      throw InvalidParameter("variant", fmt::format("spmv has no '{}' here", name.variant));
    }
    return found;
  }

 private:
  [[nodiscard]] std::int64_t elements() const {
    return static_cast<std::int64_t>(std::nearbyint(needs_.elements));
  }

  /// The number of ranks that blocks come from, at least one.
  [[nodiscard]] std::int64_t sources() const {
    const auto count = static_cast<std::int64_t>(std::nearbyint(needs_.sources));
    return std::min(std::max<std::int64_t>(count, 1), needs_.ranks - 1);
  }

  [[nodiscard]] static std::int64_t prefetch_of(const VariantName& name) {
    constexpr std::string_view mark = "prefetch=";
    std::int64_t depth = 0;
    if (name.settings.size() == 1 && name.settings.front().starts_with(mark)) {
      const std::string& text = name.settings.front();
      std::from_chars(text.data() + mark.size(), text.data() + text.size(), depth);
    }
    if (depth < 1) throw InvalidParameter("settings", "blocks need prefetch=DEPTH");
    return depth;
  }

  [[nodiscard]] KernelPhase phase(const std::string& name, KernelProgram& program) const {
    return program.phase("spmv " + name, needs_.ranks, 1, needs_.flops);
  }

  [[nodiscard]] KernelPhase signalled(const std::string& transport) const {
    KernelProgram program(transport);
    std::vector<std::uint32_t> messages;
    for (std::int64_t hop = 1; hop <= sources(); ++hop) {
      messages.push_back(program.start(hop, elements() * spmv_real_bytes));
    }
    program.compute(needs_.own_share);
    for (const std::uint32_t message : messages) {
      program.arrive(message);
      program.compute((1 - needs_.own_share) / static_cast<double>(messages.size()));
    }
    return phase("signalled", program);
  }

  /// Fetches with `ahead` gets in flight while the elements of another one are multiplied.
  [[nodiscard]] KernelPhase fetched(const std::string& name, std::int64_t each, std::int64_t ahead) const {
    KernelProgram program("stretto");
    std::int64_t started = 0;
    const auto start_next = [&] {
      if (started < sources()) program.get(++started, each * spmv_real_bytes);
    };
    for (std::int64_t i = 0; i < ahead; ++i) start_next();
    program.compute(needs_.own_share);
    for (std::int64_t place = 0; place < sources(); ++place) {
      start_next();
      program.finish(static_cast<std::uint32_t>(place));
      program.compute((1 - needs_.own_share) / static_cast<double>(sources()));
    }
    return phase(name, program);
  }

  ProductNeeds needs_;
};

}  // namespace

std::unique_ptr<KernelModel> spmv_kernel(const RequestMembers& members) {
  constexpr std::int64_t most = std::int64_t{1} << 40;
  return std::make_unique<SpmvKernel>(ProductNeeds{.ranks = members.whole("ranks", 0, 1 << 30),
                                                   .sources = members.number("sources"),
                                                   .elements = members.number("elements", 0, 1e12),
                                                   .block_elements = members.whole("block_elements", 0, most),
                                                   .flops = members.number("flops"),
                                                   .own_share = members.number("own_share", 0, 1)});
}

}  // namespace stretto::network
