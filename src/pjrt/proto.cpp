// SPDX-License-Identifier: Apache-2.0
// The wire format of protocol buffers: varints, fixed words, and bytes with a length.
#include "pjrt/proto.hpp"

#include "pjrt/error.hpp"

namespace tw::pjrt {

namespace {

enum Wire : uint32_t { kVarint = 0, kFixed64 = 1, kLength = 2, kFixed32 = 5 };

} // namespace

void ProtoReader::fail(const std::string &what) const {
  throw Failure{abi::Code::invalid_argument, std::string(message_) + ": " + what};
}

uint64_t ProtoReader::varint() {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (rest_.empty())
      fail("the message ends in a number");
    const auto byte = static_cast<uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    value |= uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80)
      return value;
  }
  fail("a number of more than 64 bits");
}

std::string_view ProtoReader::take(uint64_t size) {
  if (size > rest_.size())
    fail("a field of " + std::to_string(size) + " bytes where " + std::to_string(rest_.size()) + " are left");
  const std::string_view taken = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return taken;
}

bool ProtoReader::next() {
  if (rest_.empty())
    return false;
  const uint64_t tag = varint();
  field_ = static_cast<uint32_t>(tag >> 3);
  wire_ = tag & 7;
  number_ = 0;
  bytes_ = {};
  switch (wire_) {
  case kVarint: number_ = varint(); break;
  case kLength: bytes_ = take(varint()); break;
  case kFixed64:
  case kFixed32: {
    const std::string_view word = take(wire_ == kFixed64 ? 8 : 4);
    for (size_t i = word.size(); i-- > 0;)
      number_ = number_ << 8 | static_cast<uint8_t>(word[i]);
    break;
  }
  default: fail("field " + std::to_string(field_) + " is of wire type " + std::to_string(wire_));
  }
  return true;
}

int64_t ProtoReader::integer() const {
  if (wire_ == kLength)
    fail("field " + std::to_string(field_) + " is no number");
  return static_cast<int64_t>(number_);
}

std::string_view ProtoReader::bytes() const {
  if (wire_ != kLength)
    fail("field " + std::to_string(field_) + " is no message");
  return bytes_;
}

void ProtoReader::append(std::vector<int64_t> &list) const {
  if (wire_ != kLength) {
    list.push_back(integer());
    return;
  }
  ProtoReader packed(bytes_, message_);
  while (!packed.rest_.empty())
    list.push_back(static_cast<int64_t>(packed.varint()));
}

void ProtoWriter::varint(uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    bytes_.push_back(static_cast<char>(value | 0x80));
  bytes_.push_back(static_cast<char>(value));
}

void ProtoWriter::integer(uint32_t field, int64_t value) {
  varint(uint64_t{field} << 3 | kVarint);
  varint(static_cast<uint64_t>(value));
}

void ProtoWriter::integers(uint32_t field, const std::vector<int64_t> &values) {
  ProtoWriter packed;
  for (const int64_t value : values)
    packed.varint(static_cast<uint64_t>(value));
  bytes(field, packed.bytes_);
}

void ProtoWriter::bytes(uint32_t field, std::string_view value) {
  varint(uint64_t{field} << 3 | kLength);
  varint(value.size());
  bytes_ += value;
}

} // namespace tw::pjrt
