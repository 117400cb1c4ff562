// SPDX-License-Identifier: BSD-3-Clause
// The tables that preloaded libraries write when a program ends. Knows no MPI.
#pragma once

#include <string>

namespace stretto::mpi {

/// Writes a table to standard error where `where` is `1`, else to that file: the first table of a process
/// replaces the file, and those of further libraries follow it. Complains on standard error where it cannot.
void write_statistics(const std::string& where, const std::string& table);

}  // namespace stretto::mpi
