// SPDX-License-Identifier: Apache-2.0
// Says which strides each array has, and turns gaps between an image's elements into steps of a backward
// convolution. What windows never reach of an image is left out of it.
#include "device/cuda/convolution_form.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "ops/convolution.hpp"

namespace tw::device::cuda {
namespace {

using graph::DType;
using ops::ConvPicture;
using ops::SlidingWindow;

constexpr int64_t kMostCalls = 64;

std::optional<tw_cuda_type> float_type(DType dtype) {
  switch (dtype) {
  case DType::f64: return TW_CUDA_F64;
  case DType::f32: return TW_CUDA_F32;
  case DType::f16: return TW_CUDA_F16;
  case DType::bf16: return TW_CUDA_BF16;
  default: return std::nullopt;
  }
}

// Channels of all groups as one dimension: its stride, if they lie so.
std::optional<int64_t> merged(int64_t groups, int64_t group_stride, int64_t n, int64_t stride) {
  if (groups == 1)
    return stride;
  if (n == 1)
    return group_stride;
  return group_stride == n * stride ? std::optional(stride) : std::nullopt;
}

// One dimension of the windows. False where cuDNN has no such windows.
bool place_forward(const SlidingWindow &w, int64_t places, tw_cuda_convolution_form &form, int s,
                   int64_t step) {
  int64_t &n = form.image.extents[2 + s];
  form.low[s] = w.low;
  if (w.low < 0) { // begins behind the image's first elements
    form.image_begin -= w.low * step;
    n += w.low;
    form.low[s] = 0;
  }
  const int64_t reach = (places - 1) * w.stride + w.span() - form.low[s];
  n = std::min(n, reach);
  form.high[s] = reach - n;
  form.stride[s] = w.stride;
  return n >= 1 && form.low[s] < w.span() && form.high[s] < w.span();
}

bool place_backward(const SlidingWindow &w, int64_t places, tw_cuda_convolution_form &form, int s) {
  const int64_t n = form.image.extents[2 + s], all = (n - 1) * w.base_dilation + w.span();
  form.stride[s] = w.base_dilation;
  form.low[s] = w.span() - 1 - w.low;
  form.high[s] = std::max<int64_t>(all - places - form.low[s], 0);
  return w.stride == 1 && form.low[s] >= 0 && form.low[s] < w.span() && form.high[s] < w.span() &&
         places + form.low[s] + form.high[s] - all < w.base_dilation;
}

// The spatial dimensions, behind dimensions of one element up to two.
bool place_windows(const ConvPicture &c, tw_cuda_convolution_form &form) {
  const auto given = static_cast<int>(c.windows.size()), more = std::max(2 - given, 0);
  form.spatial = given + more;
  for (int s = 0; s < form.spatial; ++s) {
    const SlidingWindow w = s < more ? SlidingWindow() : c.windows[static_cast<size_t>(s - more)];
    const auto d = static_cast<size_t>(std::max(s - more, 0));
    const auto put = [&](tw_cuda_tensor &t, int64_t extent, const ConvPicture::Strides &strides,
                         int64_t inner) {
      t.extents[2 + s] = s < more ? 1 : extent;
      t.strides[2 + s] = s >= more ? strides.spatial[d] : given == 0 ? 1 : inner * strides.spatial[0];
    };
    const bool any = given > 0;
    put(form.image, any ? c.size[d] : 1, c.lhs, any ? c.size[0] : 1);
    put(form.taps, w.size, c.rhs, any ? c.windows[0].size : 1);
    put(form.result, any ? c.places[d] : 1, c.result, any ? c.places[0] : 1);
    form.dilation[s] = w.size == 1 ? 1 : w.dilation;
    const int64_t places = form.result.extents[2 + s];
    if (!(form.backward ? place_backward(w, places, form, s)
                        : place_forward(w, places, form, s, form.image.strides[2 + s])))
      return false;
  }
  return true;
}

// Whether taps are counted from the other end: the same in all dimensions that have several.
std::optional<bool> reversed(const ConvPicture &c) {
  std::optional<bool> all;
  for (const SlidingWindow &w : c.windows) {
    if (w.size > 1 && all && *all != w.reversed)
      return std::nullopt;
    if (w.size > 1)
      all = w.reversed;
  }
  return all.value_or(false);
}

// By dimension, the last of `order` inmost.
std::vector<int64_t> packed_strides(const tw_cuda_tensor &t, const std::vector<size_t> &order) {
  std::vector<int64_t> strides(order.size());
  int64_t stride = 1;
  for (size_t i = order.size(); i-- > 0;) {
    strides[order[i]] = stride;
    stride *= t.extents[order[i]];
  }
  return strides;
}

// Gives the taps the strides of one of the orders that the library has. Those of calls follow each other.
std::optional<kernels::BoxMove> pack_taps(tw_cuda_convolution_form &form) {
  tw_cuda_tensor &taps = form.taps;
  const auto rank = static_cast<size_t>(form.spatial) + 2;
  std::vector<size_t> channels_second, channels_last{0};
  for (size_t d = 0; d < rank; ++d)
    channels_second.push_back(d);
  for (size_t d = 2; d < rank; ++d)
    channels_last.push_back(d);
  channels_last.push_back(1);
  for (const auto &order : {channels_second, channels_last}) {
    const std::vector<int64_t> strides = packed_strides(taps, order);
    const auto lies_so = [&](size_t d) { return taps.extents[d] == 1 || taps.strides[d] == strides[d]; };
    if (std::ranges::all_of(order, lies_so))
      return std::nullopt;
  }
  // As the image has its channels, which is what engines are fastest with.
  const auto strides = packed_strides(taps, form.image.strides[1] == 1 ? channels_last : channels_second);
  kernels::BoxMove move{0, {form.count}, 0, 0, {form.taps_step}, {1}};
  for (size_t d = 0; d < rank; ++d) {
    move.extent.push_back(taps.extents[d]);
    move.source_strides.push_back(taps.strides[d]);
    move.result_strides.push_back(strides[d]);
    move.result_strides[0] *= taps.extents[d];
    taps.strides[d] = strides[d];
  }
  form.taps_step = move.result_strides[0];
  return move;
}

} // namespace

std::optional<ConvolutionForm> convolution_form(const kernels::Request &r) {
  const auto type = float_type(r.results[0].dtype);
  const auto part = [](const kernels::Tile &t) { return ops::PartView{t.offset, t.extent}; };
  if (!type || r.operands[0].dtype != r.results[0].dtype || r.operands[1].dtype != r.results[0].dtype ||
      r.operands[0].elements() == 0 || r.operands[1].elements() == 0 || r.results[0].elements() == 0)
    return std::nullopt;
  const ConvPicture c = ops::conv_picture(r.op, part(r.operands[0]), part(r.operands[1]), part(r.results[0]));
  const auto turned = reversed(c);
  if (!turned || c.windows.size() > 3 || c.in == 0)
    return std::nullopt;
  tw_cuda_convolution_form form = {};
  form.type = *type;
  form.backward = std::ranges::any_of(c.windows, [](const SlidingWindow &w) { return w.base_dilation > 1; });
  form.flipped = *turned != (form.backward != 0);
  if (!place_windows(c, form))
    return std::nullopt;
  // The taps' outer channels are of all groups, the others of one.
  const int64_t outer = form.backward ? c.in : c.out, inner = form.backward ? c.out : c.in,
                outer_stride = form.backward ? c.rhs.in : c.rhs.out,
                inner_stride = form.backward ? c.rhs.out : c.rhs.in;
  const auto image = merged(c.groups, c.lhs.group, c.in, c.lhs.in),
             taps = merged(c.groups, c.rhs.group, outer, outer_stride),
             result = merged(c.groups, c.result.group, c.out, c.result.out);
  const bool at_once = image && taps && result;
  form.count = at_once ? 1 : c.groups;
  if (form.count > kMostCalls)
    return std::nullopt;
  const int64_t groups = at_once ? c.groups : 1;
  const auto put = [](tw_cuda_tensor &t, int64_t n, int64_t step, int64_t channels, int64_t channel_step) {
    t.extents[0] = n;
    t.strides[0] = step;
    t.extents[1] = channels;
    t.strides[1] = channel_step;
  };
  put(form.image, c.batch, c.lhs.batch, groups * c.in, at_once ? *image : c.lhs.in);
  put(form.taps, groups * outer, at_once ? *taps : outer_stride, inner, inner_stride);
  put(form.result, c.batch, c.result.batch, groups * c.out, at_once ? *result : c.result.out);
  form.image_step = c.lhs.group;
  form.taps_step = c.rhs.group;
  form.result_step = c.result.group;
  auto packing = pack_taps(form);
  return ConvolutionForm{form, std::move(packing)};
}

} // namespace tw::device::cuda
