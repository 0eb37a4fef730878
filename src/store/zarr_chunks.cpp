// SPDX-License-Identifier: Apache-2.0
// Chunks as bytes that are read at any place.
#include "store/zarr_chunks.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "store/packed.hpp"

namespace tw::store {

namespace {

// Bytes of so many, of which `copy` gives those from a place on.
template <class Copy>
Status move_rows(uint64_t at, std::span<const iovec> rows, uint64_t size, const std::string &path,
                 Copy &&copy) {
  for (const iovec &row : rows) {
    if (at > size || row.iov_len > size - at)
      return fail(Code::invalid_argument, "TW-901",
                  fmt::format("{}: bytes {} to {} of a chunk are wanted, it has {}", path, at,
                              at + row.iov_len, size));
    copy(at, static_cast<char *>(row.iov_base), row.iov_len);
    at += row.iov_len;
  }
  return {};
}

class ChunkBytes final : public Bytes {
public:
  ChunkBytes(PackedBytes packed, std::string path, std::shared_ptr<UnpackedChunks> chunks)
      : packed_(std::move(packed)), path_(std::move(path)), chunks_(std::move(chunks)) {}
  const std::string &path() const override { return path_; }
  uint64_t size() const override { return packed_.unpacked; }
  uint64_t bytes_read() const override { return read_; }
  Status move(uint64_t at, std::span<const iovec> rows) override {
    std::shared_ptr<const char[]> bytes = chunks_->find(this);
    if (bytes == nullptr) {
      TW_ASSIGN(bytes, unpack());
      chunks_->keep({this, bytes, size()});
    }
    return move_rows(at, rows, size(), path_,
                     [&](uint64_t from, char *to, size_t n) { std::memcpy(to, bytes.get() + from, n); });
  }

private:
  Result<std::shared_ptr<const char[]>> unpack() {
    const std::string what = fmt::format("{}: chunk {}", path_, packed_.key);
    TW_ASSIGN(std::string bytes, packed_.value.read(UINT64_MAX, what));
    if (packed_.checksum) {
      uint32_t stated = 0;
      if (bytes.size() < sizeof stated)
        return damaged(what, fmt::format("it has {} bytes, which is too few", bytes.size()));
      std::memcpy(&stated, bytes.data() + bytes.size() - sizeof stated, sizeof stated);
      bytes.resize(bytes.size() - sizeof stated);
      if (crc32c(bytes) != stated)
        return damaged(what, "its checksum is wrong");
    }
    const std::shared_ptr<char[]> made(new char[size()]);
    uint64_t size_now = bytes.size();
    if (packed_.zstd) {
      TW_ASSIGN(size_now, unpack_zstd(bytes, made.get(), size(), what));
    }
    if (size_now != size())
      return damaged(what, fmt::format("it has {} bytes, {} are expected", size_now, size()));
    if (!packed_.zstd)
      std::memcpy(made.get(), bytes.data(), size());
    read_ += size();
    return std::shared_ptr<const char[]>(made);
  }
  static tl::unexpected<Error> damaged(const std::string &what, const std::string &why) {
    return fail(Code::invalid_argument, "TW-901", fmt::format("{}: {}", what, why));
  }

  const PackedBytes packed_;
  const std::string path_;
  const std::shared_ptr<UnpackedChunks> chunks_;
  std::atomic<uint64_t> read_{0};
};

class RepeatedBytes final : public Bytes {
public:
  RepeatedBytes(std::string item, uint64_t size, std::string path)
      : item_(std::move(item)), size_(size), path_(std::move(path)) {}
  const std::string &path() const override { return path_; }
  uint64_t size() const override { return size_; }
  uint64_t bytes_read() const override { return 0; }
  Status move(uint64_t at, std::span<const iovec> rows) override {
    return move_rows(at, rows, size(), path_, [&](uint64_t from, char *to, size_t n) {
      for (size_t i = 0; i < n; ++i)
        to[i] = item_[(from + i) % item_.size()];
    });
  }

private:
  const std::string item_;
  const uint64_t size_;
  const std::string path_;
};

} // namespace

std::shared_ptr<const char[]> UnpackedChunks::find(const void *of) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(chunks_, of, &Chunk::of);
  if (found == chunks_.end())
    return nullptr;
  chunks_.splice(chunks_.begin(), chunks_, found);
  return found->bytes;
}

void UnpackedChunks::keep(Chunk chunk) {
  const std::lock_guard lock(mutex_);
  bytes_ += chunk.size;
  chunks_.push_front(std::move(chunk));
  while (chunks_.size() > 1 && bytes_ > kMost) {
    bytes_ -= chunks_.back().size;
    chunks_.pop_back();
  }
}

std::shared_ptr<Bytes> unpacked_bytes(PackedBytes packed, const std::string &path,
                                      std::shared_ptr<UnpackedChunks> chunks) {
  return std::make_shared<ChunkBytes>(std::move(packed), path, std::move(chunks));
}
std::shared_ptr<Bytes> repeated_bytes(std::string item, uint64_t size, const std::string &path) {
  return std::make_shared<RepeatedBytes>(std::move(item), size, path);
}

} // namespace tw::store
