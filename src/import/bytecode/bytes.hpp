// SPDX-License-Identifier: Apache-2.0
// Walks over a part of an artifact: numbers, bytes and counts, never past its end. The first thing that is
// wrong sticks, with its place; after it everything reads as zero, so that callers ask once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.hpp"

namespace tw::import::bytecode {

// What was wrong first, for all readers of one artifact.
class Fault {
public:
  explicit Fault(std::string file) : file_(std::move(file)) {}

  // Answers false.
  bool fail(const char *id, std::string message, std::string place);
  bool failed() const { return error_.has_value(); }
  Error take() { return std::move(*error_); }
  const std::string &file() const { return file_; }

private:
  std::string file_;
  std::optional<Error> error_;
};

class Bytes {
public:
  // `size` bytes of `all` from `begin` on; `section` is what messages call them.
  Bytes(std::string_view all, size_t begin, size_t size, const char *section, Fault &fault)
      : all_(all.data()), at_(begin), end_(begin + size), section_(section), fault_(&fault) {}

  size_t offset() const { return at_; }
  size_t left() const { return end_ - at_; }
  bool at_end() const { return at_ == end_; }
  const char *here() const { return all_ + at_; }
  Fault &fault() const { return *fault_; }
  const char *section() const { return section_; }

  uint8_t byte() {
    if (at_ != end_)
      return static_cast<uint8_t>(all_[at_++]);
    too_short();
    return 0;
  }
  // A whole number in one to nine bytes.
  uint64_t number() {
    if (at_ != end_ && (all_[at_] & 1) != 0)
      return static_cast<uint8_t>(all_[at_++]) >> 1;
    return long_number();
  }
  int64_t signed_number() {
    const uint64_t value = number();
    return static_cast<int64_t>((value >> 1) ^ (0 - (value & 1)));
  }
  // A number whose lowest bit says something else.
  uint64_t number_with_flag(bool &flag) {
    const uint64_t value = number();
    flag = (value & 1) != 0;
    return value >> 1;
  }
  // How many items follow, each of at least `least` bytes.
  size_t count(std::string_view items, size_t least = 1) { return checked_count(number(), items, least); }
  size_t checked_count(uint64_t count, std::string_view items, size_t least = 1);
  // An index of a table of `size` entries.
  uint32_t index(size_t size, std::string_view table) { return checked_index(number(), size, table); }
  uint32_t checked_index(uint64_t index, size_t size, std::string_view table);
  std::string_view take(uint64_t count);
  // Up to a byte that is 0, which is taken too.
  std::string_view zero_terminated();

  // Records that what stands before the cursor is wrong; answers false.
  bool fail(std::string message, const char *id = "TW-120");
  // No more is read.
  void stop() { at_ = end_; }

private:
  void too_short();
  uint64_t long_number();

  const char *all_;
  size_t at_, end_;
  const char *section_;
  Fault *fault_;
};

} // namespace tw::import::bytecode
