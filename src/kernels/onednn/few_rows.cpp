// SPDX-License-Identifier: Apache-2.0
// A right matrix that lies row by row is read so; of one that lies column by column, tiles are turned around
// in the cache.
#include "kernels/onednn/few_rows.hpp"

#include <algorithm>
#include <array>

#include "kernels/onednn/few_rows_loops.hpp"
#include "kernels/onednn/product.hpp"

namespace tw::kernels::onednn {

namespace {

constexpr int64_t kFloatBytes = sizeof(float);
// Columns whose sums grow together: a row of the right matrix is read as far as those of a few rows stay in
// the cache.
constexpr int64_t kColumns = 4096, kColumnsOfMany = 512, kMany = 5;
constexpr int64_t kPad =
    16; // behind each row of sums, so that rows of powers of two do not share a place in the cache
constexpr int64_t kTile = 64; // rows and columns that are turned around together
constexpr int64_t kMostRows = 16, kNarrow = 256, kNarrowest = 32;                     // columns
constexpr int64_t kMostShared = 4 << 20;                                              // bytes of chains
constexpr int64_t kPartBytes = 256 << 10, kMostParts = 8, kFewestColumns = 4 * kTile; // of the right matrix

class FewRows final : public Kernel {
public:
  explicit FewRows(const DotLayout &dot)
      : dot_(dot), chain_(Product::chain(dot.k)), chains_((dot.k + chain_ - 1) / chain_),
        columns_(std::min((dot.n + kTile - 1) / kTile * kTile, dot.m < kMany ? kColumns : kColumnsOfMany)) {
    if (const auto strides = dot_.lhs.strides(); strides && (strides->k == 1 || dot_.k == 1)) {
      lhs_stride_ = strides->free;
    } else {
      packs_lhs_ = true;
      lhs_stride_ = dot_.k;
      lhs_ = dot_.lhs.pack(dot_.m, sizeof(float), true);
    }
    if (const auto strides = dot_.rhs.strides(); strides && (strides->free == 1 || dot_.n == 1)) {
      order_ = Order::rows;
      stride_ = strides->k;
    } else if (strides && (strides->k == 1 || dot_.k == 1)) {
      order_ = Order::columns;
      stride_ = strides->free;
      for (const bool last_k : {false, true})
        for (const bool last_n : {false, true}) {
          const std::array extent{last_k ? dot_.k % kTile : kTile, last_n ? dot_.n % kTile : kTile};
          tiles_[last_k][last_n] =
              cpu::CopyPlan(extent, std::array<int64_t, 2>{1, stride_}, std::array<int64_t, 2>{kTile, 1},
                            sizeof(float), cpu::CopyPlan::Stream::never);
        }
    }
    plan_parts();
  }

  // Whether it is faster than oneDNN, which reads narrow matrices as they lie and turns others around faster,
  // if they are dense.
  bool is_faster(bool idle_cores) const {
    if (dot_.n <= (dot_.rhs.is_dense() ? kNarrow : kNarrowest))
      return false;
    if (order_ == Order::rows)
      return true;
    return order_ == Order::columns && (idle_cores || !dot_.rhs.is_dense()) && dot_.m <= 4;
  }

  const char *name() const override { return "onednn:few_rows"; }
  int64_t prepare_parts() const override { return chain_parts_ > 1 ? dot_.batch * chain_parts_ : 0; }
  int64_t shared_bytes() const override { return chain_parts_ > 1 ? chained_bytes() : 0; }
  int64_t parts() const override { return chain_parts_ > 1 ? 1 : batch_parts_ * column_parts_; }
  int64_t scratch_bytes() const override {
    return lhs_bytes() + sums_bytes() + (order_ == Order::columns ? kTile * kTile * kFloatBytes : 0);
  }

  // Some chains of one product.
  Status prepare(int64_t part, std::span<const void *const> operands, void *shared) const override {
    const int64_t b = part / chain_parts_, p = part % chain_parts_;
    const float *lhs = static_cast<const float *>(operands[0]) + dot_.lhs.offset(b, 0);
    const float *rhs = static_cast<const float *>(operands[1]) + dot_.rhs.offset(b, 0);
    for (int64_t i = p * chains_ / chain_parts_; i < (p + 1) * chains_ / chain_parts_; ++i) {
      const int64_t stride = dot_.n + kPad;
      float *const sums = static_cast<float *>(shared) + (b * chains_ + i) * dot_.m * stride;
      std::fill_n(sums, dot_.m * stride, 0.0f);
      for (int64_t c = 0; c < dot_.n; c += columns_)
        extend(lhs, rhs, i * chain_, c, std::min(columns_, dot_.n - c), sums + c, stride);
    }
    return {};
  }

