// SPDX-License-Identifier: Apache-2.0
// Boxes between files and memory. Long rows go straight to their places; short ones through a buffer.
#include "store/transfer.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include "ops/strided.hpp"

namespace tw::store {

Strides dense_strides(std::span<const int64_t> dims, size_t item) {
  Strides strides = ops::dense_strides(dims);
  for (int64_t &stride : strides)
    stride *= static_cast<int64_t>(item);
  return strides;
}

int64_t distance(const sharding::Box &box, const sharding::Box &within, std::span<const int64_t> strides) {
  int64_t bytes = 0;
  for (size_t d = 0; d < box.rank(); ++d)
    bytes += (within.offset[d] - box.offset[d]) * strides[d];
  return bytes;
}

namespace {

constexpr size_t kShort = 512;                // bytes of a row that goes through the buffer
constexpr size_t kBuffer = size_t{256} << 10; // of short rows
constexpr size_t kMostRows = 1024;            // handed over at once
constexpr size_t kMostPieces = 4096;          // of the buffer

struct Dim {
  int64_t extent, in_file, in_memory;
};

// The dimensions as the file has them, the slowest first, merged where both sides allow it.
std::vector<Dim> dims_in_file_order(std::span<const int64_t> file_strides, std::span<const int64_t> extent,
                                    std::span<const int64_t> memory_strides) {
  std::vector<Dim> dims;
  for (size_t d = 0; d < extent.size(); ++d)
    if (extent[d] != 1)
      dims.push_back({extent[d], file_strides[d], memory_strides[d]});
  std::ranges::stable_sort(dims, [](const Dim &a, const Dim &b) { return a.in_file > b.in_file; });
  std::vector<Dim> merged;
  for (const Dim &dim : dims) {
    if (!merged.empty() && merged.back().in_file == dim.in_file * dim.extent &&
        merged.back().in_memory == dim.in_memory * dim.extent)
      merged.back() = {merged.back().extent * dim.extent, dim.in_file, dim.in_memory};
    else
      merged.push_back(dim);
  }
  return merged;
}

template <size_t item>
void copy_items(char *to, size_t to_step, const char *from, size_t from_step, size_t n) {
  for (size_t i = 0; i < n; ++i)
    std::memcpy(to + i * to_step, from + i * from_step, item);
}

void copy_strided(char *to, size_t to_step, const char *from, size_t from_step, size_t item, size_t n) {
  if (to_step == item && from_step == item) {
    std::memcpy(to, from, item * n);
    return;
  }
  switch (item) {
  case 1: return copy_items<1>(to, to_step, from, from_step, n);
  case 2: return copy_items<2>(to, to_step, from, from_step, n);
  case 4: return copy_items<4>(to, to_step, from, from_step, n);
  case 8: return copy_items<8>(to, to_step, from, from_step, n);
  case 16: return copy_items<16>(to, to_step, from, from_step, n);
  default:
    for (size_t i = 0; i < n; ++i)
      std::memcpy(to + i * to_step, from + i * from_step, item);
  }
}

// Collects rows that follow each other in the file, and moves them together.
class Rows {
public:
  Rows(Direction direction, RowFile &file, size_t item, bool buffered)
      : direction_(direction), file_(file), item_(item), buffered_(buffered) {
    if (buffered)
      buffer_ = std::make_unique_for_overwrite<char[]>(kBuffer);
  }

  // `count` elements that lie densely in the file.
  Status add(uint64_t at, char *memory, size_t count, size_t step) {
    if (!buffered_) {
      if (at != end_ || rows_.size() == kMostRows)
        TW_TRY(flush());
      if (rows_.empty())
        begin_ = at;
      rows_.push_back({memory, count * item_});
      end_ = at + count * item_;
      return {};
    }
    while (count > 0) {
      if (at != end_ || (kBuffer - used_) / item_ == 0 || pieces_.size() == kMostPieces)
        TW_TRY(flush());
      if (used_ == 0)
        begin_ = at;
      const size_t some = std::min(count, (kBuffer - used_) / item_);
      if (direction_ == Direction::write)
        copy_strided(buffer_.get() + used_, item_, memory, step, item_, some);
      else
        pieces_.push_back({memory, used_, some, step});
      used_ += some * item_;
      at += some * item_;
      end_ = at;
      memory += some * step;
      count -= some;
    }
    return {};
  }

  Status flush() {
    if (buffered_ && used_ != 0) {
      const iovec all{buffer_.get(), used_};
      TW_TRY(file_.move(begin_, {&all, 1}));
      for (const Piece &piece : pieces_)
        copy_strided(piece.memory, piece.step, buffer_.get() + piece.from, item_, item_, piece.count);
      pieces_.clear();
      used_ = 0;
    }
    if (!rows_.empty()) {
      TW_TRY(file_.move(begin_, rows_));
      rows_.clear();
    }
    return {};
  }

private:
  struct Piece {
    char *memory;
    size_t from, count, step;
  };
  const Direction direction_;
  RowFile &file_;
  const size_t item_;
  const bool buffered_;
  uint64_t begin_ = 0, end_ = UINT64_MAX; // of what is collected
  std::vector<iovec> rows_;
  std::unique_ptr<char[]> buffer_;
  size_t used_ = 0;
  std::vector<Piece> pieces_;
};

} // namespace

Status transfer(Direction direction, RowFile &file, uint64_t at, std::span<const int64_t> file_strides,
                std::span<const int64_t> extent, size_t item, void *memory,
                std::span<const int64_t> memory_strides) {
  if (std::ranges::find(extent, 0) != extent.end())
    return {};
  auto dims = dims_in_file_order(file_strides, extent, memory_strides);
  Dim row{1, static_cast<int64_t>(item), static_cast<int64_t>(item)};
  if (!dims.empty() && dims.back().in_file == static_cast<int64_t>(item)) {
    row = dims.back();
    dims.pop_back();
  }
  const bool buffered =
      row.in_memory != static_cast<int64_t>(item) || static_cast<size_t>(row.extent) * item < kShort;
  Rows rows(direction, file, item, buffered);
  std::vector<int64_t> index(dims.size(), 0);
  auto *place = static_cast<char *>(memory);
  for (;;) {
    TW_TRY(rows.add(at, place, static_cast<size_t>(row.extent), static_cast<size_t>(row.in_memory)));
    size_t d = dims.size();
    while (d-- > 0) {
      at += static_cast<uint64_t>(dims[d].in_file);
      place += dims[d].in_memory;
      if (++index[d] < dims[d].extent)
        break;
      at -= static_cast<uint64_t>(dims[d].in_file * dims[d].extent);
      place -= dims[d].in_memory * dims[d].extent;
      index[d] = 0;
    }
    if (d == static_cast<size_t>(-1))
      return rows.flush();
  }
}

} // namespace tw::store
