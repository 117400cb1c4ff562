// SPDX-License-Identifier: BSD-3-Clause
// Runtime functions: how long a collective operation takes on p ranks, b bytes large. Those of a profile, as
// docs/formats.md defines them. Knows no MPI; choosing by them is in choice.hpp.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <stretto/collective_form.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "collective/contention.hpp"

namespace stretto::collective {

/// The phase in the row groups, and the one in the column groups.
enum class Phase { leader, concurrent };

/// What of p a term multiplies with.
enum class OfP {
  one,
  p,
  p_minus_1,
  log2,
  ceil_log2,
  floor_log2_less_1,  ///< floor(log2(p - 1)): table 1, reduce
  p_log2,
  p_ceil_log2,
  tree_sends,  ///< sends on the longest path of a binomial tree: n (n + 1) / 2 for p = 2^n
  // These rest on the messages of a reference algorithm, and on who sends at the same time (contention.hpp):
  overheads,
  links_eager,
  links_in_turn,
};

[[nodiscard]] bool is_of_messages(OfP factor);

/// Of p alone: not for a factor that is of messages.
[[nodiscard]] double value_of(OfP factor, int p);

/// Who takes part in a call, and where.
struct Site {
  Operation operation = Operation::broadcast;
  int members = 1;  ///< p, of a phase those of a group
  Placement placement;
};

[[nodiscard]] double value_of(OfP factor, const Site& site, const Torus& torus);

struct Term {
  OfP of_p = OfP::one;
  bool of_bytes = false;   ///< times b
  double coefficient = 0;  ///< s, or s a byte
};

/// One of several operations whose times add up (table 1: allreduce, allgather).
struct Addend {
  Operation operation = Operation::broadcast;
  bool of_root = false;  ///< at p b instead of b
};

template <typename T>
struct Range {
  T low{};
  T high = std::numeric_limits<T>::max();

  [[nodiscard]] bool contains(T value) const { return low <= value && value <= high; }
};

struct RuntimeFunction {
  Operation operation = Operation::broadcast;
  Algorithm algorithm = Algorithm::library;
  std::optional<Phase> phase;       ///< holds for this phase only
  Range<int> members;               ///< p
  Range<std::uint64_t> size_bytes;  ///< b
  Range<std::uint64_t> root_bytes;  ///< p b
  std::vector<Term> terms;
  std::vector<Addend> sum_of;            ///< instead of terms
  std::optional<double> phases_overlap;  ///< instead of both
  double deviation = 0;
};

/// What a call in two phases takes beyond their sum, on p1 x p2.
struct CouplingTerm {
  OfP of_p1 = OfP::one;
  OfP of_p2 = OfP::one;
  bool of_bytes = false;
  double coefficient = 0;  ///< s, or s a byte; may be negative
};

struct Coupling {
  Operation operation = Operation::broadcast;
  Algorithm algorithm = Algorithm::library;
  Range<int> members;               ///< p1 p2
  Range<std::uint64_t> size_bytes;  ///< b
  std::vector<CouplingTerm> terms;
};

struct Prediction {
  double time_s = 0;
  double deviation = 0;  ///< relative: half of a 95 % interval
};

/// What a message takes, by the functions of the reference algorithms; nothing where none knows its messages.
/// o and G are the medians of the functions' coefficients, L is what is left of a call of two at b = 0, and
/// the eager limit is where the functions of broadcast change.
[[nodiscard]] std::optional<Machine> machine_of(const std::vector<RuntimeFunction>& functions,
                                                const Torus& torus);

/// A profile that is not what docs/formats.md allows; the message names the member.
class ProfileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class RuntimeFunctions {
 public:
  RuntimeFunctions() = default;
  explicit RuntimeFunctions(std::vector<RuntimeFunction> functions, std::vector<Coupling> couplings = {},
                            Torus torus = {})
      : functions_(std::move(functions)),
        couplings_(std::move(couplings)),
        torus_(std::move(torus)),
        machine_(machine_of(functions_, torus_)) {}

  /// The `collectives`, `couplings` and `torus` of a profile's text. Throws ProfileError.
  [[nodiscard]] static RuntimeFunctions from_profile(std::string_view text);

  [[nodiscard]] std::size_t size() const { return functions_.size(); }

  /// The operation on p ranks, flat (no phase) or as a phase of one in two, whose groups lie as `placement`
  /// says. Nothing where no function is for that p and b, or where it gives a time that cannot be.
  [[nodiscard]] std::optional<Prediction> predict(Operation operation, Algorithm algorithm,
                                                  std::optional<Phase> phase, int p, std::uint64_t size_bytes,
                                                  const Placement& placement = {}) const;

  /// Which fraction of the shorter phase hides under the longer when the message is cut; nothing: never cut
  /// it.
  [[nodiscard]] std::optional<double> phases_overlap(Operation operation, Algorithm algorithm, int p,
                                                     std::uint64_t size_bytes) const;

  /// To be added to the sum of the phases on this grid, in seconds; may be negative.
  [[nodiscard]] double coupling_s(Operation operation, Algorithm algorithm, const Grid& grid,
                                  std::uint64_t size_bytes) const;

  /// What operations take beyond their sum when they follow each other, in seconds; sizes in units of
  /// `size_bytes`. Zero where it is not known who sends what.
  [[nodiscard]] double beyond_s(Algorithm algorithm, const std::vector<std::vector<Part>>& operations,
                                std::uint64_t size_bytes) const;

 private:
  [[nodiscard]] const RuntimeFunction* find(Operation operation, Algorithm algorithm,
                                            std::optional<Phase> phase, int p, std::uint64_t size_bytes,
                                            bool only_terms) const;

  std::vector<RuntimeFunction> functions_;
  std::vector<Coupling> couplings_;
  Torus torus_;
  std::optional<Machine> machine_;
};

}  // namespace stretto::collective
