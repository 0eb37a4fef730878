// SPDX-License-Identifier: Apache-2.0
// What the chunks of zarr arrays are read from.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "store/file.hpp"
#include "store/keys.hpp"

namespace tw::store {

// Chunks that were unpacked last, of all arrays of a set: what reads a chunk in parts unpacks it once.
class UnpackedChunks {
public:
  struct Chunk {
    const void *of = nullptr;
    std::shared_ptr<const char[]> bytes;
    uint64_t size = 0;
  };
  std::shared_ptr<const char[]> find(const void *of);
  void keep(Chunk chunk);

private:
  static constexpr uint64_t kMost = uint64_t{64} << 20; // bytes, beside the last
  std::mutex mutex_;
  std::list<Chunk> chunks_; // the last used first
  uint64_t bytes_ = 0;
};

// A chunk, or one of those that a chunk is cut into.
struct PackedBytes {
  KeyValue value;
  bool zstd = false, checksum = false;
  uint64_t unpacked = 0; // bytes that must come of it
  std::string key;       // in messages
};

// A chunk that is unpacked as a whole when it is first read.
std::shared_ptr<Bytes> unpacked_bytes(PackedBytes packed, const std::string &path,
                                      std::shared_ptr<UnpackedChunks> chunks);
// `item` again and again.
std::shared_ptr<Bytes> repeated_bytes(std::string item, uint64_t size, const std::string &path);

} // namespace tw::store
