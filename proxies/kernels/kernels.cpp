// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/kernels.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>

#include "kernels/jacobi.hpp"
#include "kernels/nas/cg.hpp"
#include "kernels/nas/ft.hpp"
#include "kernels/nas/mg.hpp"
#include "kernels/spmv/benchmark.hpp"

namespace stretto::kernel {
namespace {

constexpr std::array<const Kernel*, 5> table = {&cg, &ft, &jacobi, &mg, &spmv_kernel};

template <typename Names, typename Projection>
std::string joined(const Names& names, Projection name_of) {
  std::string text;
  for (const auto& one : names) text += (text.empty() ? "" : ", ") + std::string{name_of(one)};
  return text.empty() ? "none" : text;
}

/// Returns the default where `name` is empty; else `name`, which must be one of `names`. `also` is a name
/// that stands for one of them and has been replaced before.
std::string chosen(const std::string& option, const Kernel& kernel, std::span<const std::string_view> names,
                   const std::string& name, std::string_view prefix = {}, std::string_view also = {}) {
  if (name.empty()) return std::string{names.empty() ? std::string_view{} : names.front()};
  if (std::ranges::find(names, name) != names.end()) return name;
  if (!prefix.empty() && name.starts_with(prefix)) return name;
  std::string known = joined(names, [](std::string_view one) { return one; });
  if (!prefix.empty()) known += ", " + std::string{prefix} + "X";
  if (!also.empty()) known += ", " + std::string{also};
  throw std::invalid_argument(option + " " + name + ": " + std::string{kernel.name} + " has " + known);
}

}  // namespace

std::string Request::text(const std::string& name, const std::string& otherwise) const {
  const auto found = options.find(name);
  return found == options.end() ? otherwise : found->second;
}

std::int64_t Request::whole(const std::string& name, std::int64_t otherwise, std::int64_t low,
                            std::int64_t high) const {
  const auto found = options.find(name);
  if (found == options.end()) return otherwise;
  const std::string& text = found->second;
  std::int64_t value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || rest != text.data() + text.size() || value < low || value > high) {
    throw std::invalid_argument("--set " + name + "=" + text + ": give a whole number from " +
                                std::to_string(low) + " to " + std::to_string(high));
  }
  return value;
}

std::span<const Kernel> all_kernels() {
  static const std::vector<Kernel> kernels = [] {
    std::vector<Kernel> all;
    all.reserve(table.size());
    for (const Kernel* one : table) all.push_back(*one);
    return all;
  }();
  return kernels;
}

const Kernel& find_kernel(std::string_view name) {
  const std::span<const Kernel> kernels = all_kernels();
  const auto found = std::ranges::find(kernels, name, &Kernel::name);
  if (found != kernels.end()) return *found;
  throw std::invalid_argument("unknown kernel '" + std::string{name} + "'; choose from " +
                              joined(kernels, [](const Kernel& one) { return one.name; }));
}

Request checked(const Kernel& kernel, Request request) {
  request.class_name = chosen("--class", kernel, kernel.classes, request.class_name);
  request.variant =
      chosen("--variant", kernel, kernel.variants, request.variant, kernel.variant_prefix, "auto");
  if (!request.variant.empty() && request.variant == kernel.two_sided_variant) {
    constexpr std::string_view two_sided = "mpi-two-sided";
    if (!request.transport.empty() && request.transport != two_sided) {
      throw std::invalid_argument("--transport " + request.transport + ": variant " + request.variant +
                                  " is " + std::string{two_sided});
    }
    request.transport = two_sided;
  }
  request.transport = chosen("--transport", kernel, kernel.transports, request.transport);
  for (const auto& [name, text] : request.options) {
    if (std::ranges::find(kernel.options, name, &Named::name) == kernel.options.end()) {
      std::string said = "--set " + name;
      said.append("=").append(text).append(": ").append(kernel.name).append(" has ");
      throw std::invalid_argument(said + joined(kernel.options, [](const Named& one) { return one.name; }));
    }
  }
  return request;
}

}  // namespace stretto::kernel
