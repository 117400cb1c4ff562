// SPDX-License-Identifier: BSD-3-Clause
// All kernels, one file or folder each, and the check of what one of them is asked for.
#pragma once

#include <span>
#include <string_view>

#include "kernel/kernel.hpp"

namespace stretto::kernel {

[[nodiscard]] std::span<const Kernel> all_kernels();

/// Throws std::invalid_argument, with the names that there are, when there is none of that name.
[[nodiscard]] const Kernel& find_kernel(std::string_view name);

/// `request` with defaults where it says nothing. Throws std::invalid_argument that names the option and what
/// the kernel has instead.
[[nodiscard]] Request checked(const Kernel& kernel, Request request);

}  // namespace stretto::kernel
