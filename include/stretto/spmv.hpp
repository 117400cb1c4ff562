// SPDX-License-Identifier: BSD-3-Clause
// Distributed products y = A x of a general sparse matrix. The communication runs under the product of the
// local part.
//
// Rows and vectors are cut into consecutive blocks of any sizes, also empty ones, one a rank. Of the other
// ranks' elements of x a rank needs those of the columns that it has nonzeros in. An `Exchange` is how it
// gets them. Rows are multiplied with the own elements first, then with those of the other ranks in rank
// order, from the next one on. So the sums, and their last bits, do not depend on the order of arrival.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stretto/plan_timers.hpp>
#include <stretto/runtime.hpp>
#include <stretto/transport.hpp>
#include <string_view>

namespace stretto::spmv {

/// How a rank gets the elements of others. `signalled`: their owner packs those that a rank needs and puts
/// them there with a flag. The others are gets: `aggregate` of each element, all to one rank as one request;
/// `vector`, one get with all pieces; `individual`, a nonblocking get an element, as without aggregation;
/// `blocks`, of a rank's whole block, `prefetch` blocks ahead of the product (algorithm 7 of Nishtala's
/// probes).
enum class Exchange { signalled, aggregate, vector, individual, blocks };

[[nodiscard]] std::string_view to_string(Exchange exchange);
/// Throws ArgumentError `exchange` for a name that is none of them.
[[nodiscard]] Exchange exchange_from(std::string_view name);

/// What a rank has: its rows, compressed, and how many elements of x are its own. Column numbers are those of
/// the whole matrix. An element that is given twice is the sum of both.
struct Part {
  std::span<const std::uint64_t> start;  ///< of each row in the two below, and one past the last
  std::span<const std::uint32_t> column;
  std::span<const double> value;
  std::size_t x_count = 0;
};

struct Settings {
  Exchange exchange = Exchange::signalled;
  std::size_t prefetch = 1;  ///< of `blocks`: how many are on their way ahead, at least 1 (the papers' eta)
  Transport transport = Transport::one_sided;  ///< of `signalled`; gets are one-sided
};

class Plan {
 public:
  /// Copies what it needs of the matrix; `part` need not stay. Collective over the runtime, which must
  /// outlive the plan. Throws ArgumentError, on all ranks: `part` for starts that do not fit or a column
  /// beyond the matrix at any of them, `settings` for prefetch 0, or a transport that has no such exchange.
  Plan(Runtime& runtime, const Part& part, const Settings& settings = {});
  /// The fastest of the exchanges, by the longest rank's median of a few products with zeros: signalled puts,
  /// gets of the needed elements, and of whole blocks. Collective; all ranks make the same choice.
  [[nodiscard]] static Plan tuned(Runtime& runtime, const Part& part);
  Plan(Plan&&) noexcept;
  Plan& operator=(Plan&&) noexcept;
  ~Plan();

  [[nodiscard]] const Settings& settings() const;
  /// Elements of other ranks that this rank's rows need, and in how many other ranks' blocks they lie.
  [[nodiscard]] std::size_t needed_elements() const;
  [[nodiscard]] std::size_t needed_ranks() const;

  /// y = A x, this rank's blocks of both. Collective. ArgumentError `x` or `y` for a wrong size or where they
  /// overlap; FinalizedError once the runtime, and with it the plan's communicator, is gone. NaN in x makes
  /// NaN of the rows that have its column, and of no other. The gets of other ranks may need a rank that is
  /// done. Without a progress thread it must then wait in Runtime::barrier(), not in MPI. After an exception
  /// of a wait the plan can only be freed: every call throws Error.
  void multiply(std::span<const double> x, std::span<double> y);

  /// Puts or gets that this rank has started so far, without those that only say that something was read.
  [[nodiscard]] std::uint64_t messages() const;
  [[nodiscard]] const PlanTimers& timers() const;
  void reset_timers();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace stretto::spmv
