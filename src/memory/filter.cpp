// SPDX-License-Identifier: BSD-3-Clause
#include "memory/filter.hpp"

std::atomic<std::uint8_t> stretto_memory_filter[stretto::memory::filter_pages];
