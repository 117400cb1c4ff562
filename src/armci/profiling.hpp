// SPDX-License-Identifier: BSD-3-Clause
// The second name of a function, by which a profiler that defines the first one calls it. Stands behind the
// function, in its file.
#pragma once

#define STRETTO_PRAGMA(text) _Pragma(#text)

/// PNAME is NAME; NAME is weak, so that a program that is linked statically may have its own.
#define STRETTO_PROFILED(name) \
  STRETTO_PRAGMA(weak name)    \
  extern "C" __attribute__((alias(#name))) decltype(name) P##name;

/// The same for the names in small letters.
#define STRETTO_PROFILED_SMALL(name) \
  STRETTO_PRAGMA(weak name)          \
  extern "C" __attribute__((alias(#name))) decltype(name) p##name;
