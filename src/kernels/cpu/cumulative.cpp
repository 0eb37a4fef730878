// SPDX-License-Identifier: Apache-2.0
// Cumulative sums, products, maxima and minima: reduce_window whose window reaches from each element to one end of a dimension. One pass
// instead of a window for each element.
#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <vector>

#include "kernels/entry.hpp"
#include "ops/attributes.hpp"
#include "ops/reduction.hpp"

namespace tw::kernels::cpu {

namespace {

constexpr int64_t kPartElements = 1 << 15;

// The dimension accumulated along, and from which end; nothing where windows are others.
struct Scan {
  size_t along = 0;
  bool backwards = false;
};

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

class Cumulative final : public Kernel {
public:
  Cumulative(const Request &r, const Scan &scan, ops::BlockFn combine, std::vector<std::byte> identity)
      : combine_(combine), identity_(std::move(identity)),
        element_(static_cast<int64_t>(graph::byte_size(r.operands[0].dtype))), backwards_(scan.backwards),
        length_(r.operands[0].extent[scan.along]) {
    for (size_t d = scan.along + 1; d < r.operands[0].extent.size(); ++d)
      row_ *= r.operands[0].extent[d];
    blocks_ = r.operands[0].elements() == 0 ? 0 : r.operands[0].elements() / (row_ * length_);
    parts_ =
        std::clamp<int64_t>(r.operands[0].elements() / kPartElements, 1, std::clamp<int64_t>(blocks_, 1, 8));
  }
  const char *name() const override { return "cpu:cumulative"; }
  int64_t parts() const override { return parts_; }
  int64_t scratch_bytes() const override { return row_ * element_; }

  // Row by row of the dimensions behind; each is the one before combined with the next elements.
  Status run(int64_t part, std::span<const void *const> operands, std::span<void *const> results,
             void *scratch) const override {
    auto *const same = static_cast<std::byte *>(scratch);
    fill_row(same, identity_.data());
    const auto row_of = [&](int64_t block, int64_t step) {
      return (block * length_ + (backwards_ ? length_ - 1 - step : step)) * row_ * element_;
    };
    const int64_t begin = blocks_ * part / parts_, end = blocks_ * (part + 1) / parts_;
    for (int64_t block = begin; block < end; ++block) {
      const void *before = same;
      for (int64_t step = 0; step < length_; ++step) {
        const int64_t at = row_of(block, step);
        const void *in[] = {before, static_cast<const std::byte *>(operands[0]) + at};
        void *const out = static_cast<std::byte *>(results[0]) + at;
        combine_(in, out, row_);
        before = out;
      }
    }
    if (std::memcmp(operands[1], identity_.data(), identity_.size()) == 0)
      return {};
    // The initial value enters once, and once more for each place of the window outside the array.
    for (int64_t step = 0; step < length_; ++step) {
      alignas(16) std::byte power[16];
      std::memcpy(power, operands[1], identity_.size());
      for (int64_t outside = length_ - 1 - step; outside > 0; --outside) {
        const void *in[] = {power, operands[1]};
        combine_(in, power, 1);
      }
      fill_row(same, power);
      for (int64_t block = begin; block < end; ++block) {
        std::byte *const out = static_cast<std::byte *>(results[0]) + row_of(block, step);
        const void *in[] = {same, out};
        combine_(in, out, row_);
      }
    }
    return {};
  }

private:
  void fill_row(std::byte *to, const void *element) const {
    for (int64_t i = 0; i < row_; ++i)
      std::memcpy(to + i * element_, element, static_cast<size_t>(element_));
  }

  ops::BlockFn combine_;
  std::vector<std::byte> identity_;
  int64_t element_; // bytes
  bool backwards_;
  int64_t length_, row_ = 1, blocks_ = 0, parts_ = 1;
};

constexpr std::array kOps{"stablehlo.reduce_window"};

std::unique_ptr<Kernel> bind(const Request &r) {
  if (r.results.size() != 1 || r.operands[0].dtype != r.results[0].dtype ||
      r.operands[1].dtype != r.results[0].dtype)
    return nullptr;
  const auto kind = ops::reduction_of(r.op.graph, r.op.regions[0]);
  const ops::BlockFn combine = kind ? ops::combine_block(*kind, r.results[0].dtype) : nullptr;
  const auto scan = scan_of(r);
  if (!combine || !scan || !r.use_init)
    return nullptr;
  return std::make_unique<Cumulative>(r, *scan, combine, ops::identity_of(*kind, r.results[0].dtype));
}

} // namespace

Entry cumulative() { return {"cpu:cumulative", kOps, bind}; }

} // namespace tw::kernels::cpu
