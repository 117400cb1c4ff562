// SPDX-License-Identifier: BSD-3-Clause
// Whether the program, or a library of it, refers to a function by name.
#pragma once

#include <string>

namespace stretto::armci {

/// The file of a loaded object that has an undefined dynamic symbol of this name, `the program` where it is
/// the program's own; empty: there is none. Source: the ELF format's symbol table.
[[nodiscard]] std::string object_that_references(const char* name);

}  // namespace stretto::armci
