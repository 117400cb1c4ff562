// SPDX-License-Identifier: BSD-3-Clause
// Whether the program, or a library of it, refers to a function by name.
#pragma once

namespace stretto::armci {

/// Whether a loaded object has an undefined dynamic symbol of this name. Source: the ELF format's symbol
/// table. False on systems without it.
[[nodiscard]] bool is_symbol_referenced(const char* name);

}  // namespace stretto::armci
