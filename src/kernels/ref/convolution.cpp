// SPDX-License-Identifier: Apache-2.0
// Convolutions: windows slide over images and give the products with their taps, summed over channels.
#include <algorithm>

#include "kernels/ref/convert.hpp"
#include "kernels/ref/elementwise.hpp"
#include "kernels/ref/scalar.hpp"
#include "kernels/ref/strided.hpp"
#include "ops/attributes.hpp"
#include "ops/convolution.hpp"

namespace tw::kernels::ref::convolution_reference {
namespace {

namespace slots = slot::convolution;

// Each element of the result sums its products in row-major order of the taps, then of the channels, whatever
// the piece.
template <class V> void convolve(const ConvPicture &c, const V *lhs, const V *rhs, V *out) {
  std::vector<int64_t> taps;
  for (const SlidingWindow &w : c.windows)
    taps.push_back(w.size);
  for (int64_t g = 0; g < c.groups; ++g)
    for (int64_t b = 0; b < c.batch; ++b)
      for (Walk p(c.places); p.more(); p.next()) {
        V *sums = out + g * c.result.group + b * c.result.batch;
        for (size_t d = 0; d < taps.size(); ++d)
          sums += p[d] * c.result.spatial[d];
        std::fill(sums, sums + c.out, V(0));
        for (Walk t(taps); t.more(); t.next()) {
          int64_t image = g * c.lhs.group + b * c.lhs.batch, matrix = g * c.rhs.group;
          bool inside = true;
          for (size_t d = 0; inside && d < taps.size(); ++d) {
            const int64_t at = c.windows[d].element(p[d], t[d], c.size[d]);
            inside = at >= 0;
            image += at * c.lhs.spatial[d];
            matrix += t[d] * c.rhs.spatial[d];
          }
          for (int64_t i = 0; inside && i < c.in; ++i) {
            const V a = lhs[image + i * c.lhs.in];
            const V *row = rhs + matrix + i * c.rhs.in;
            TW_INDEPENDENT_LOOP
            for (int64_t o = 0; o < c.out; ++o)
              sums[o] = scalar::Add::apply(sums[o], scalar::Multiply::apply(a, row[o]));
          }
        }
      }
}

// An array's dimensions in the order batch, space, features.
std::vector<int64_t> features_last(const ConvLayout &layout, bool taps) {
  std::vector<int64_t> order;
  if (!taps)
    order.push_back(static_cast<int64_t>(layout.first));
  for (const size_t d : layout.spatial)
    order.push_back(static_cast<int64_t>(d));
  if (taps)
    order.push_back(static_cast<int64_t>(layout.first));
  order.push_back(static_cast<int64_t>(layout.second));
  return order;
}

// The picture's strides after its arrays were put in that order.
void walk_packed(ConvPicture &c, bool batch_groups) {
  const auto dense = [&](ConvPicture::Strides &s, const std::vector<int64_t> &space, int64_t inner) {
    s.spatial.resize(space.size());
    for (size_t d = space.size(); d-- > 0; inner *= space[d])
      s.spatial[d] = inner;
    return inner;
  };
  std::vector<int64_t> taps;
  for (const SlidingWindow &w : c.windows)
    taps.push_back(w.size);
  const int64_t channels = batch_groups ? c.in : c.groups * c.in, features = c.groups * c.out;
  c.lhs.in = 1;
  c.lhs.batch = dense(c.lhs, c.size, channels);
  c.lhs.group = batch_groups ? c.batch * c.lhs.batch : c.in;
  c.rhs.out = 1;
  c.rhs.in = features;
  c.rhs.group = c.out;
  dense(c.rhs, taps, c.in * features);
  c.result.out = 1;
  c.result.group = c.out;
  c.result.batch = dense(c.result, c.places, features);
}

Status reference(const KernelArgs &args) {
  const Buffer &result = args.results[0];
  if (result.elements() == 0)
    return {};
  const auto part = [](const Buffer &b) { return PartView{b.offset, b.extent}; };
  ConvPicture c = conv_picture(args.op, part(args.operands[0]), part(args.operands[1]), part(result));
  const ConvLayout lhs = conv_layout(args.op, slots::lhs_dimensions),
                   rhs = conv_layout(args.op, slots::rhs_dimensions),
                   out = conv_layout(args.op, slots::result_dimensions);
  const DType type = sum_type(result.dtype);
  const std::vector<std::byte> a = packed(args.operands[0], features_last(lhs, false), type),
                               b = packed(args.operands[1], features_last(rhs, true), type);
  std::vector<std::byte> sums(static_cast<size_t>(result.elements()) * graph::byte_size(type)),
      narrow(static_cast<size_t>(result.elements()) * graph::byte_size(result.dtype));
  walk_packed(c, args.op.integer(slots::batch_group_count, 1) > 1);
  visit_dtype(type, [&]<class E>(E) {
    using V = typename E::Storage;
    if constexpr (std::is_same_v<V, typename E::Value>)
      convolve(c, reinterpret_cast<const V *>(a.data()), reinterpret_cast<const V *>(b.data()),
               reinterpret_cast<V *>(sums.data()));
    else if constexpr (E::dtype == DType::i1)
      convolve(c, reinterpret_cast<const bool *>(a.data()), reinterpret_cast<const bool *>(b.data()),
               reinterpret_cast<bool *>(sums.data()));
  });
  const void *in = sums.data();
  convert_block(type, result.dtype)(&in, narrow.data(), result.elements());
  // Back into the order of the result.
  std::vector<int64_t> extent, strides;
  const std::vector<int64_t> steps = dense_strides(result.extent);
  for (const int64_t d : features_last(out, false)) {
    extent.push_back(result.extent[static_cast<size_t>(d)]);
    strides.push_back(steps[static_cast<size_t>(d)]);
  }
  copy_strided(result.data, strides, narrow.data(), dense_strides(extent), extent,
               graph::byte_size(result.dtype));
  return {};
}

} // namespace

References references() {
  static const Reference all[] = {
      {"stablehlo.convolution", reference},
  };
  return all;
}

} // namespace tw::kernels::ref::convolution_reference
