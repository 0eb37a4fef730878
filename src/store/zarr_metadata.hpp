// SPDX-License-Identifier: Apache-2.0
// What a zarr array says of itself: `.zarray` of version 2, `zarr.json` of version 3.
// https://zarr-specs.readthedocs.io
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/types.hpp"

namespace tw::store {

// How the bytes of a chunk come about.
struct ZarrCodecs {
  std::vector<size_t> order; // the dimensions of the array, from the slowest in a chunk to the fastest
  bool swapped = false;      // elements in the other byte order than this machine's
  bool zstd = false;
  bool checksum = false; // CRC-32C, behind all of it
};

struct ZarrArray {
  graph::DType dtype = graph::DType::invalid;
  graph::Shape dims, chunk;
  ZarrCodecs codecs;
  std::string fill; // an element that no chunk has
  // A chunk is itself cut into inner ones, which an index at its end, or begin, names.
  std::optional<graph::Shape> inner; // then `codecs` are theirs
  bool index_first = false, index_checksum = false;
  // The key of a chunk is "c/0/1", or "0.1".
  bool begins_with_c = false;
  char separator = '.';
  std::string problem; // why it is not read; "" where it is
  std::string foreign; // the type of elements that is not read, where that is why

  std::string key_of(const std::vector<int64_t> &place) const;
};

// What version 3 calls a type; "" where it has none.
std::string_view zarr_name(graph::DType dtype);

// `what` names the text in messages. Text that is no such description has a problem too. Nothing: it
// describes a group.
ZarrArray read_zarray(std::string_view text, const std::string &what);
std::optional<ZarrArray> read_zarr_json(std::string_view text, const std::string &what);

} // namespace tw::store
