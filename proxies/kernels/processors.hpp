// SPDX-License-Identifier: BSD-3-Clause
// STRETTO_FOR_PROCESSORS compiles a function for several generations of processors; the loader selects the
// best version for this machine. Programs stay portable and still use the available vector instructions.
// STRETTO_INDEPENDENT before a loop states that no iteration reads what another one writes.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define STRETTO_FOR_PROCESSORS __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else  // the resolvers that select a version would run before a sanitizer is initialised
#define STRETTO_FOR_PROCESSORS
#endif

#if defined(__clang__)
#define STRETTO_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define STRETTO_INDEPENDENT _Pragma("GCC ivdep")
#endif
