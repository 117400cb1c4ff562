// SPDX-License-Identifier: BSD-3-Clause
#include "foreign/foreign_call.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "foreign/text.hpp"

namespace stretto::foreign {
namespace {

using Names = std::initializer_list<std::string_view>;

bool begins_with(std::string_view name, Names begins) {
  return std::ranges::any_of(begins, [&](std::string_view one) { return name.starts_with(one); });
}

bool is_one_of(std::string_view name, Names all) { return std::ranges::find(all, name) != all.end(); }

// Calls whose time is communication, behind MPI_ in lower case. The first may begin with an I, the second
// with an R.
constexpr std::string_view nonblocking_too =
    " send bsend ssend rsend recv mrecv sendrecv sendrecv_replace barrier bcast alltoall alltoallv alltoallw "
    "gather"
    " gatherv allgather allgatherv scatter scatterv reduce allreduce scan exscan reduce_scatter"
    " reduce_scatter_block neighbor_allgather neighbor_allgatherv neighbor_alltoall neighbor_alltoallv"
    " neighbor_alltoallw ";
constexpr std::string_view with_request_too = " put get accumulate get_accumulate ";
constexpr std::string_view others =
    " probe mprobe start startall fetch_and_op compare_and_swap win_create win_create_dynamic win_allocate"
    " win_allocate_shared win_free win_fence win_start win_complete win_post win_wait win_sync win_lock "
    "win_unlock"
    " win_lock_all win_unlock_all win_flush win_flush_all win_flush_local win_flush_local_all comm_dup"
    " comm_dup_with_info comm_idup comm_idup_with_info comm_create comm_create_group comm_split "
    "comm_split_type"
    " comm_free comm_disconnect cart_create cart_sub graph_create graph_create_adjacent dist_graph_create"
    " dist_graph_create_adjacent intercomm_create intercomm_merge ";

bool communicates(std::string_view name) {
  const std::string word = in_lower_case(name.substr(std::string_view("MPI_").size()));
  if (word.find(' ') != std::string::npos) return false;
  const auto is_in = [&](std::string_view words, char first) {
    const bool has_first = word.starts_with(first);
    return words.find(' ' + word + ' ') != std::string_view::npos ||
           (has_first && words.find(' ' + word.substr(1) + ' ') != std::string_view::npos);
  };
  return is_in(nonblocking_too, 'i') || is_in(with_request_too, 'r') || is_in(others, '\0');
}

Function function_named(const std::string& name) {
  Function made{.name = name, .unknown_caller = "unknown caller of " + name};
  made.probes = name == "MPI_Iprobe"    ? "iprobe"
                : name == "MPI_Mprobe"  ? "mprobe"
                : name == "MPI_Improbe" ? "improbe"
                                        : "probe";
  made.receives_probed = is_one_of(name, {"MPI_Mrecv", "MPI_Imrecv"});
  made.begins_run = name.starts_with("MPI_Init");
  made.precedes_run =
      is_one_of(name, {"MPI_Initialized", "MPI_Finalized", "MPI_Get_version", "MPI_Get_library_version"});
  made.starts_requests = name.find("Start") != std::string::npos;
  made.completes = begins_with(name, {"MPI_Wait", "MPI_Test"});
  made.makes_comm = begins_with(
      name, {"MPI_Comm_create", "MPI_Comm_dup", "MPI_Comm_split", "MPI_Cart_create", "MPI_Graph_create"});
  made.communicates = communicates(name);
  return made;
}

}  // namespace

const Function* Functions::add(const std::string& name) {
  const auto found = all_.find(name);
  return found != all_.end() ? &found->second : &all_.emplace(name, function_named(name)).first->second;
}

}  // namespace stretto::foreign
