// SPDX-License-Identifier: BSD-3-Clause
// The second name of a function, for profilers that define the first one and call the second. It follows the
// function, in the same file.
#pragma once

#define STRETTO_PRAGMA(text) _Pragma(#text)

/// PNAME is NAME; NAME is weak, so that a program that is linked statically may have its own.
#define STRETTO_PROFILED(name) \
  STRETTO_PRAGMA(weak name)    \
  extern "C" __attribute__((alias(#name))) decltype(name) P##name;

/// The same for the names in lower case.
#define STRETTO_PROFILED_SMALL(name) \
  STRETTO_PRAGMA(weak name)          \
  extern "C" __attribute__((alias(#name))) decltype(name) p##name;
