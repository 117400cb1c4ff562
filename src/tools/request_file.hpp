// SPDX-License-Identifier: BSD-3-Clause
// A request file (docs/formats.md): the input of a native program, as one JSON object. This code rejects
// only unreadable values; python/stretto/options checks the limits.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "measure/named.hpp"

namespace stretto::tools {

using RequestJson = nlohmann::ordered_json;

/// The object in the named file, or in `argument` itself where it begins with a brace. Throws
/// std::invalid_argument with a message of one line.
[[nodiscard]] RequestJson request_json(const std::string& argument);

/// Thrown by the `read` of a codec; describes a valid value.
struct WrongValue {
  std::string expected;
};

/// The JSON form of a type: `read` sets a value or throws WrongValue, `write` is its inverse.
template <typename T>
struct Codec;

template <>
struct Codec<bool> {
  static void read(const RequestJson& json, bool& value) {
    if (!json.is_boolean()) throw WrongValue{"true or false"};
    value = json.get<bool>();
  }
  static RequestJson write(bool value) { return value; }
};

template <>
struct Codec<double> {
  static void read(const RequestJson& json, double& value) {
    if (!json.is_number()) throw WrongValue{"a number"};
    value = json.get<double>();
  }
  static RequestJson write(double value) { return value; }
};

template <>
struct Codec<std::string> {
  static void read(const RequestJson& json, std::string& value) {
    if (!json.is_string()) throw WrongValue{"a text"};
    value = json.get<std::string>();
  }
  static RequestJson write(const std::string& value) { return value; }
};

template <std::integral T>
struct Codec<T> {
  static void read(const RequestJson& json, T& value) {
    if (json.is_number_unsigned() && std::in_range<T>(json.get<std::uint64_t>())) {
      value = static_cast<T>(json.get<std::uint64_t>());
    } else if (json.is_number_integer() && !json.is_number_unsigned() &&
               std::in_range<T>(json.get<std::int64_t>())) {
      value = static_cast<T>(json.get<std::int64_t>());
    } else {
      throw WrongValue{"a whole number from " + std::to_string(std::numeric_limits<T>::min()) + " to " +
                       std::to_string(std::numeric_limits<T>::max())};
    }
  }
  static RequestJson write(T value) { return value; }
};

/// The enumerator of that name; specialised for enumerations of public headers.
template <typename T>
std::optional<T> enumerator_from(std::string_view name) {
  return measure::enumerator_from<T>(name);
}

template <typename T>
requires std::is_enum_v<T>
struct Codec<T> {
  static void read(const RequestJson& json, T& value) {
    const std::optional<T> found =
        json.is_string() ? enumerator_from<T>(json.get<std::string>()) : std::nullopt;
    if (!found) throw WrongValue{"a name that this program knows, not " + json.dump()};
    value = *found;
  }
  static RequestJson write(T value) { return std::string{to_string(value)}; }
};

template <typename T>
struct Codec<std::vector<T>> {
  static void read(const RequestJson& json, std::vector<T>& values) {
    if (!json.is_array()) throw WrongValue{"a list"};
    values.clear();
    for (const RequestJson& one : json) Codec<T>::read(one, values.emplace_back());
  }
  static RequestJson write(const std::vector<T>& values) {
    RequestJson json = RequestJson::array();
    for (const T& value : values) json.push_back(Codec<T>::write(value));
    return json;
  }
};

template <typename T>
struct Codec<std::optional<T>> {
  static void read(const RequestJson& json, std::optional<T>& value) {
    value.reset();
    if (!json.is_null()) Codec<T>::read(json, value.emplace());
  }
  static RequestJson write(const std::optional<T>& value) {
    return value ? Codec<T>::write(*value) : RequestJson{};
  }
};

template <>
struct Codec<std::map<std::string, std::string>> {
  static void read(const RequestJson& json, std::map<std::string, std::string>& values) {
    if (!json.is_object()) throw WrongValue{"an object of texts"};
    values.clear();
    for (const auto& [name, one] : json.items()) Codec<std::string>::read(one, values[name]);
  }
  static RequestJson write(const std::map<std::string, std::string>& values) {
    RequestJson json = RequestJson::object();
    for (const auto& [name, one] : values) json[name] = one;
    return json;
  }
};

/// Reads members one by one; an absent member leaves its value unchanged.
class RequestReader {
 public:
  explicit RequestReader(RequestJson json) : json_(std::move(json)) { known_.emplace_back("schema"); }

  template <typename T>
  void operator()(const std::string& name, T& value) {
    known_.push_back(name);
    const auto found = json_.find(name);
    if (found == json_.end()) return;
    try {
      Codec<T>::read(*found, value);
    } catch (const WrongValue& wrong) {
      throw std::invalid_argument("--request: " + name + ": must be " + wrong.expected);
    }
  }

  /// Throws std::invalid_argument where the request lacks the member.
  void require(const std::string& name) const;
  /// Throws std::invalid_argument where the request has a member that was not read.
  void finish() const;

 private:
  RequestJson json_;
  std::vector<std::string> known_;
};

/// Collects all members with their default values.
struct DefaultsWriter {
  RequestJson json;

  template <typename T>
  void operator()(const std::string& name, const T& value) {
    json[name] = Codec<T>::write(value);
  }
};

}  // namespace stretto::tools
