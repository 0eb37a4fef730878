// SPDX-License-Identifier: Apache-2.0
// Named values: options that come in, attributes that go out.
#pragma once

#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pjrt/abi.hpp"

namespace tw::pjrt {

// A list of them that owns its names and values.
class NamedValues {
public:
  NamedValues() = default;
  NamedValues(const NamedValues &) = delete; // values point into it
  void add(std::string name, std::string text);
  void add(std::string name, int64_t integer);
  void add(std::string name, float real);
  void add(std::string name, std::vector<int64_t> integers);
  std::span<const abi::NamedValue> list() const { return values_; }

private:
  abi::NamedValue &begin(std::string name, abi::ValueKind kind, size_t size);
  std::vector<abi::NamedValue> values_;
  std::deque<std::string> texts_;
  std::deque<std::vector<int64_t>> integers_;
};

// Options of a call, by name. Those of another kind are a Failure.
std::optional<std::string> text_option(std::span<const abi::NamedValue> options, std::string_view name);
std::optional<int64_t> integer_option(std::span<const abi::NamedValue> options, std::string_view name);

} // namespace tw::pjrt
