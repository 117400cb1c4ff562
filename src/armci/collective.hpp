// SPDX-License-Identifier: BSD-3-Clause
// Collectives of a group, or of a scope of it, by MPI. A barrier that serves requests comes first, because
// MPI does not serve them.
#pragma once

#include <memory>

#include "armci/group_table.hpp"

namespace stretto::armci {

[[nodiscard]] std::shared_ptr<Group> default_group();
[[nodiscard]] std::shared_ptr<Group> group_in(const ARMCI_Group* group);

/// Throws Refused for a negative length (the argument `name`), and for no buffer of a length.
void check_buffer(const void* buffer, int length, const char* name);
/// `root` is a rank of the group. Throws Refused where the scope does not have it.
void broadcast(Group& group, int scope, void* buffer, int length, int root);
/// An allreduce in place. Throws Refused for an unknown operation or type.
void reduce(Group& group, int scope, void* numbers, int count, const char* operation, int type);
/// Broadcasts the buffer of the process with the least or largest first number.
void select(Group& group, int scope, void* buffer, int length, const char* operation, int type,
            bool contributes);
/// An allgather: addresses[i] is that of rank i.
void exchange(Group& group, void* addresses[], int count);

}  // namespace stretto::armci
