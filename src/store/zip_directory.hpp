// SPDX-License-Identifier: Apache-2.0
// Where the entries of a zip archive lie that stands anywhere in a file: what is stored there, uncompressed,
// can be read by its place. libzip reads archives that begin where their file does, entry by entry.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.hpp"
#include "store/file.hpp"

namespace tw::store {

struct ZipEntry {
  std::string name;
  uint64_t size = 0;
  uint64_t header = 0; // byte of the file where it begins
  bool is_stored = false;
};

// Of the archive at bytes [at, at + size) of a file.
Result<std::vector<ZipEntry>> read_zip_directory(Bytes &file, uint64_t at, uint64_t size);
// Byte of the file where the data of a stored entry begin, all of which lie before `end`.
Result<uint64_t> data_of_zip_entry(Bytes &file, const ZipEntry &entry, uint64_t end);

} // namespace tw::store
