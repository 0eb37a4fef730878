// SPDX-License-Identifier: Apache-2.0
// The directory at the end of a zip archive, with the longer numbers of zip64.
// https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
#include "store/zip_directory.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace tw::store {

namespace {

constexpr uint64_t kMostDirectory = uint64_t{64} << 20;
constexpr uint64_t kTail = 4096; // read at once: of a small archive the whole directory is in it
constexpr size_t kDirectoryEnd = 22, kLocator = 20, kEnd64 = 56, kRecord = 46, kLocal = 30;

template <class T> T number(std::string_view bytes, size_t at) {
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

// Sizes and offset of a record that stand in its extra field.
void widen(std::string_view extra, uint64_t &size, uint64_t &packed, uint64_t &offset) {
  while (extra.size() >= 4) {
    const auto id = number<uint16_t>(extra, 0), length = number<uint16_t>(extra, 2);
    extra.remove_prefix(4);
    if (length > extra.size())
      return;
    if (id == 1) {
      std::string_view wide = extra.substr(0, length);
      for (uint64_t *value : {&size, &packed, &offset})
        if (*value == UINT32_MAX && wide.size() >= 8) {
          *value = number<uint64_t>(wide, 0);
          wide.remove_prefix(8);
        }
      return;
    }
    extra.remove_prefix(length);
  }
}

} // namespace

Result<std::vector<ZipEntry>> read_zip_directory(Bytes &file, uint64_t at, uint64_t size) {
  const auto malformed = [&](const std::string &why) {
    return fail(Code::invalid_argument, "TW-901",
                fmt::format("{}: the archive at byte {}: {}", file.path(), at, why));
  };
  if (at > file.size() || size > file.size() - at)
    return malformed(fmt::format("{} bytes are to be there, the file has {}", size, file.size()));
  if (size < kDirectoryEnd)
    return malformed(fmt::format("{} bytes are no archive", size));
  std::string tail(std::min(size, kTail), '\0');
  const uint64_t tail_at = size - tail.size(); // places count from the archive's begin
  TW_TRY(file.read(at + tail_at, tail.data(), tail.size()));
  // Bytes of the archive, from what is read already where they are there.
  const auto bytes = [&](uint64_t from, uint64_t n, std::string &out) -> Status {
    if (from > size || n > size - from)
      return malformed("it is cut off");
    out.resize(n);
    if (from >= tail_at)
      tail.copy(out.data(), n, from - tail_at);
    else
      TW_TRY(file.read(at + from, out.data(), n));
    return {};
  };
  const size_t end = tail.rfind("PK\x05\x06");
  if (end == std::string::npos || end + kDirectoryEnd > tail.size())
    return malformed("it has no directory at its end");
  uint64_t count = number<uint16_t>(tail, end + 10), length = number<uint32_t>(tail, end + 12),
           begin = number<uint32_t>(tail, end + 16);
  if (count == UINT16_MAX || length == UINT32_MAX || begin == UINT32_MAX) {
    if (end < kLocator || tail.compare(end - kLocator, 4, "PK\x06\x07") != 0)
      return malformed("it has no directory at its end");
    std::string wide;
    TW_TRY(bytes(number<uint64_t>(tail, end - kLocator + 8), kEnd64, wide));
    if (!wide.starts_with("PK\x06\x06"))
      return malformed("it has no directory at its end");
    count = number<uint64_t>(wide, 32);
    length = number<uint64_t>(wide, 40);
    begin = number<uint64_t>(wide, 48);
  }
  if (length > kMostDirectory)
    return malformed(fmt::format("a directory of {} bytes", length));
  std::string directory;
  TW_TRY(bytes(begin, length, directory));
  std::vector<ZipEntry> entries;
  for (std::string_view rest = directory; entries.size() < count;) {
    if (rest.size() < kRecord || !rest.starts_with("PK\x01\x02"))
      return malformed(fmt::format("entry {} of {} is malformed", entries.size(), count));
    const size_t name = number<uint16_t>(rest, 28), extra = number<uint16_t>(rest, 30),
                 comment = number<uint16_t>(rest, 32);
    if (rest.size() < kRecord + name + extra + comment)
      return malformed(fmt::format("entry {} of {} is cut off", entries.size(), count));
    uint64_t packed = number<uint32_t>(rest, 20), full = number<uint32_t>(rest, 24),
             offset = number<uint32_t>(rest, 42);
    widen(rest.substr(kRecord + name, extra), full, packed, offset);
    if (offset > size)
      return malformed(fmt::format("entry {} of {} lies outside", entries.size(), count));
    const bool is_stored = number<uint16_t>(rest, 10) == 0 && full == packed &&
                           (number<uint16_t>(rest, 8) & 1) == 0; // and not encrypted
    entries.push_back({std::string(rest.substr(kRecord, name)), full, at + offset, is_stored});
    rest.remove_prefix(kRecord + name + extra + comment);
  }
  return entries;
}

Result<uint64_t> data_of_zip_entry(Bytes &file, const ZipEntry &entry, uint64_t end) {
  const auto malformed = [&](const char *why) {
    return fail(Code::invalid_argument, "TW-901",
                fmt::format("{}: entry '{}' at byte {}: {}", file.path(), entry.name, entry.header, why));
  };
  if (!entry.is_stored)
    return malformed("it is compressed, and only what is stored is read");
  if (entry.header > end || end - entry.header < kLocal)
    return malformed("it is cut off");
  char local[kLocal];
  TW_TRY(file.read(entry.header, local, sizeof local));
  const std::string_view header(local, sizeof local);
  if (!header.starts_with("PK\x03\x04"))
    return malformed("it has no header");
  const uint64_t data = entry.header + kLocal + number<uint16_t>(header, 26) + number<uint16_t>(header, 28);
  if (data > end || entry.size > end - data)
    return malformed("it is cut off");
  return data;
}

} // namespace tw::store
