// SPDX-License-Identifier: BSD-3-Clause
// The list of all kernels, one file or folder each, and the validation of requests.
#pragma once

#include <span>
#include <string_view>

#include "kernels/kernel.hpp"

namespace stretto::kernel {

[[nodiscard]] std::span<const Kernel> all_kernels();

/// The kernel of this name. Throws std::invalid_argument with the known names if there is none.
[[nodiscard]] const Kernel& find_kernel(std::string_view name);

/// `request` completed with defaults. Throws std::invalid_argument that names the option and the values that
/// the kernel supports.
[[nodiscard]] Request checked(const Kernel& kernel, Request request);

}  // namespace stretto::kernel
