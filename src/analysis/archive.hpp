// SPDX-License-Identifier: BSD-3-Clause
// Values as bytes, and back, for another process of the same program.
//
// An archive writes values, or reads them in the same order. `fields(archive, value)` names the members of a
// struct once, for both.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace stretto::analysis {

using Bytes = std::vector<std::byte>;

class Archive {
 public:
  /// Writes.
  Archive() = default;
  /// Reads.
  explicit Archive(Bytes bytes) : bytes_(std::move(bytes)), reads_(true) {}

  template <typename... Values>
  void operator()(Values&... values) {
    (value(values), ...);
  }
  [[nodiscard]] Bytes take() { return std::move(bytes_); }

 private:
  void raw(void* data, std::size_t size) {
    if (!reads_) {
      const auto* const first = static_cast<const std::byte*>(data);
      bytes_.insert(bytes_.end(), first, first + size);
      return;
    }
    if (size > bytes_.size() - at_) throw std::runtime_error("a message of another process is too short");
    if (size > 0) std::memcpy(data, bytes_.data() + at_, size);
    at_ += size;
  }
  /// The number of elements that follow.
  std::size_t count(std::size_t own) {
    std::uint64_t count = own;
    raw(&count, sizeof count);
    return static_cast<std::size_t>(count);
  }

  template <typename Value>
  void value(Value& one) {
    if constexpr (requires { fields(*this, one); }) {
      fields(*this, one);
    } else {
      static_assert(std::is_trivially_copyable_v<Value> && !std::is_pointer_v<Value>);
      raw(&one, sizeof one);
    }
  }
  void value(std::string& text) {
    text.resize(count(text.size()));
    raw(text.data(), text.size());
  }
  template <typename First, typename Second>
  void value(std::pair<First, Second>& both) {
    value(both.first);
    value(both.second);
  }
  template <typename Value, std::size_t size>
  void value(std::array<Value, size>& all) {
    for (Value& one : all) value(one);
  }
  template <typename Value>
  void value(std::vector<Value>& all) {
    const std::size_t size = count(all.size());
    if (reads_) all.resize(size);
    for (Value& one : all) value(one);
  }
  template <typename Value>
  void value(std::set<Value>& all) {
    const std::size_t size = count(all.size());
    if (!reads_) {
      for (Value one : all) value(one);
      return;
    }
    for (std::size_t i = 0; i < size; ++i) {
      Value one;
      value(one);
      all.insert(std::move(one));
    }
  }
  /// A map, or another container in which values are found by their keys.
  template <template <typename, typename, typename...> typename Map, typename Key, typename Value,
            typename... More>
  void value(Map<Key, Value, More...>& all) {
    const std::size_t size = count(all.size());
    if (!reads_) {
      for (const auto& [key, mapped] : all) {
        Key copied = key;
        value(copied);
        value(all[key]);
      }
      return;
    }
    for (std::size_t i = 0; i < size; ++i) {
      Key key;
      value(key);
      value(all[key]);
    }
  }

  Bytes bytes_;
  bool reads_ = false;
  std::size_t at_ = 0;
};

}  // namespace stretto::analysis
