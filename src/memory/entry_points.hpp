// SPDX-License-Identifier: BSD-3-Clause
// The entry points of libstretto_memory.so for the callbacks: accesses of any length and address, watched or
// not.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" __attribute__((visibility("default"))) void stretto_memory_loads(std::uintptr_t address,
                                                                            std::size_t bytes);
extern "C" __attribute__((visibility("default"))) void stretto_memory_stores(std::uintptr_t address,
                                                                             std::size_t bytes);
