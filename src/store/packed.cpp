// SPDX-License-Identifier: Apache-2.0
// Zstandard through libzstd.
#include "store/packed.hpp"

#include <array>

#include <fmt/format.h>

#ifdef TW_WITH_LIBZSTD
#include <zstd.h>
#endif

namespace tw::store {

#ifdef TW_WITH_LIBZSTD

Result<size_t> unpack_zstd(std::string_view packed, char *to, size_t room, const std::string &what) {
  const size_t size = ZSTD_decompress(to, room, packed.data(), packed.size());
  if (ZSTD_isError(size) != 0)
    return fail(Code::invalid_argument, "TW-901",
                fmt::format("{}: Zstandard cannot unpack it: {}", what, ZSTD_getErrorName(size)));
  return size;
}

uint64_t size_of_zstd(std::string_view packed, uint64_t otherwise) {
  const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  return size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR ? otherwise : size;
}

#else

Result<size_t> unpack_zstd(std::string_view, char *, size_t, const std::string &what) {
  return fail(
      Code::unavailable, "TW-908",
      fmt::format("{}: it is packed by Zstandard, and this build was configured without libzstd", what));
}

uint64_t size_of_zstd(std::string_view, uint64_t otherwise) { return otherwise; }

#endif

uint32_t crc32c(std::string_view bytes) {
  static constexpr auto table = [] {
    std::array<uint32_t, 256> made{};
    for (uint32_t i = 0; i < 256; ++i) {
      uint32_t value = i;
      for (int bit = 0; bit < 8; ++bit)
        value = value >> 1 ^ ((value & 1) != 0 ? 0x82f63b78u : 0);
      made[i] = value;
    }
    return made;
  }();
  uint32_t value = ~uint32_t{0};
  for (const char c : bytes)
    value = value >> 8 ^ table[(value ^ static_cast<unsigned char>(c)) & 255];
  return ~value;
}

} // namespace tw::store
