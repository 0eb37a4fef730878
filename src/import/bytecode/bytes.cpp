// SPDX-License-Identifier: Apache-2.0
// Numbers of artifacts: the low zeros of the first byte say how many bytes follow it.
#include "import/bytecode/bytes.hpp"

#include <bit>
#include <cstring>

#include <fmt/format.h>

namespace tw::import::bytecode {

bool Fault::fail(const char *id, std::string message, std::string place) {
  if (!error_)
    error_ = Error(id == std::string_view("TW-121") ? Code::unimplemented : Code::invalid_argument, id,
                   std::move(message))
                 .at({file_, 0, 0})
                 .note(std::move(place));
  return false;
}

bool Bytes::fail(std::string message, const char *id) {
  fault_->fail(id, std::move(message), fmt::format("at byte {}, in {}", at_, section_));
  stop();
  return false;
}

void Bytes::too_short() { fail(fmt::format("{} ends too early", section_)); }

uint64_t Bytes::long_number() {
  if (at_ == end_) {
    too_short();
    return 0;
  }
  const auto first = static_cast<uint8_t>(all_[at_]);
  const size_t more = first == 0 ? 8 : static_cast<size_t>(std::countr_zero(first));
  if (end_ - at_ <= more) {
    too_short();
    return 0;
  }
  uint64_t value = 0;
  if (first == 0) {
    std::memcpy(&value, all_ + at_ + 1, 8);
  } else if (end_ - at_ >= sizeof value) {
    std::memcpy(&value, all_ + at_, sizeof value); // and what stands behind the number
    value = value << (56 - 8 * more) >> (57 - 7 * more);
  } else {
    std::memcpy(&value, all_ + at_, more + 1); // seven more at most
    value >>= more + 1;
  }
  at_ += more + 1;
  return value;
}

size_t Bytes::checked_count(uint64_t count, std::string_view items, size_t least) {
  if (count <= left() / least)
    return static_cast<size_t>(count);
  fail(fmt::format("{} {} cannot stand in {} bytes", count, items, left()));
  return 0;
}

uint32_t Bytes::checked_index(uint64_t index, size_t size, std::string_view table) {
  if (index < size)
    return static_cast<uint32_t>(index);
  if (!fault_->failed())
    fail(fmt::format("there is no {} {}: the artifact has {}", table, index, size));
  stop();
  return 0;
}

std::string_view Bytes::take(uint64_t count) {
  if (count > left()) {
    too_short();
    return {};
  }
  const std::string_view bytes(all_ + at_, static_cast<size_t>(count));
  at_ += bytes.size();
  return bytes;
}

std::string_view Bytes::zero_terminated() {
  const std::string_view rest(all_ + at_, left());
  const size_t size = rest.find('\0');
  if (size == std::string_view::npos) {
    too_short();
    return {};
  }
  at_ += size + 1;
  return rest.substr(0, size);
}

} // namespace tw::import::bytecode
