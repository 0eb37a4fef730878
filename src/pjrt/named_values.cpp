// SPDX-License-Identifier: Apache-2.0
// Named values, owned and looked up.
#include "pjrt/named_values.hpp"

#include <algorithm>

#include "pjrt/error.hpp"

namespace tw::pjrt {

namespace {

const abi::NamedValue *find(std::span<const abi::NamedValue> options, std::string_view name,
                            abi::ValueKind kind, const char *what) {
  const auto found = std::ranges::find_if(
      options, [&](const auto &option) { return std::string_view(option.name, option.name_size) == name; });
  if (found == options.end())
    return nullptr;
  if (found->kind != kind)
    throw Failure{abi::Code::invalid_argument, "option " + std::string(name) + " is no " + what};
  return &*found;
}

} // namespace

abi::NamedValue &NamedValues::begin(std::string name, abi::ValueKind kind, size_t size) {
  const std::string &kept = texts_.emplace_back(std::move(name));
  abi::NamedValue &value = values_.emplace_back();
  value.struct_size = sizeof value;
  value.name = kept.c_str();
  value.name_size = kept.size();
  value.kind = kind;
  value.size = size;
  return value;
}

void NamedValues::add(std::string name, std::string text) {
  const std::string &kept = texts_.emplace_back(std::move(text));
  begin(std::move(name), abi::ValueKind::text, kept.size()).text = kept.c_str();
}

void NamedValues::add(std::string name, int64_t integer) {
  begin(std::move(name), abi::ValueKind::integer, 1).integer = integer;
}

void NamedValues::add(std::string name, float real) {
  begin(std::move(name), abi::ValueKind::real, 1).real = real;
}

void NamedValues::add(std::string name, std::vector<int64_t> integers) {
  const std::vector<int64_t> &kept = integers_.emplace_back(std::move(integers));
  begin(std::move(name), abi::ValueKind::integers, kept.size()).integers = kept.data();
}

std::optional<std::string> text_option(std::span<const abi::NamedValue> options, std::string_view name) {
  const abi::NamedValue *found = find(options, name, abi::ValueKind::text, "string");
  return found == nullptr ? std::nullopt
                          : std::optional<std::string>(std::in_place, found->text, found->size);
}

std::optional<int64_t> integer_option(std::span<const abi::NamedValue> options, std::string_view name) {
  const abi::NamedValue *found = find(options, name, abi::ValueKind::integer, "integer");
  return found == nullptr ? std::nullopt : std::optional<int64_t>(found->integer);
}

} // namespace tw::pjrt
