// SPDX-License-Identifier: Apache-2.0
// Cumulative sums, products, maxima and minima: reduce_window whose window reaches from each element to one
// end of a dimension. One pass instead of a window for each element.
#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "kernels/entry.hpp"
#include "kernels/ref/combiner.hpp"
#include "kernels/scan.hpp"
#include "ops/attributes.hpp"
#include "ops/reduction.hpp"

namespace tw::kernels {

std::optional<Scan> scan_of(const Request &r) {
  namespace slot = ops::slot::reduce_window;
  const auto window = r.op.ints(slot::window_dimensions), padding = r.op.ints(slot::padding);
  const auto is_one = [&](size_t s, size_t d) { return !r.op.has(s) || r.op.ints(s)[d] == 1; };
  std::optional<Scan> scan;
  const Tile &in = r.operands[0];
  for (size_t d = 0; d < in.extent.size(); ++d) {
    const int64_t low = r.op.has(slot::padding) ? padding[2 * d] : 0,
                  high = r.op.has(slot::padding) ? padding[2 * d + 1] : 0;
    if (!is_one(slot::window_strides, d) || !is_one(slot::base_dilations, d) ||
        !is_one(slot::window_dilations, d))
      return std::nullopt;
    if (window[d] == 1 && low == 0 && high == 0)
      continue;
    const bool whole = in.extent[d] == in.global[d] && r.results[0].extent[d] == in.extent[d];
    const bool forwards = low == window[d] - 1 && high == 0, backwards = high == window[d] - 1 && low == 0;
    if (scan || !whole || window[d] != in.global[d] || !(forwards || backwards))
      return std::nullopt;
    scan = Scan{d, !forwards};
  }
  return scan;
}

} // namespace tw::kernels

namespace tw::kernels::cpu::cumulative_kernel {

namespace {

constexpr int64_t kPartElements = 1 << 15;

class Cumulative final : public Kernel {
public:
  Cumulative(const Request &r, const Scan &scan, BlockFn combine)
      : combine_(combine), element_(static_cast<int64_t>(graph::byte_size(r.operands[0].dtype))),
        backwards_(scan.backwards), length_(r.operands[0].extent[scan.along]) {
    for (size_t d = scan.along + 1; d < r.operands[0].extent.size(); ++d)
      row_ *= r.operands[0].extent[d];
    blocks_ = r.operands[0].elements() == 0 ? 0 : r.operands[0].elements() / (row_ * length_);
    parts_ =
        std::clamp<int64_t>(r.operands[0].elements() / kPartElements, 1, std::clamp<int64_t>(blocks_, 1, 8));
  }
  const char *name() const override { return "cpu:cumulative"; }
  int64_t parts() const override { return parts_; }
  int64_t scratch_bytes() const override { return row_ * element_; }

  // Row by row of the dimensions behind, in the order in which windows fold (ops::folding_windows): the
  // initial value for each place outside the array, and once, then the elements. Where these places make no
  // difference a row is the one before and the next elements.
  Status run(int64_t part, std::span<const void *const> operands, std::span<void *const> results,
             void *scratch) const override {
    auto *const init = static_cast<std::byte *>(scratch);
    for (int64_t i = 0; i < row_; ++i)
      std::memcpy(init + i * element_, operands[1], static_cast<size_t>(element_));
    alignas(16) std::byte twice[16];
    const void *both[] = {init, init};
    if (row_ > 0)
      combine_(both, twice, 1);
    const bool continues = row_ == 0 || std::memcmp(twice, init, static_cast<size_t>(element_)) == 0;
    const auto *array = static_cast<const std::byte *>(operands[0]);
    auto *const out = static_cast<std::byte *>(results[0]);
    for (int64_t block = blocks_ * part / parts_; block < blocks_ * (part + 1) / parts_; ++block)
      for (int64_t step = 0; step < length_; ++step) {
        std::byte *const to = out + row_at(block, step);
        const void *before = init;
        const auto fold = [&](const std::byte *next) {
          const void *in[] = {before, next};
          combine_(in, to, row_);
          before = to;
        };
        if (continues && step > 0)
          before = out + row_at(block, step - 1);
        for (int64_t outside = continues ? 0 : length_ - 1 - step; outside > 0; --outside)
          fold(init);
        for (int64_t i = continues ? step : 0; i <= step; ++i)
          fold(array + row_at(block, i));
      }
    return {};
  }

private:
  // Bytes to the row at a step from where the sum begins.
  int64_t row_at(int64_t block, int64_t step) const {
    return (block * length_ + (backwards_ ? length_ - 1 - step : step)) * row_ * element_;
  }

  BlockFn combine_;
  int64_t element_; // bytes
  bool backwards_;
  int64_t length_, row_ = 1, blocks_ = 0, parts_ = 1;
};

constexpr std::array kOps{ops::OpKind::reduce_window};

std::unique_ptr<Kernel> bind(const Request &r) {
  if (r.results.size() != 1 || r.operands[0].dtype != r.results[0].dtype ||
      r.operands[1].dtype != r.results[0].dtype)
    return nullptr;
  const auto kind = ops::reduction_of(r.op.graph, r.op.regions[0]);
  const BlockFn combine = kind ? ref::combine_block(*kind, r.results[0].dtype) : nullptr;
  const auto scan = scan_of(r);
  if (!combine || !scan || !r.use_init)
    return nullptr;
  return std::make_unique<Cumulative>(r, *scan, combine);
}

} // namespace

Entry entry() { return {"cpu:cumulative", kOps, bind}; }

} // namespace tw::kernels::cpu::cumulative_kernel
