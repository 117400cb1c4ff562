// SPDX-License-Identifier: BSD-3-Clause
// Collectives of a team. All members call them, in the same order. While a rank waits in one it serves other
// ranks, which a collective of MPI would not do. They move a rank's own memory and order nothing else, but
// for barrier: it is Team::barrier.
//
// All throw before any byte moves: ArgumentError for a root that is no member and for sizes that do not fit,
// FinalizedError after the end of the runtime. The nonblocking ones need their buffers until they are waited
// for.
#pragma once

#include <cstdint>
#include <memory>
#include <ranges>
#include <span>
#include <stretto/shape.hpp>
#include <stretto/team.hpp>
#include <type_traits>

namespace stretto {

namespace onesided {
struct TeamRequestState;
}  // namespace onesided

enum class Reduction { sum, product, min, max, bit_and, bit_or, bit_xor, logical_and, logical_or };

/// A collective that has started. It must be waited for: dropping one is an error as of a Handle.
class [[nodiscard]] TeamRequest {
 public:
  /// Of no collective.
  TeamRequest();
  TeamRequest(TeamRequest&&) noexcept;
  TeamRequest& operator=(TeamRequest&&) noexcept;
  ~TeamRequest();

  [[nodiscard]] bool pending() const { return state_ != nullptr; }
  void wait();
  /// True when it is complete, and then it is no longer pending.
  [[nodiscard]] bool test();

 private:
  friend struct onesided::TeamRequestState;
  explicit TeamRequest(std::unique_ptr<onesided::TeamRequestState> state);
  void end() noexcept;

  std::unique_ptr<onesided::TeamRequestState> state_;
};

namespace detail {

enum class ReducedType { int32, int64, uint32, uint64, float32, float64 };

template <typename T>
inline constexpr bool is_reducible = (std::is_integral_v<T> && (sizeof(T) == 4 || sizeof(T) == 8)) ||
                                     std::is_same_v<T, float> || std::is_same_v<T, double>;

template <typename T>
[[nodiscard]] constexpr ReducedType reduced_type() {
  static_assert(is_reducible<T>, "reductions take integers of 32 and 64 bits, float and double");
  if constexpr (std::is_same_v<T, float>) return ReducedType::float32;
  if constexpr (std::is_same_v<T, double>) return ReducedType::float64;
  if constexpr (std::is_signed_v<T>) return sizeof(T) == 4 ? ReducedType::int32 : ReducedType::int64;
  return sizeof(T) == 4 ? ReducedType::uint32 : ReducedType::uint64;
}

inline constexpr int every_member = -1;
/// `root`: the member that gets the result, or every_member.
TeamRequest start_reduce(const Team& team, Source mine, Sink result, ReducedType type, Reduction reduction,
                         int root);

template <typename Range>
using value_of = std::remove_cv_t<std::ranges::range_value_t<std::remove_reference_t<Range>>>;

}  // namespace detail

namespace nonblocking {

TeamRequest barrier(const Team& team);
/// The root's data, to all members.
TeamRequest broadcast(const Team& team, Sink data, int root);
/// `all` has as many times the size of `mine` as the team has members, in their order.
TeamRequest allgather(const Team& team, Source mine, Sink all);
/// Both consist of a block for each member: the one sent to it, and the one received from it.
TeamRequest alltoall(const Team& team, Source blocks, Sink received);

/// Element by element; `result` may be empty on the members that are not the root.
template <std::ranges::contiguous_range In, std::ranges::contiguous_range Out>
TeamRequest reduce(const Team& team, const In& mine, Out&& result, Reduction reduction, int root) {
  static_assert(std::is_same_v<detail::value_of<In>, detail::value_of<Out>>);
  return detail::start_reduce(team, mine, result, detail::reduced_type<detail::value_of<In>>(), reduction,
                              root);
}
template <std::ranges::contiguous_range In, std::ranges::contiguous_range Out>
TeamRequest allreduce(const Team& team, const In& mine, Out&& result, Reduction reduction) {
  return nonblocking::reduce(team, mine, result, reduction, detail::every_member);
}

}  // namespace nonblocking

inline void barrier(const Team& team) { team.barrier(); }
void broadcast(const Team& team, Sink data, int root);
void allgather(const Team& team, Source mine, Sink all);
void alltoall(const Team& team, Source blocks, Sink received);

template <std::ranges::contiguous_range In, std::ranges::contiguous_range Out>
void reduce(const Team& team, const In& mine, Out&& result, Reduction reduction, int root) {
  nonblocking::reduce(team, mine, result, reduction, root).wait();
}
template <std::ranges::contiguous_range In, std::ranges::contiguous_range Out>
void allreduce(const Team& team, const In& mine, Out&& result, Reduction reduction) {
  nonblocking::allreduce(team, mine, result, reduction).wait();
}
/// Of one number of each member.
template <typename T>
requires detail::is_reducible<T>
[[nodiscard]] T allreduce(const Team& team, T mine, Reduction reduction) {
  T result{};
  allreduce(team, std::span<const T, 1>(&mine, 1), std::span<T, 1>(&result, 1), reduction);
  return result;
}

}  // namespace stretto
