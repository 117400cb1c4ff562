// SPDX-License-Identifier: BSD-3-Clause
// Reads and checks the members of one JSON object of a request by name. Errors give the path of the member,
// such as `requests[2].path.ranges[0].latency_s`.
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace stretto::network {

using Json = nlohmann::json;

/// An invalid request; the message is `requests[I].MEMBER: ` and the error.
class InvalidRequest : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

class RequestMembers {
 public:
  /// Throws InvalidRequest where `json` is no object. `json` must outlive this object.
  RequestMembers(const Json& json, std::string path);

  [[nodiscard]] bool has(const char* name) const { return json_.contains(name) && !json_[name].is_null(); }
  [[nodiscard]] const Json& at(const char* name) const;
  [[nodiscard]] std::string text(const char* name) const;
  [[nodiscard]] std::string text_or(const char* name, std::string_view otherwise) const;
  [[nodiscard]] bool flag_or(const char* name, bool otherwise) const;
  [[nodiscard]] double number(const char* name, double least = 0,
                              double most = std::numeric_limits<double>::max()) const;
  [[nodiscard]] std::int64_t whole(const char* name, std::int64_t least, std::int64_t most) const;
  /// An array of numbers, or one number as an array of length 1. Negative numbers are errors.
  [[nodiscard]] std::vector<double> numbers(const char* name) const;
  /// An array of texts.
  [[nodiscard]] std::vector<std::string> texts(const char* name) const;
  [[nodiscard]] RequestMembers object(const char* name) const;
  /// An array of objects.
  [[nodiscard]] std::vector<RequestMembers> objects(const char* name) const;

  /// Throws InvalidRequest for a member of this object.
  [[noreturn]] void refuse(const char* name, std::string_view what) const;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  const Json& json_;
  std::string path_;
};

}  // namespace stretto::network
