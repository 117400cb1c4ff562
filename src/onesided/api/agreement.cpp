// SPDX-License-Identifier: BSD-3-Clause
#include "onesided/api/agreement.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <new>
#include <stretto/error.hpp>
#include <string>
#include <string_view>

#include "mpi/check.hpp"
#include "onesided/api/access.hpp"
#include "onesided/api/runtime_state.hpp"

namespace stretto::onesided {

using mpi::check;

namespace {

constexpr std::uint64_t refusal_bit = std::uint64_t{1} << 62U;

enum class Kind { none, argument, handle, region_in_use, finalized, timeout, memory, coded, other };

/// What a rank has thrown, as it travels to the others.
struct Refusal {
  Kind kind = Kind::none;
  int code = 0;
  std::array<char, 60> argument{};
  std::array<char, 448> text{};
};

template <std::size_t size>
void copy(std::array<char, size>& to, std::string_view from) {
  from.copy(to.data(), size - 1);
}

Refusal refusal_of(const std::exception_ptr& thrown) {
  Refusal refusal{.kind = Kind::other};
  try {
    std::rethrow_exception(thrown);
  } catch (const ArgumentError& error) {
    refusal.kind = Kind::argument;
    copy(refusal.argument, error.argument());
    copy(refusal.text, std::string_view(error.what()).substr(error.argument().size() + 2));
  } catch (const CodedError& error) {
    refusal.kind = Kind::coded;
    refusal.code = error.code();
    copy(refusal.text, error.what());
  } catch (const std::bad_alloc&) {
    refusal.kind = Kind::memory;
    copy(refusal.text, "there is not enough memory");
    return refusal;
  } catch (const std::exception& error) {
    if (dynamic_cast<const HandleError*>(&error) != nullptr) refusal.kind = Kind::handle;
    if (dynamic_cast<const RegionInUseError*>(&error) != nullptr) refusal.kind = Kind::region_in_use;
    if (dynamic_cast<const FinalizedError*>(&error) != nullptr) refusal.kind = Kind::finalized;
    if (dynamic_cast<const TimeoutError*>(&error) != nullptr) refusal.kind = Kind::timeout;
    if (dynamic_cast<const MemoryError*>(&error) != nullptr) refusal.kind = Kind::memory;
    copy(refusal.text, error.what());
  } catch (...) {
    copy(refusal.text, "an exception of unknown type");
  }
  return refusal;
}

[[noreturn]] void throw_refusal(const Refusal& refusal, int rank) {
  const std::string text = "at rank " + std::to_string(rank) + ": " + refusal.text.data();
  switch (refusal.kind) {
    case Kind::argument:
      throw ArgumentError(refusal.argument.data(), text);
    case Kind::handle:
      throw HandleError(text);
    case Kind::region_in_use:
      throw RegionInUseError(text);
    case Kind::finalized:
      throw FinalizedError(text);
    case Kind::timeout:
      throw TimeoutError(text);
    case Kind::memory:
      throw MemoryError(text);
    case Kind::coded:
      throw CodedError(refusal.code, text);
    default:
      throw Error(text);
  }
}

}  // namespace

std::uint64_t agree(MPI_Comm over, const Maximum& maximum, std::uint64_t value,
                    const std::function<void()>& check_call, std::span<const int> names) {
  std::exception_ptr thrown;
  try {
    check_call();
  } catch (...) {
    thrown = std::current_exception();
  }
  int rank = 0;
  int size = 0;
  check(MPI_Comm_rank(over, &rank), "MPI_Comm_rank");
  check(MPI_Comm_size(over, &size), "MPI_Comm_size");
  const auto before_end = static_cast<std::uint64_t>(size - rank);  // the lowest rank has the largest
  const std::uint64_t most = maximum(thrown == nullptr ? value : refusal_bit + before_end);
  if (most < refusal_bit) return most;
  // All ranks are in this call and have left the maximum, so none needs to be served.
  const int first = size - static_cast<int>(most - refusal_bit);
  Refusal refusal = thrown != nullptr ? refusal_of(thrown) : Refusal{};
  check(MPI_Bcast(&refusal, sizeof refusal, MPI_BYTE, first, over), "MPI_Bcast");
  if (thrown != nullptr) std::rethrow_exception(thrown);
  throw_refusal(refusal, names.empty() ? first : names[static_cast<std::size_t>(first)]);
}

void agree(MPI_Comm over, const std::function<void()>& check_call) {
  const auto maximum = [over](std::uint64_t value) {
    check(MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_UINT64_T, MPI_MAX, over), "MPI_Allreduce");
    return value;
  };
  (void)agree(over, maximum, 0, check_call);
}

std::uint64_t agree(const Team& team, std::uint64_t value, const std::function<void()>& check_call) {
  const TeamState& state = *Access::state(team);
  state.state->check_alive();
  return state.state->agree(state, value, check_call);
}

void agree(const Team& team, const std::function<void()>& check_call) { (void)agree(team, 0, check_call); }

void agree(const Runtime& runtime, const std::function<void()>& check_call) {
  RuntimeState& state = *Access::state(runtime);
  state.check_alive();
  (void)state.agree(*state.world, 0, check_call);
}

void agree_on_equal(const Runtime& runtime, std::span<const std::uint64_t> numbers, const char* argument) {
  std::uint64_t digest = 0xCBF29CE484222325U;  // FNV-1a, of words
  for (const std::uint64_t number : numbers) digest = (digest ^ number ^ (number >> 32U)) * 0x100000001B3U;
  digest %= refusal_bit;
  RuntimeState& state = *Access::state(runtime);
  state.check_alive();
  const std::uint64_t largest = state.agree(*state.world, digest, [] {});
  agree(runtime, [&] {
    if (digest != largest) throw ArgumentError(argument, "is not the same as on other ranks");
  });
}

}  // namespace stretto::onesided

void stretto::detail::agree(const Team& team, const std::function<void()>& check) {
  onesided::agree(team, check);
}
