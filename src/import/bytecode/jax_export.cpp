// SPDX-License-Identifier: Apache-2.0
// A flat buffer is tables, each with the distance to a list of where its fields lie. Of the program's table
// the module and the calling convention matter: the shardings and the devices stand in the module too.
#include "import/bytecode/jax_export.hpp"

#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "import/bytecode/artifact.hpp"

namespace tw::import::bytecode {

namespace {

// Fields of the program's table, by their place in its schema.
enum Field : size_t { kModule = 13, kCallingConvention = 14 };
constexpr uint16_t kOldestConvention = 9, kNewestConvention = 10;

template <class T> std::optional<T> number_at(std::string_view bytes, size_t at) {
  if (at > bytes.size() || bytes.size() - at < sizeof(T))
    return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

// Where a field of the root table lies.
std::optional<size_t> field_at(std::string_view bytes, Field field) {
  const auto root = number_at<uint32_t>(bytes, 0);
  const auto distance = root ? number_at<int32_t>(bytes, *root) : std::nullopt;
  if (!distance)
    return std::nullopt;
  const int64_t list = int64_t{*root} - *distance;
  if (list < 0)
    return std::nullopt;
  const auto size = number_at<uint16_t>(bytes, static_cast<size_t>(list));
  const size_t entry = 4 + 2 * field;
  if (!size || *size < entry + 2)
    return std::nullopt;
  const auto offset = number_at<uint16_t>(bytes, static_cast<size_t>(list) + entry);
  if (!offset || *offset == 0)
    return std::nullopt;
  return *root + size_t{*offset};
}

std::optional<std::string_view> module_of(std::string_view bytes) {
  const auto at = field_at(bytes, kModule);
  const auto to = at ? number_at<uint32_t>(bytes, *at) : std::nullopt;
  const auto size = to ? number_at<uint32_t>(bytes, *at + *to) : std::nullopt;
  if (!size || bytes.size() - *at - *to - 4 < *size)
    return std::nullopt;
  return bytes.substr(*at + *to + 4, *size);
}

} // namespace

bool is_jax_export(std::string_view bytes) {
  const auto module = module_of(bytes);
  return module && is_bytecode(*module);
}

bool unwrap_jax_export(std::string_view bytes, Fault &fault, std::string_view &module) {
  module = *module_of(bytes);
  const auto at = field_at(bytes, kCallingConvention);
  const uint16_t convention = at ? number_at<uint16_t>(bytes, *at).value_or(0) : 0;
  if (convention >= kOldestConvention && convention <= kNewestConvention)
    return true;
  return fault.fail("TW-121",
                    fmt::format("calling convention {} of jax.export is not known: {} to {} are", convention,
                                kOldestConvention, kNewestConvention),
                    fmt::format("at byte {}, in the table of the program", at.value_or(0)));
}

} // namespace tw::import::bytecode