  Status run(int64_t part, std::span<const void *const> operands, std::span<void *const> results,
             void *scratch) const override {
    auto *const result = static_cast<float *>(results[0]);
    if (chain_parts_ > 1) {
      add_chains(static_cast<const float *>(operands[2]), result);
      return {};
    }
    auto *const space = static_cast<std::byte *>(scratch);
    auto *const packed_lhs = reinterpret_cast<float *>(space);
    auto *const sums = reinterpret_cast<float *>(space + lhs_bytes());
    auto *const tile = reinterpret_cast<float *>(space + lhs_bytes() + sums_bytes());
    const int64_t stride = columns_ + kPad;
    std::fill_n(sums, dot_.m * stride, 0.0f);
    const int64_t first = part / column_parts_ * batch_each_,
                  last = std::min(dot_.batch, first + batch_each_);
    const int64_t begin = part % column_parts_ * columns_each_, end = std::min(dot_.n, begin + columns_each_);
    for (int64_t b = first; b < last; ++b) {
      const float *lhs = static_cast<const float *>(operands[0]) + dot_.lhs.offset(b, 0);
      const float *rhs = static_cast<const float *>(operands[1]) + dot_.rhs.offset(b, 0);
      if (packs_lhs_) {
        lhs_.run(lhs, packed_lhs);
        lhs = packed_lhs;
      }
      for (int64_t k = 0; k < dot_.k; k += chain_)
        for (int64_t c = begin; c < end; c += columns_) {
          const int64_t columns = std::min(columns_, end - c);
          if (order_ == Order::columns)
            extend_turned(lhs, rhs, k, c, columns, sums, stride, tile);
          else
            extend(lhs, rhs, k, c, columns, sums, stride);
          for (int64_t r = 0; r < dot_.m; ++r)
            end_chains(sums + r * stride, result + (b * dot_.m + r) * dot_.n + c, columns, k == 0);
        }
    }
    return {};
  }

private:
  enum class Order : uint8_t { rows, columns, other };

  int64_t lhs_bytes() const { return packs_lhs_ ? aligned(dot_.m * dot_.k * kFloatBytes) : 0; }
  int64_t sums_bytes() const { return aligned(dot_.m * (columns_ + kPad) * kFloatBytes); }
  int64_t chained_bytes() const { return dot_.batch * chains_ * dot_.m * (dot_.n + kPad) * kFloatBytes; }

  // Of several products so many each; of a few, chains, whose rows of the right matrix lie behind each other,
  // or else columns.
  void plan_parts() {
    const int64_t wanted =
        std::clamp<int64_t>(dot_.batch * dot_.k * dot_.n * kFloatBytes / kPartBytes, 1, kMostParts);
    batch_each_ = (dot_.batch + wanted - 1) / wanted;
    batch_parts_ = (dot_.batch + batch_each_ - 1) / batch_each_;
    columns_each_ = dot_.n;
    const int64_t cuts = (wanted + batch_parts_ - 1) / batch_parts_;
    if (cuts > 1 && chains_ > 1 && order_ == Order::rows && !packs_lhs_ && chained_bytes() <= kMostShared) {
      chain_parts_ = std::min(cuts, chains_);
    } else {
      const int64_t columns = (dot_.n + cuts - 1) / cuts;
      columns_each_ = std::max(kFewestColumns, (columns + kTile - 1) / kTile * kTile);
    }
    column_parts_ = (dot_.n + columns_each_ - 1) / columns_each_;
  }

  // The chains from k on, of some columns.
  void extend(const float *lhs, const float *rhs, int64_t k, int64_t c, int64_t columns, float *sums,
              int64_t sums_stride) const {
    const int64_t end = std::min(dot_.k, k + chain_);
    for (; k < end; k += kTile)
      extend_all(lhs + k, rhs + k * stride_ + c, stride_, std::min(kTile, end - k), sums, sums_stride,
                 columns);
  }

  void extend_turned(const float *lhs, const float *rhs, int64_t k, int64_t c, int64_t columns, float *sums,
                     int64_t sums_stride, float *tile) const {
    const int64_t end = std::min(dot_.k, k + chain_);
    for (int64_t j = 0; j < columns; j += kTile)
      for (int64_t i = k; i < end; i += kTile) {
        const int64_t rows = std::min(kTile, end - i), width = std::min(kTile, columns - j);
        tiles_[rows < kTile][width < kTile].run(rhs + (c + j) * stride_ + i, tile);
        extend_all(lhs + i, tile, kTile, rows, sums + j, sums_stride, width);
      }
  }

  // Some rows of the left matrix after the other; what they read of the right one stays in the cache.
  void extend_all(const float *lhs, const float *rhs, int64_t stride, int64_t depth, float *sums,
                  int64_t sums_stride, int64_t columns) const {
    for (int64_t r = 0; r < dot_.m; r += kRowsAtOnce)
      extend_chains(lhs + r * lhs_stride_, lhs_stride_, std::min(kRowsAtOnce, dot_.m - r), rhs, stride, depth,
                    sums + r * sums_stride, sums_stride, columns);
  }

  void add_chains(const float *sums, float *result) const {
    for (int64_t b = 0; b < dot_.batch; ++b, result += dot_.m * dot_.n)
      for (int64_t i = 0; i < chains_; ++i)
        for (int64_t r = 0; r < dot_.m; ++r, sums += dot_.n + kPad)
          for (int64_t c = 0; c < dot_.n; ++c)
            result[r * dot_.n + c] = i == 0 ? sums[c] : result[r * dot_.n + c] + sums[c];
  }

  DotLayout dot_;
  int64_t chain_, chains_; // of how many steps each, and how many
  int64_t columns_;        // whose chains grow together
  bool packs_lhs_ = false;
  int64_t lhs_stride_ = 0; // from row to row
  cpu::CopyPlan lhs_;
  Order order_ = Order::other;
  int64_t stride_ = 0; // from row to row, or from column to column
  std::array<std::array<cpu::CopyPlan, 2>, 2> tiles_;
  int64_t batch_each_ = 1, batch_parts_ = 1, columns_each_ = 1, column_parts_ = 1;
  int64_t chain_parts_ = 1; // more: different parts grow the chains
};

} // namespace

std::unique_ptr<Kernel> bind_few_rows(const DotLayout &dot, bool idle_cores) {
  if (dot.m > kMostRows)
    return nullptr;
  auto kernel = std::make_unique<FewRows>(dot);
  return kernel->is_faster(idle_cores) ? std::move(kernel) : nullptr;
}

} // namespace tw::kernels::onednn
