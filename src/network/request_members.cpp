// SPDX-License-Identifier: BSD-3-Clause
#include "network/request_members.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace stretto::network {
namespace {

/// A number as briefly as it can be read back. This file knows no formatting library: that of an application
/// is another one.
template <typename Number>
std::string shown(Number number) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr};
}

}  // namespace

RequestMembers::RequestMembers(const Json& json, std::string path) : json_(json), path_(std::move(path)) {
  if (!json_.is_object()) throw InvalidRequest(path_ + ": give an object");
}

void RequestMembers::refuse(const char* name, std::string_view what) const {
  throw InvalidRequest(path_ + "." + name + ": " + std::string(what));
}

const Json& RequestMembers::at(const char* name) const {
  if (!has(name)) refuse(name, "is missing");
  return json_[name];
}

std::string RequestMembers::text(const char* name) const {
  const Json& value = at(name);
  if (!value.is_string()) refuse(name, "give a text");
  return value.get<std::string>();
}

std::string RequestMembers::text_or(const char* name, std::string_view otherwise) const {
  return has(name) ? text(name) : std::string(otherwise);
}

bool RequestMembers::flag_or(const char* name, bool otherwise) const {
  if (!has(name)) return otherwise;
  if (!at(name).is_boolean()) refuse(name, "give true or false");
  return at(name).get<bool>();
}

double RequestMembers::number(const char* name, double least, double most) const {
  const Json& value = at(name);
  const double number = value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
  if (number >= least && number <= most) return number;  // false for NaN, too
  const bool is_bounded = most != std::numeric_limits<double>::max();
  refuse(name, "give a number from " + shown(least) + (is_bounded ? " to " + shown(most) : " on"));
}

std::int64_t RequestMembers::whole(const char* name, std::int64_t least, std::int64_t most) const {
  const Json& value = at(name);
  if (value.is_number_integer()) {
    const auto number = value.get<std::int64_t>();
    if (number >= least && number <= most) return number;
  }
  refuse(name, "give a whole number from " + shown(least) + " to " + shown(most));
}

std::vector<double> RequestMembers::numbers(const char* name) const {
  const Json& value = at(name);
  if (!value.is_array()) return {number(name)};
  std::vector<double> found;
  found.reserve(value.size());
  for (const Json& one : value) {
    const double number = one.is_number() ? one.get<double>() : -1;
    if (!(number >= 0)) refuse(name, "[" + shown(found.size()) + "] is no number from 0 on");
    found.push_back(number);
  }
  if (found.empty()) refuse(name, "give at least one number");
  return found;
}

std::vector<std::string> RequestMembers::texts(const char* name) const {
  const Json& value = at(name);
  const bool valid = value.is_array() && std::ranges::all_of(value, &Json::is_string);
  if (!valid) refuse(name, "give an array of texts");
  return value.get<std::vector<std::string>>();
}

RequestMembers RequestMembers::object(const char* name) const { return {at(name), path_ + "." + name}; }

std::vector<RequestMembers> RequestMembers::objects(const char* name) const {
  const Json& value = at(name);
  if (!value.is_array()) refuse(name, "give an array");
  std::vector<RequestMembers> found;
  for (const Json& one : value) found.emplace_back(one, path_ + "." + name + "[" + shown(found.size()) + "]");
  return found;
}

}  // namespace stretto::network
