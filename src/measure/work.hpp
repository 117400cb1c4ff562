// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <stretto/work.hpp>  // IWYU pragma: export
