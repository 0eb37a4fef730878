// SPDX-License-Identifier: Apache-2.0
// An artifact while it is written: its bytes, and the tables of strings, attributes, types, properties and
// names of ops, each entry once. What holds another comes behind it, so numbers are final at once.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tw::emit::artifact {

// Bytes of MLIR bytecode, one behind the other.
class Sink {
public:
  void byte(uint8_t value) { bytes_ += static_cast<char>(value); }
  // A whole number in one to nine bytes.
  void number(uint64_t value);
  void signed_number(int64_t value) {
    number((static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63));
  }
  void number_with_flag(uint64_t value, bool flag) { number(value << 1 | static_cast<uint64_t>(flag)); }
  // A list with its length.
  void numbers(std::span<const uint32_t> list);
  void signed_numbers(std::span<const int64_t> list);
  void blob(std::string_view data) { number(data.size()), add(data); }
  void add(std::string_view bytes) { bytes_ += bytes; }
  // A section, its number in front.
  void section(uint8_t id, std::string_view data) { byte(id), blob(data); }

  const std::string &bytes() const { return bytes_; }
  std::string take() { return std::move(bytes_); }

private:
  std::string bytes_;
};

class Tables {
public:
  uint32_t string(std::string_view text);
  uint32_t attribute(std::string_view dialect, const Sink &data);
  uint32_t type(std::string_view dialect, const Sink &data);
  uint32_t properties(const Sink &data);
  // "vhlo.add_v1"
  uint32_t op(std::string_view name);

  // The file: `ir` are the ops.
  std::string file(std::string_view producer, std::string_view ir) const;

private:
  using Numbers = std::unordered_map<std::string, uint32_t>;
  struct Entry {
    uint32_t dialect;
    std::string bytes;
  };
  struct OpName {
    uint32_t dialect, name;
  };
  uint32_t dialect(std::string_view name);
  uint32_t entry(std::string_view dialect, const Sink &data, Numbers &known, std::vector<Entry> &entries);

  Numbers known_strings_, known_dialects_, known_attributes_, known_types_, known_properties_, known_ops_;
  std::vector<std::string> strings_, properties_;
  std::vector<uint32_t> dialects_; // their names
  std::vector<Entry> attributes_, types_;
  std::vector<OpName> ops_;
};

} // namespace tw::emit::artifact
