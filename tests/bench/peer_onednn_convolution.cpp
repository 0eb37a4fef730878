// SPDX-License-Identifier: Apache-2.0
// The peer that our convolutions are timed against: f32 and bf16 by oneDNN, forward; where the images are
// dilated, as the gradient of the images of another; where the kernel is larger than the result, as the
// gradient of its weights, which is how the gradients of a convolution are written.
#include "bench/peer_onednn_convolution.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "bench/peer_onednn_chain.hpp"
#include "kernels/cpu/copy.hpp"
#include "kernels/entry.hpp"
#include "ops/convolution.hpp"

namespace tw::bench {

namespace {

using namespace kernels;
using graph::DType;
using ops::ConvPicture;
using ops::SlidingWindow;
using Direction = ConvShape::Direction;

// What oneDNN is asked, and how its arrays lie in ours. Offsets and steps are in elements of operand 0,
// operand 1 and the result.
struct Call {
  ConvShape shape;
  int64_t apart = 1;    // groups that are convolved one by one
  int64_t lhs_skip = 0; // what negative padding cuts off
  bool flips = false;   // the kernel is read backwards along some dimensions
};

Direction direction_of(const ConvPicture &c) {
  const auto any = [&](auto &&test) { return std::any_of(c.windows.begin(), c.windows.end(), test); };
  if (any([](const SlidingWindow &w) { return w.base_dilation != 1; }))
    return Direction::images_gradient;
  return c.num_taps() > c.num_places() ? Direction::weights_gradient : Direction::forward;
}

// Negative padding leaves elements out; the rest must be less than a window, beyond which oneDNN is not
// tried.
bool settle_padding(ConvShape &s, size_t d, int64_t step, int64_t &skip) {
  const bool images_are_read = s.direction != Direction::images_gradient;
  if (s.low[d] < 0) {
    if (!images_are_read)
      return false;
    skip -= s.low[d] * step;
    s.image[d] += std::exchange(s.low[d], 0);
  }
  if (const int64_t high = s.high(d); high < 0) {
    if (!images_are_read)
      return false;
    s.image[d] += high;
  }
  const int64_t span = (s.taps[d] - 1) * s.dilations[d] + 1;
  return s.image[d] > 0 && s.low[d] < span && s.high(d) < span;
}

// False where oneDNN has no word for it.
bool find_call(const ConvPicture &c, Call &call) {
  ConvShape &s = call.shape;
  s.direction = direction_of(c);
  s.groups = c.groups;
  const bool undoes = s.direction == Direction::images_gradient,
             trains = s.direction == Direction::weights_gradient;
  // Groups are neighbouring channels, or are taken apart.
  if (c.groups > 1 && c.lhs.group != (trains ? c.batch * c.lhs.batch : c.in * c.lhs.in)) {
    call.apart = c.groups;
    s.groups = 1;
  }
  for (size_t d = 0; d < c.windows.size(); ++d) {
    const SlidingWindow &w = c.windows[d];
    if (undoes ? w.stride != 1 : w.base_dilation != 1)
      return false;
    if (trains && w.reversed)
      return false;
    const int64_t reach = (w.size - 1) * w.dilation;
    s.image.push_back(undoes ? c.places[d] : c.size[d]);
    s.taps.push_back(trains ? c.places[d] : w.size);
    s.result.push_back(undoes ? c.size[d] : trains ? w.size : c.places[d]);
    s.strides.push_back(undoes ? w.base_dilation : trains ? w.dilation : w.stride);
    s.dilations.push_back(trains ? w.stride : w.dilation);
    s.low.push_back(undoes ? reach - w.low : w.low);
    call.flips = call.flips || (!trains && w.size > 1 && w.reversed != undoes);
    if (!settle_padding(s, d, c.lhs.spatial[d], call.lhs_skip))
      return false;
  }
  if (undoes) {
    s.batch = c.batch, s.in = c.out, s.out = c.in;
    s.images_layout = {c.result.batch, c.result.group, c.result.out, 0, c.result.spatial};
    s.results_layout = {c.lhs.batch, c.lhs.group, 0, c.lhs.in, c.lhs.spatial};
    s.weights_layout = {0, c.rhs.group, c.rhs.out, c.rhs.in, c.rhs.spatial};
  } else if (trains) {
    s.batch = c.in, s.in = c.batch, s.out = c.out;
    s.images_layout = {c.lhs.in, c.lhs.group, c.lhs.batch, 0, c.lhs.spatial};
    s.results_layout = {c.rhs.in, c.rhs.group, 0, c.rhs.out, c.rhs.spatial};
    s.weights_layout = {0, c.result.group, c.result.batch, c.result.out, c.result.spatial};
  } else {
    s.batch = c.batch, s.in = c.in, s.out = c.out;
    s.images_layout = {c.lhs.batch, c.lhs.group, c.lhs.in, 0, c.lhs.spatial};
    s.results_layout = {c.result.batch, c.result.group, 0, c.result.out, c.result.spatial};
    s.weights_layout = {0, c.rhs.group, c.rhs.in, c.rhs.out, c.rhs.spatial};
  }
  if (s.taps.empty()) { // oneDNN wants space
    for (auto *list : {&s.image, &s.taps, &s.result, &s.strides, &s.dilations, &s.images_layout.spatial,
                       &s.weights_layout.spatial, &s.results_layout.spatial})
      list->push_back(1);
    s.low.push_back(0);
  }
  return s.taps.size() <= 3;
}

class Convolution final : public Kernel {
public:
  static std::unique_ptr<Kernel> create(const ConvPicture &c, DType operand, DType result) {
    auto kernel = std::unique_ptr<Convolution>(new Convolution(c, operand, result));
    return kernel->make_chain() ? std::move(kernel) : nullptr;
  }

