// SPDX-License-Identifier: Apache-2.0
// A right matrix that lies row by row is read so; of one that lies column by column, tiles are turned around in the cache.
#include "kernels/onednn/few_rows.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "kernels/onednn/few_rows_loops.hpp"
#include "kernels/onednn/product.hpp"

namespace tw::kernels::onednn {

namespace {

constexpr int64_t kFloat = sizeof(float);
constexpr int64_t kColumns = 512; // whose chains grow together: of a row, 2 KiB are read at once
constexpr int64_t kTile = 64;     // rows and columns that are turned around together
constexpr int64_t kNarrow = 256;  // columns of a right matrix that oneDNN reads as it lies
constexpr int64_t kPartBytes = 256 << 10, kMostParts = 8, kFewestColumns = 4 * kTile; // of the right matrix

class FewRows final : public Kernel {
public:
  explicit FewRows(const DotLayout &dot)
      : dot_(dot), chain_(Product::chain(dot.k, !dot.lhs.k_inner())),
        lhs_(dot_.lhs.pack(dot_.m, kFloat, true)) {
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
                            kFloat, cpu::CopyPlan::Stream::never);
        }
    } else {
      order_ = Order::packed;
      stride_ = dot_.n;
      whole_ = dot_.rhs.pack(dot_.n, kFloat, false);
    }
    plan_parts();
  }

  // Up to which it is faster.
  int64_t most_rows(bool idle_cores) const {
    return order_ == Order::rows ? 16 : idle_cores && order_ == Order::columns ? 4 : 0;
  }

  const char *name() const override { return "cpu:few_rows"; }
  int64_t parts() const override { return batch_parts_ * column_parts_; }
  int64_t scratch_bytes() const override {
    return lhs_bytes() + sums_bytes() +
           (order_ == Order::rows      ? 0
            : order_ == Order::columns ? kTile * kTile * kFloat
                                       : aligned(dot_.k * dot_.n * kFloat));
  }

  Status run(int64_t part, std::span<const void *const> operands, std::span<void *const> results,
             void *scratch) const override {
    auto *const space = static_cast<std::byte *>(scratch);
    auto *const lhs = reinterpret_cast<float *>(space);
    auto *const sums = reinterpret_cast<float *>(space + lhs_bytes());
    auto *const rest = reinterpret_cast<float *>(space + lhs_bytes() + sums_bytes());
    std::fill_n(sums, dot_.m * kColumns, 0.0f);
    const int64_t first = part / column_parts_ * batch_each_,
                  last = std::min(dot_.batch, first + batch_each_);
    const int64_t begin = part % column_parts_ * columns_each_, end = std::min(dot_.n, begin + columns_each_);
    for (int64_t b = first; b < last; ++b) {
      const float *rhs = static_cast<const float *>(operands[1]) + dot_.rhs.offset(b, 0);
      auto *result = static_cast<float *>(results[0]) + b * dot_.m * dot_.n;
      lhs_.run(static_cast<const float *>(operands[0]) + dot_.lhs.offset(b, 0), lhs);
      if (order_ == Order::packed) {
        whole_.run(rhs, rest);
        rhs = rest;
      }
      for (int64_t k = 0; k < dot_.k; k += chain_) {
        const int64_t depth = std::min(chain_, dot_.k - k);
        for (int64_t c = begin; c < end; c += kColumns) {
          const int64_t columns = std::min(kColumns, end - c);
          if (order_ == Order::columns)
            extend_turned(lhs, rhs, k, depth, c, columns, sums, rest);
          else
            for (int64_t i = 0; i < depth; i += kTile)
              extend_all(lhs + k + i, rhs + (k + i) * stride_ + c, stride_, std::min(kTile, depth - i), sums,
                         columns);
          for (int64_t r = 0; r < dot_.m; ++r)
            end_chains(sums + r * kColumns, result + r * dot_.n + c, columns, k == 0);
        }
      }
    }
    return {};
  }

private:
  enum class Order : uint8_t { rows, columns, packed };

  int64_t lhs_bytes() const { return aligned(dot_.m * dot_.k * kFloat); }
  int64_t sums_bytes() const { return dot_.m * kColumns * kFloat; }

  void plan_parts() {
    const int64_t wanted =
        std::clamp<int64_t>(dot_.batch * dot_.k * dot_.n * kFloat / kPartBytes, 1, kMostParts);
    batch_each_ = (dot_.batch + wanted - 1) / wanted;
    batch_parts_ = (dot_.batch + batch_each_ - 1) / batch_each_;
    columns_each_ = dot_.n;
    if (order_ != Order::packed) {
      const int64_t cuts = (wanted + batch_parts_ - 1) / batch_parts_, columns = (dot_.n + cuts - 1) / cuts;
      columns_each_ = std::max(kFewestColumns, (columns + kTile - 1) / kTile * kTile);
    }
    column_parts_ = (dot_.n + columns_each_ - 1) / columns_each_;
  }

  void extend_turned(const float *lhs, const float *rhs, int64_t k, int64_t depth, int64_t c, int64_t columns,
                     float *sums, float *tile) const {
    for (int64_t j = 0; j < columns; j += kTile)
      for (int64_t i = 0; i < depth; i += kTile) {
        const int64_t rows = std::min(kTile, depth - i), width = std::min(kTile, columns - j);
        tiles_[rows < kTile][width < kTile].run(rhs + (c + j) * stride_ + k + i, tile);
        extend_all(lhs + k + i, tile, kTile, rows, sums + j, width);
      }
  }

  // Some rows of the left matrix after the other; what they read of the right one stays in the cache.
  void extend_all(const float *lhs, const float *rhs, int64_t stride, int64_t depth, float *sums,
                  int64_t columns) const {
    for (int64_t r = 0; r < dot_.m; r += kRowsAtOnce)
      extend_chains(lhs + r * dot_.k, dot_.k, std::min(kRowsAtOnce, dot_.m - r), rhs, stride, depth,
                    sums + r * kColumns, kColumns, columns);
  }

  DotLayout dot_;
  int64_t chain_;
  cpu::CopyPlan lhs_; // to rows beside each other
  Order order_ = Order::rows;
  int64_t stride_ = 0; // from row to row, or from column to column
  std::array<std::array<cpu::CopyPlan, 2>, 2> tiles_;
  cpu::CopyPlan whole_;
  int64_t batch_each_ = 1, batch_parts_ = 1, columns_each_ = 1, column_parts_ = 1;
};

} // namespace

std::unique_ptr<Kernel> bind_few_rows(const DotLayout &dot, bool always, bool idle_cores) {
  auto kernel = std::make_unique<FewRows>(dot);
  const bool worth_it = dot.n > kNarrow && dot.m <= kernel->most_rows(idle_cores);
  return always || worth_it ? std::move(kernel) : nullptr;
}

} // namespace tw::kernels::onednn
