// SPDX-License-Identifier: Apache-2.0
// Bytes that are packed by Zstandard, and the checksum that zarr and OCDBT put behind theirs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.hpp"

namespace tw::store {

// Unpacks to memory of `room` bytes, and answers how many there are. More than that, or damaged bytes, are an
// error, which begins with `what`. TW_UNAVAILABLE: this build has no Zstandard.
Result<size_t> unpack_zstd(std::string_view packed, char *to, size_t room, const std::string &what);
// How many bytes come of it, where the bytes say so; else `otherwise`.
uint64_t size_of_zstd(std::string_view packed, uint64_t otherwise);

// CRC-32C (Castagnoli), RFC 3720.
uint32_t crc32c(std::string_view bytes);

} // namespace tw::store