  const char *name() const override { return name_.c_str(); }
  int64_t parts() const override { return call_.apart * image_parts_; }
  int64_t scratch_bytes() const override { return flipped_bytes_ + chain_->scratch_bytes(); }
  bool split_invariant() const override { return false; }

  Status run(int64_t part, std::span<const void *const> operands, std::span<void *const> results,
             void *scratch) const override {
    const int64_t group = part / image_parts_, image = part % image_parts_ * call_.shape.batch;
    auto *space = static_cast<std::byte *>(scratch);
    const auto *lhs = static_cast<const std::byte *>(operands[0]) +
                      (group * c_.lhs.group + image * c_.lhs.batch + call_.lhs_skip) * operand_size_;
    const auto *rhs = static_cast<const std::byte *>(operands[1]) + group * c_.rhs.group * operand_size_;
    auto *out = static_cast<std::byte *>(results[0]) +
                (group * c_.result.group + image * c_.result.batch) * result_size_;
    if (call_.flips) {
      flip_.run(rhs + flip_from_ * operand_size_, space);
      rhs = space;
    }
    space += flipped_bytes_;
    switch (call_.shape.direction) {
    case Direction::forward: return chain_->run(lhs, rhs, out, space);
    case Direction::images_gradient: return chain_->run(out, rhs, lhs, space);
    case Direction::weights_gradient: break;
    }
    return chain_->run(lhs, out, rhs, space);
  }

private:
  Convolution(const ConvPicture &c, DType operand, DType result)
      : c_(c), operand_size_(static_cast<int64_t>(graph::byte_size(operand))),
        result_size_(static_cast<int64_t>(graph::byte_size(result))) {
    call_.shape.operand = operand;
    call_.shape.made = result;
  }

  bool make_chain() {
    if (!find_call(c_, call_))
      return false;
    ConvShape &s = call_.shape;
    if (s.direction != Direction::weights_gradient) { // images are independent
      const auto wanted = static_cast<int64_t>(std::clamp(c_.flops() / kFlopsEach, 1.0, kMostParts));
      for (int64_t parts = std::min(wanted, s.batch); parts > image_parts_; --parts)
        if (s.batch % parts == 0)
          image_parts_ = parts;
      s.batch /= image_parts_;
    }
    if (call_.flips)
      plan_flip();
    chain_ = ConvChain::create(s);
    if (!chain_)
      return false;
    name_ = "onednn:convolution " + chain_->implementation();
    return true;
  }

  // The kernel the other way round, in the order of the caller's.
  void plan_flip() {
    ConvShape &s = call_.shape;
    auto &layout = s.weights_layout;
    std::vector<int64_t> extent{s.groups}, from{layout.group};
    for (size_t d = 0; d < s.taps.size(); ++d) {
      const bool backwards = c_.windows[d].reversed != (s.direction == Direction::images_gradient);
      extent.push_back(s.taps[d]);
      from.push_back(backwards ? -layout.spatial[d] : layout.spatial[d]);
      flip_from_ += backwards ? (s.taps[d] - 1) * layout.spatial[d] : 0;
    }
    extent.insert(extent.end(), {s.in, s.out});
    from.insert(from.end(), {layout.in, layout.out});
    const std::vector<int64_t> to = dense_strides(extent);
    flip_ = cpu::CopyPlan(extent, from, to, operand_size_, cpu::CopyPlan::Stream::never);
    flipped_bytes_ = aligned(extent[0] * to[0] * operand_size_);
    const size_t space = s.taps.size();
    layout = {0,
              to[0],
              to[space + 1],
              to[space + 2],
              {to.begin() + 1, to.begin() + 1 + static_cast<std::ptrdiff_t>(space)}};
  }

  static constexpr double kFlopsEach = 1e7, kMostParts = 8;

  ConvPicture c_;
  Call call_;
  int64_t operand_size_, result_size_;
  int64_t image_parts_ = 1;
  cpu::CopyPlan flip_;
  int64_t flip_from_ = 0, flipped_bytes_ = 0;
  std::unique_ptr<ConvChain> chain_;
  std::string name_;
};

} // namespace

std::unique_ptr<Kernel> onednn_convolution(const Request &r) {
  const DType operand = r.operands[0].dtype, result = r.results[0].dtype;
  const bool f32 = operand == DType::f32 && result == DType::f32;
  const bool bf16 = operand == DType::bf16 && (result == DType::bf16 || result == DType::f32);
  if (r.operands[1].dtype != operand || !(f32 || bf16))
    return nullptr;
  const auto part = [](const Tile &t) { return ops::PartView{t.offset, t.extent}; };
  const ConvPicture c = ops::conv_picture(r.op, part(r.operands[0]), part(r.operands[1]), part(r.results[0]));
  if (c.empty() || c.in * c.num_taps() * c.image() == 0)
    return nullptr;
  return Convolution::create(c, operand, result);
}

} // namespace tw::bench
