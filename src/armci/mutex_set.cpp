// SPDX-License-Identifier: BSD-3-Clause
#include "armci/mutex_set.hpp"

#include <string>

#include "armci/boundary.hpp"

namespace stretto::armci {

std::size_t MutexSet::index_of(int owner, int mutex) const {
  if (mutex < 0) throw Refused(FAIL6, "mutex: " + std::to_string(mutex) + " is negative");
  const auto index = static_cast<std::size_t>(mutex);
  mutexes_.check(owner, index);
  return index;
}

void MutexSet::lock(int owner, int mutex) {
  const std::size_t index = index_of(owner, mutex);
  holders_.enter(runtime_, {owner, mutex});
  try {
    mutexes_.lock(owner, index);
  } catch (...) {
    holders_.leave({owner, mutex});
    throw;
  }
  holders_.hold({owner, mutex});
}

void MutexSet::unlock(int owner, int mutex) {
  const std::size_t index = index_of(owner, mutex);
  holders_.begin_unlock({owner, mutex});
  mutexes_.unlock(owner, index);
  holders_.leave({owner, mutex});
}

}  // namespace stretto::armci
