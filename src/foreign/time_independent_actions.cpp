// SPDX-License-Identifier: BSD-3-Clause
#include "foreign/time_independent_actions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <string>

#include "foreign/damaged.hpp"
#include "foreign/text.hpp"

namespace stretto::foreign {
namespace {

/// Sizes of the datatypes by their numbers in SimGrid 3.32.
constexpr std::array<std::uint8_t, 51> datatype_bytes{
    8, 4,  1,  2,  8, 4,  1,  8,  1, 1,  2,  4,  8,  8, 16, 4, 1,  // MPI_DOUBLE, MPI_INT, ..., MPI_C_BOOL
    1, 2,  4,  8,  1, 2,  4,  8,  8, 16, 32, 8,  8,                // MPI_INT8_T, ..., MPI_OFFSET
    8, 16, 16, 8,  8, 8,  16, 16,                                  // MPI_FLOAT_INT, ..., MPI_2LONG
    4, 4,  8,  16, 8, 16, 32, 4,  2, 4,  8,  16, 32,               // Fortran's, and MPI_LONG_DOUBLE_INT
};

constexpr Action message_action(const char* name, const char* function, Moved moved, bool is_blocking) {
  return {name, Action::message, function, moved, is_blocking};
}

constexpr Action by_all(const char* name, const char* function, ActionBytes sent = {},
                        ActionBytes received = {}, ActionPlace root = {}, ActionPlace flops = {}) {
  return {name, Action::collective, function, Moved::by_all, true, sent, received, root, flops};
}

constexpr auto one = ActionBytes::one;
constexpr auto each = ActionBytes::each;
constexpr auto equal = ActionBytes::equal;
constexpr ActionPlace no_root;
constexpr Action actions[] = {
    {"init", Action::begin, "MPI_Init"},
    {"finalize", Action::end, "MPI_Finalize"},
    {"compute", Action::compute},
    {"sleep", Action::sleep},
    {"wait", Action::wait, "MPI_Wait"},
    {"waitall", Action::waitall, "MPI_Waitall"},
    {"test", Action::test, "MPI_Test"},
    {"comm_size"},
    {"comm_dup"},
    {"comm_split"},
    {"location"},
    message_action("send", "MPI_Send", Moved::sent, true),
    message_action("ssend", "MPI_Ssend", Moved::sent, true),
    message_action("isend", "MPI_Isend", Moved::sent, false),
    message_action("issend", "MPI_Issend", Moved::sent, false),
    message_action("recv", "MPI_Recv", Moved::received, true),
    message_action("irecv", "MPI_Irecv", Moved::received, false),
    by_all("barrier", "MPI_Barrier"),
    by_all("bcast", "MPI_Bcast", {one, 0, 2}, {}, 1),
    by_all("reduce", "MPI_Reduce", {one, 0, 3}, {}, 2, 1),
    by_all("allreduce", "MPI_Allreduce", {one, 0, 2}, {}, no_root, 1),
    by_all("scan", "MPI_Scan", {one, 0, 2}, {}, no_root, 1),
    by_all("exscan", "MPI_Exscan", {one, 0, 2}, {}, no_root, 1),
    by_all("gather", "MPI_Gather", {one, 0, 3}, {equal, 1, 4}, 2),
    by_all("scatter", "MPI_Scatter", {equal, 0, 3}, {one, 1, 4}, 2),
    by_all("allgather", "MPI_Allgather", {one, 0, 2}, {equal, 1, 3}),
    by_all("alltoall", "MPI_Alltoall", {equal, 0, 2}, {equal, 1, 3}),
    by_all("gatherv", "MPI_Gatherv", {one, 0, {2, 1}}, {each, 1, {3, 1}}, {1, 1}),
    by_all("scatterv", "MPI_Scatterv", {each, 0, {2, 1}}, {one, {0, 1}, {3, 1}}, {1, 1}),
    by_all("allgatherv", "MPI_Allgatherv", {one, 0, {1, 1}}, {each, 1, {2, 1}}),
    by_all("alltoallv", "MPI_Alltoallv", {each, 1, {2, 2}}, {each, {2, 1}, {3, 2}}),
    by_all("reducescatter", "MPI_Reduce_scatter", {each, 0, {1, 1}}, {}, no_root, {0, 1}),
};

}  // namespace

const Action* action_named(std::string_view name) {
  const auto* const found = std::ranges::find(actions, name, &Action::name);
  return found == std::end(actions) ? nullptr : found;
}

void ActionWords::read(std::string_view line) {
  name_ = in_lower_case(take_word(line));
  words_.clear();
  for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) words_.push_back(word);
}

std::string_view ActionWords::word(std::size_t at) const {
  if (!has(at)) throw Damaged(fmt::format("{} with too few numbers: it is cut off", shown(name_)));
  return words_[at];
}

double ActionWords::number(std::size_t at) const {
  const std::string text(word(at));
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const bool is_number = end == text.c_str() + text.size() && text.find_first_of("xX") == text.npos;
  if (!is_number || !std::isfinite(value) || value < 0)
    throw Damaged(fmt::format("{} is no number of flops, elements or seconds", shown(text)));
  return value;
}

std::int64_t ActionWords::whole(std::size_t at) const {
  const auto number = whole_number(word(at));
  if (!number) throw Damaged(fmt::format("{} is no whole number", shown(word(at))));
  return *number;
}

double ActionWords::type_bytes(std::size_t at, double bytes) const {
  if (!has(at)) return bytes;
  const std::int64_t number = whole(at);
  const bool is_known = number >= 0 && number < static_cast<std::int64_t>(datatype_bytes.size());
  return is_known ? datatype_bytes[static_cast<std::size_t>(number)] : 0;
}

}  // namespace stretto::foreign
