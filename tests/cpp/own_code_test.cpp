// SPDX-License-Identifier: BSD-3-Clause
#include "memory/own_code.hpp"

#include <gtest/gtest.h>

namespace stretto::memory {
namespace {

TEST(OwnCode, FunctionsInNamespacesOfTheLibraryAreNotTheProgramsOwn) {
  for (const char* name : {
           "_ZNSt6vectorIdSaIdEEC2EmRKS0_",             // std::vector
           "_ZNKSt6vectorIdSaIdEE12_M_check_lenEmPKc",  // a const member
           "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6resizeEm",
           "_ZSt11make_uniqueIA_dENSt8__detail9_MakeUniqIT_E7__arrayEm",  // std::make_unique
           "_ZNSaIdEC1Ev",                                                // std::allocator
           "_ZN9__gnu_cxx13new_allocatorIdE8allocateEmPKv",
           "_ZZNSt8functionIFvvEEC1EvENKUlvE_clEv",  // inside one of its functions
       }) {
    EXPECT_TRUE(is_of_cpp_library(name)) << name;
  }
}

TEST(OwnCode, FunctionsThatOnlyUseTheLibraryAreTheProgramsOwn) {
  for (const char* name : {
           "main",
           "xmalloc",
           "_Z4fillRSt6vectorIdSaIdEE",  // fill(std::vector&)
           "_ZN5FieldC2Em",              // Field::Field
           "_ZN2St3runEv",               // St::run
           "_ZZ4mainENKUlvE_clEv",       // a lambda of main
           "_ZL5StartSt6vectorIdSaIdEE",
           "",
       }) {
    EXPECT_FALSE(is_of_cpp_library(name)) << name;
  }
}

TEST(OwnCode, AnUnknownAddressIsItsOwnPlace) { EXPECT_EQ(own_caller(1), 1U); }

}  // namespace
}  // namespace stretto::memory
