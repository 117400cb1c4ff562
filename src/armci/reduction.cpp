// SPDX-License-Identifier: BSD-3-Clause
// Reductions of every type and scope, and selection.
#include <armci/message.h>

#include "armci/boundary.hpp"
#include "armci/collective.hpp"

using namespace stretto::armci;

namespace {

void over_default(const char* function, int scope, void* x, int n, const char* op, int type) {
  or_abort(function, [&] { reduce(*default_group(), scope, x, n, op, type); });
}

void over_group(const char* function, int scope, void* x, int n, const char* op, int type,
                const ARMCI_Group* group) {
  or_abort(function, [&] { reduce(*group_in(group), scope, x, n, op, type); });
}

}  // namespace

void armci_msg_gop_scope(int scope, void* x, int n, char* op, int type) {
  over_default("armci_msg_gop_scope", scope, x, n, op, type);
}
void armci_msg_reduce_scope(int scope, void* x, int n, char* op, int type) {
  over_default("armci_msg_reduce_scope", scope, x, n, op, type);
}
void armci_msg_reduce(void* x, int n, char* op, int type) {
  over_default("armci_msg_reduce", SCOPE_ALL, x, n, op, type);
}
void armci_msg_igop(int* x, int n, char* op) {
  over_default("armci_msg_igop", SCOPE_ALL, x, n, op, ARMCI_INT);
}
void armci_msg_lgop(long* x, int n, char* op) {
  over_default("armci_msg_lgop", SCOPE_ALL, x, n, op, ARMCI_LONG);
}
void armci_msg_llgop(long long* x, int n, char* op) {
  over_default("armci_msg_llgop", SCOPE_ALL, x, n, op, ARMCI_LONG_LONG);
}
void armci_msg_fgop(float* x, int n, char* op) {
  over_default("armci_msg_fgop", SCOPE_ALL, x, n, op, ARMCI_FLOAT);
}
void armci_msg_dgop(double* x, int n, char* op) {
  over_default("armci_msg_dgop", SCOPE_ALL, x, n, op, ARMCI_DOUBLE);
}

void armci_msg_clus_igop(int* x, int n, char* op) {
  over_default("armci_msg_clus_igop", SCOPE_NODE, x, n, op, ARMCI_INT);
}
void armci_msg_clus_lgop(long* x, int n, char* op) {
  over_default("armci_msg_clus_lgop", SCOPE_NODE, x, n, op, ARMCI_LONG);
}
void armci_msg_clus_llgop(long long* x, int n, char* op) {
  over_default("armci_msg_clus_llgop", SCOPE_NODE, x, n, op, ARMCI_LONG_LONG);
}
void armci_msg_clus_fgop(float* x, int n, char* op) {
  over_default("armci_msg_clus_fgop", SCOPE_NODE, x, n, op, ARMCI_FLOAT);
}
void armci_msg_clus_dgop(double* x, int n, char* op) {
  over_default("armci_msg_clus_dgop", SCOPE_NODE, x, n, op, ARMCI_DOUBLE);
}

void armci_msg_group_gop_scope(int scope, void* x, int n, char* op, int type, ARMCI_Group* group) {
  over_group("armci_msg_group_gop_scope", scope, x, n, op, type, group);
}
void armci_msg_group_igop(int* x, int n, char* op, ARMCI_Group* group) {
  over_group("armci_msg_group_igop", SCOPE_ALL, x, n, op, ARMCI_INT, group);
}
void armci_msg_group_lgop(long* x, int n, char* op, ARMCI_Group* group) {
  over_group("armci_msg_group_lgop", SCOPE_ALL, x, n, op, ARMCI_LONG, group);
}
void armci_msg_group_llgop(long long* x, int n, char* op, ARMCI_Group* group) {
  over_group("armci_msg_group_llgop", SCOPE_ALL, x, n, op, ARMCI_LONG_LONG, group);
}
void armci_msg_group_fgop(float* x, int n, char* op, ARMCI_Group* group) {
  over_group("armci_msg_group_fgop", SCOPE_ALL, x, n, op, ARMCI_FLOAT, group);
}
void armci_msg_group_dgop(double* x, int n, char* op, ARMCI_Group* group) {
  over_group("armci_msg_group_dgop", SCOPE_ALL, x, n, op, ARMCI_DOUBLE, group);
}

void armci_msg_sel_scope(int scope, void* x, int n, char* op, int type, int contribute) {
  or_abort("armci_msg_sel_scope", [&] { select(*default_group(), scope, x, n, op, type, contribute != 0); });
}
