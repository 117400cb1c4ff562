// SPDX-License-Identifier: BSD-3-Clause
// Collectives of a group, or of a scope of it, by MPI. All come first while requests are still served: MPI
// itself does not serve them.
#pragma once

#include <memory>

#include "armci/group_table.hpp"

namespace stretto::armci {

[[nodiscard]] std::shared_ptr<Group> default_group();
[[nodiscard]] std::shared_ptr<Group> group_in(const ARMCI_Group* group);

/// `root` is a rank of the group. Throws Refused for one that the scope does not mean.
void broadcast(Group& group, int scope, void* buffer, int length, int root);
/// In place, everywhere. Throws Refused for an operation or a type that is none.
void reduce(Group& group, int scope, void* numbers, int count, const char* operation, int type);
/// The buffer of who has the least or allreduce_max first number, everywhere.
void select(Group& group, int scope, void* buffer, int length, const char* operation, int type,
            bool contributes);
/// addresses[i] of rank i.
void exchange(Group& group, void* addresses[], int count);

}  // namespace stretto::armci
