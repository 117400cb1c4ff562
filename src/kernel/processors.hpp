// SPDX-License-Identifier: BSD-3-Clause
// STRETTO_FOR_PROCESSORS before a function compiles it for several generations of processors; the loader
// takes the best that this machine can run. Programs stay portable, and loops get the vectors that are there.
// STRETTO_INDEPENDENT before a loop: what one pass writes, no other one reads.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define STRETTO_FOR_PROCESSORS __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else  // the resolvers that choose would run before a sanitizer is ready
#define STRETTO_FOR_PROCESSORS
#endif

#if defined(__clang__)
#define STRETTO_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define STRETTO_INDEPENDENT _Pragma("GCC ivdep")
#endif
