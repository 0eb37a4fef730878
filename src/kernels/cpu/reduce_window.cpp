// SPDX-License-Identifier: Apache-2.0
// reduce_window by one of the known reductions: pooling, its gradients, cumulative sums. A line of results is
// folded tap by tap from lines of the array, which are read where they lie if they need not be spread;
// padding folds the initial value.
#include <algorithm>
#include <array>
#include <cstring>

#include "kernels/entry.hpp"
#include "kernels/ref/combiner.hpp"
#include "ops/reduction.hpp"
#include "ops/window.hpp"

namespace tw::kernels::cpu::reduce_window_kernel {

namespace {

using ops::SlidingWindow;

constexpr size_t kMostDims = 8;

class ReduceWindow final : public Kernel {
public:
  ReduceWindow(const Request &r, BlockFn combine)
      : combine_(combine), element_(static_cast<int64_t>(graph::byte_size(r.results[0].dtype))) {
    const Tile &array = r.operands[0], &result = r.results[0];
    std::vector<SlidingWindow> windows = ops::folding_windows(r.op);
    size_t rank = array.extent.size();
    for (size_t d = 0; d < rank; ++d)
      windows[d] = ops::localised(windows[d], {array.offset[d], array.extent[d], 0, windows[d].size,
                                               result.offset[d], result.extent[d]});
    while (rank > 0 && windows[rank - 1].trivial())
      inner_ *= array.extent[--rank];
    if (rank > 0) {
      --rank;
      line_ = windows[rank];
      line_places_ = result.extent[rank];
      line_size_ = array.extent[rank];
    }
    const std::vector<int64_t> steps = dense_strides(array.extent);
    for (size_t d = 0; d < rank; ++d) {
      outer_.push_back({windows[d], array.extent[d], result.extent[d], steps[d]});
      lines_ *= result.extent[d];
      outer_taps_ *= windows[d].size;
    }
    const double work =
        static_cast<double>(lines_ * line_places_ * inner_) * static_cast<double>(outer_taps_ * line_.size);
    parts_ = std::clamp<int64_t>(static_cast<int64_t>(work / kWorkEach), 1, kMostParts);
    parts_ = std::max<int64_t>(1, std::min(parts_, lines_));
  }

  const char *name() const override { return "cpu:reduce_window"; }
  int64_t parts() const override { return parts_; }
  int64_t scratch_bytes() const override { return 2 * line_bytes(); }

  Status run(int64_t part, std::span<const void *const> operands, std::span<void *const> results,
             void *scratch) const override {
    const auto *array = static_cast<const std::byte *>(operands[0]);
    auto *init = static_cast<std::byte *>(scratch), *spread = init + line_bytes();
    const int64_t n = line_places_ * inner_;
    for (int64_t i = 0; i < n; ++i)
      std::memcpy(init + i * element_, operands[1], static_cast<size_t>(element_));
    for (int64_t line = lines_ * part / parts_; line < lines_ * (part + 1) / parts_; ++line) {
      std::array<int64_t, kMostDims> place{};
      int64_t rest = line;
      for (size_t d = outer_.size(); d-- > 0; rest /= outer_[d].places)
        place[d] = rest % outer_[d].places;
      auto *out = static_cast<std::byte *>(results[0]) + line * n * element_;
      if (n > 0)
        std::memcpy(out, init, static_cast<size_t>(n * element_));
      for (int64_t tap = 0; tap < outer_taps_; ++tap) {
        int64_t row = 0;
        bool inside = true;
        rest = tap;
        for (size_t d = outer_.size(); d-- > 0; rest /= outer_[d].window.size) {
          const int64_t at = outer_[d].window.element(place[d], rest % outer_[d].window.size, outer_[d].size);
          inside = inside && at >= 0;
          row += at * outer_[d].step;
        }
        for (int64_t t = 0; t < line_.size; ++t)
          fold(out, inside ? array + row * element_ : nullptr, t, init, spread);
      }
    }
    return {};
  }

private:
  struct Outer {
    SlidingWindow window;
    int64_t size, places, step;
  };

  int64_t line_bytes() const { return (line_places_ * inner_ * element_ + 63) / 64 * 64; }

  void combine(std::byte *out, const std::byte *values, int64_t n) const {
    const void *in[] = {out, values};
    if (n > 0)
      combine_(in, out, n);
  }

  // One tap of a line; null: all of it is padding.
  void fold(std::byte *out, const std::byte *row, int64_t tap, const std::byte *init,
            std::byte *spread) const {
    const int64_t all = line_places_ * inner_;
    if (row == nullptr)
      return combine(out, init, all);
    const int64_t bytes = inner_ * element_;
    if (line_.stride == 1 && line_.base_dilation == 1) {
      const int64_t first =
          line_.step(tap) - line_.low; // the element at place 0, where the array goes so far
      const int64_t begin = std::clamp<int64_t>(-first, 0, line_places_),
                    end = std::clamp<int64_t>(line_size_ - first, begin, line_places_);
      combine(out, init, begin * inner_);
      combine(out + begin * bytes, row + (first + begin) * bytes, (end - begin) * inner_);
      return combine(out + end * bytes, init, (line_places_ - end) * inner_);
    }
    for (int64_t p = 0; p < line_places_; ++p) {
      const int64_t at = line_.element(p, tap, line_size_);
      std::memcpy(spread + p * bytes, at < 0 ? init : row + at * bytes, static_cast<size_t>(bytes));
    }
    combine(out, spread, all);
  }

  static constexpr double kWorkEach = 1 << 18;
  static constexpr int64_t kMostParts = 8;

  BlockFn combine_;
  int64_t element_;                         // bytes
  int64_t inner_ = 1;                       // elements of the innermost dimensions, over which nothing slides
  SlidingWindow line_;                      // of the innermost dimension over which something does
  int64_t line_places_ = 1, line_size_ = 1; //
  std::vector<Outer> outer_;                // the others
  int64_t lines_ = 1, outer_taps_ = 1, parts_ = 1;
};

std::unique_ptr<Kernel> bind(const Request &r) {
  if (r.results.size() != 1 || r.operands[0].extent.size() > kMostDims)
    return nullptr;
  const auto kind = ops::reduction_of(r.op.graph, r.op.regions[0]);
  const BlockFn combine = kind ? ref::combine_block(*kind, r.results[0].dtype) : nullptr;
  return combine ? std::make_unique<ReduceWindow>(r, combine) : nullptr;
}

constexpr std::array kOps{ops::OpKind::reduce_window};

} // namespace

Entry entry() { return {"cpu:reduce_window", kOps, bind}; }

} // namespace tw::kernels::cpu::reduce_window_kernel
