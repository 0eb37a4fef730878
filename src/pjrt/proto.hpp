// SPDX-License-Identifier: Apache-2.0
// Protocol buffers on the wire: fields as they come, and fields that are put behind each other. The few
// messages that pass here need no more, and no library.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tw::pjrt {

// Reads one message. Damaged bytes are a Failure that names the message.
class ProtoReader {
public:
  ProtoReader(std::string_view bytes, const char *message) : rest_(bytes), message_(message) {}
  // Goes to the next field; false at the end.
  bool next();
  uint32_t field() const { return field_; }
  int64_t integer() const;                       // of the field, which is a varint or a fixed one
  std::string_view bytes() const;                // of the field, which has a length
  void append(std::vector<int64_t> &list) const; // repeated integers, packed or one by one

private:
  uint64_t varint();
  std::string_view take(uint64_t size);
  [[noreturn]] void fail(const std::string &what) const;
  std::string_view rest_;
  const char *message_;
  uint32_t field_ = 0, wire_ = 0;
  uint64_t number_ = 0;
  std::string_view bytes_;
};

class ProtoWriter {
public:
  void integer(uint32_t field, int64_t value);
  void integers(uint32_t field, const std::vector<int64_t> &values); // packed
  void bytes(uint32_t field, std::string_view value);
  std::string take() { return std::move(bytes_); }

private:
  void varint(uint64_t value);
  std::string bytes_;
};

} // namespace tw::pjrt
