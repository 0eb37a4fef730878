// SPDX-License-Identifier: Apache-2.0
// What convolutions are to cuDNN, without CUDA: an interpreter follows the description element by element, as
// the manual of the library has it, and its result is that of the reference kernel.
#include <cstring>
#include <functional>
#include <vector>

#include <doctest/doctest.h>

#include "conformance/random_conv.hpp"
#include "device/cuda/convolution_form.hpp"
#include "kernels/ref/convert.hpp"
#include "ops/strided.hpp"

namespace tw::test_cuda_convolutions {

using device::cuda::convolution_form;
using graph::DType;
using ops::Walk;
using test::uniform;

namespace {

// All arithmetic in double precision. A forward convolution gathers; a backward one lets each element of the
// image add to all elements of the result that a forward one would have read.
class Interpreter final : public kernels::Kernel {
public:
  Interpreter(device::cuda::ConvolutionForm made, const kernels::Request &r)
      : form_(made.form), packing_(std::move(made.packing)) {
    for (const auto tiles : {r.operands, r.results})
      for (const kernels::Tile &tile : tiles) {
        dtypes_.push_back(tile.dtype);
        elements_.push_back(tile.elements());
      }
  }
  const char *name() const override { return "interpreted"; }

  Status run(int64_t, std::span<const void *const> in, std::span<void *const> out, void *) const override {
    const auto image = widened(in[0], 0), given = widened(in[1], 1), taps = packing_ ? packed(given) : given;
    std::vector<double> sums(static_cast<size_t>(elements_[2]));
    std::vector<int> written(sums.size());
    for (int64_t call = 0; call < form_.count; ++call)
      convolve(image, taps, sums, written, call);
    for (const int times : written)
      REQUIRE(times == 1);
    const void *wide = sums.data();
    kernels::ref::convert_block(DType::f64, dtypes_[2])(&wide, out[0], elements_[2]);
    return {};
  }

private:
  std::vector<double> widened(const void *data, size_t operand) const {
    std::vector<double> wide(static_cast<size_t>(elements_[operand]));
    kernels::ref::convert_block(dtypes_[operand], DType::f64)(&data, wide.data(), elements_[operand]);
    return wide;
  }

  std::vector<double> packed(const std::vector<double> &taps) const {
    std::vector<double> made(taps.size());
    for (Walk at(packing_->extent); at.more(); at.next()) {
      int64_t from = 0, to = 0;
      for (size_t d = 0; d < packing_->extent.size(); ++d) {
        from += at[d] * packing_->source_strides[d];
        to += at[d] * packing_->result_strides[d];
      }
      made.at(static_cast<size_t>(to)) = taps.at(static_cast<size_t>(from));
    }
    return made;
  }

  void convolve(const std::vector<double> &image, const std::vector<double> &taps, std::vector<double> &sums,
                std::vector<int> &written, int64_t call) const {
    const auto rank = static_cast<size_t>(form_.spatial) + 2;
    const auto extents = [&](const tw_cuda_tensor &t) {
      return std::vector<int64_t>(t.extents, t.extents + rank);
    };
    const auto place = [&](const tw_cuda_tensor &t, const auto &at) {
      int64_t sum = 0;
      for (size_t d = 0; d < rank; ++d)
        sum += at[d] * t.strides[d];
      return sum;
    };
    const std::vector<int64_t> results = extents(form_.result), windows = extents(form_.taps);
    for (Walk p(results); p.more(); p.next())
      ++written.at(static_cast<size_t>(call * form_.result_step + place(form_.result, p)));
    // Of the side with windows' channels, and of the other one.
    const tw_cuda_tensor &fine = form_.backward ? form_.result : form_.image,
                         &coarse = form_.backward ? form_.image : form_.result;
    const int64_t groups = fine.extents[1] / windows[1], outer_each = windows[0] / groups;
    REQUIRE(coarse.extents[1] == windows[0]);
    const std::vector<int64_t> places = extents(coarse);
    for (Walk y(places); y.more(); y.next())
      for (Walk t(windows); t.more(); t.next()) {
        if (t[0] != y[1])
          continue;
        std::vector<int64_t> x{y[0], y[1] / outer_each * windows[1] + t[1]}, tap{t[0], t[1]};
        bool inside = true;
        for (size_t d = 2; d < rank; ++d) {
          x.push_back(y[d] * form_.stride[d - 2] + t[d] * form_.dilation[d - 2] - form_.low[d - 2]);
          tap.push_back(form_.flipped ? windows[d] - 1 - t[d] : t[d]);
          inside = inside && x[d] >= 0 && x[d] < fine.extents[d];
        }
        if (!inside)
          continue;
        const auto from = [&](const auto &at) {
          return static_cast<size_t>(form_.image_begin + call * form_.image_step + place(form_.image, at));
        };
        const auto to = [&](const auto &at) {
          return static_cast<size_t>(call * form_.result_step + place(form_.result, at));
        };
        const double factor = taps.at(static_cast<size_t>(call * form_.taps_step + place(form_.taps, tap)));
        if (form_.backward)
          sums.at(to(x)) += image.at(from(y)) * factor;
        else
          sums.at(to(y)) += image.at(from(x)) * factor;
      }
  }

  tw_cuda_convolution_form form_;
  std::optional<kernels::BoxMove> packing_;
  std::vector<DType> dtypes_;
  std::vector<int64_t> elements_;
};

// Taps are packed: K C X.. or K X.. C. Dimensions of one element have any stride.
void check_packed(const tw_cuda_tensor &taps, size_t rank) {
  int64_t second = 1, last = taps.extents[1];
  bool is_second = true, is_last = taps.extents[1] == 1 || taps.strides[1] == 1;
  for (size_t d = rank; d-- > 2;) {
    is_second = is_second && (taps.extents[d] == 1 || taps.strides[d] == second);
    is_last = is_last && (taps.extents[d] == 1 || taps.strides[d] == last);
    second *= taps.extents[d];
    last *= taps.extents[d];
  }
  is_second = is_second && (taps.extents[1] == 1 || taps.strides[1] == second);
  CHECK((is_second || is_last));
  CHECK((taps.extents[0] == 1 || taps.strides[0] == last));
}

int g_backward, g_groups, g_calls, g_offset, g_packed, g_lie_packed;

std::unique_ptr<kernels::Kernel> interpret(const kernels::Request &request) {
  auto made = convolution_form(request);
  if (!made)
    return nullptr;
  const tw_cuda_convolution_form *const form = &made->form;
  check_packed(form->taps, static_cast<size_t>(form->spatial) + 2);
  ++(made->packing ? g_packed : g_lie_packed);
  g_backward += form->backward;
  g_groups += form->image.extents[1] != form->taps.extents[form->backward ? 0 : 1];
  g_calls += form->count > 1;
  g_offset += form->image_begin != 0;
  // The library's own rule for extents.
  for (int s = 0; s < form->spatial; ++s) {
    const tw_cuda_tensor &fine = form->backward ? form->result : form->image,
                         &coarse = form->backward ? form->image : form->result;
    CHECK(form->low[s] >= 0);
    CHECK(form->high[s] >= 0);
    CHECK((fine.extents[2 + s] + form->low[s] + form->high[s] -
           (form->taps.extents[2 + s] - 1) * form->dilation[s] - 1) /
                  form->stride[s] +
              1 ==
          coarse.extents[2 + s]);
  }
  return std::make_unique<Interpreter>(std::move(*made), request);
}

constexpr DType kTypes[] = {DType::f32, DType::f64, DType::f16, DType::bf16};

} // namespace

TEST_CASE("descriptions of convolutions say what the reference computes") {
  test::Rng rng(61);
  int taken = 0;
  for (int round = 0; round < 1200; ++round) {
    CAPTURE(round);
    test::Conv c = test::random_conv(rng);
    c.in = uniform(rng, 1, 3);
    c.out = uniform(rng, 1, 3);
    const DType type = kTypes[uniform(rng, 0, 3)];
    const test::KernelCase call = test::make_conv(rng, c, type, type, false);
    const auto kernel = call.bind_as(interpret);
    if (kernel == nullptr)
      continue;
    ++taken;
    int64_t k = c.in;
    for (const test::Spatial &s : c.space)
      k *= s.taps;
    const auto got = call.run(*kernel, rng), want = call.run(*call.bind_reference(), rng);
    REQUIRE(test::relative_difference(type, got[0], want[0]) <= test::conv_bound(type, k));
  }
  MESSAGE(taken << " taken");
  CHECK(taken > 150);
  CHECK(g_backward > 20);
  CHECK(g_groups > 20);
  CHECK(g_calls > 5);
  CHECK(g_offset > 10);
  CHECK(g_packed > 50);
  CHECK(g_lie_packed > 50);
}

TEST_CASE("tiles of convolutions are described with what they hold of the image") {
  test::Rng rng(62);
  int taken = 0;
  for (int round = 0; round < 100; ++round) {
    CAPTURE(round);
    test::Conv c = test::random_conv(rng);
    c.in = c.out = 2;
    c.feature_groups = c.batch_groups = 1;
    for (test::Spatial &s : c.space)
      s.size += 4;
    const test::KernelCase call = test::make_conv(rng, c, DType::f64, DType::f64, true);
    const auto &result = call.results[0].type;
    for (size_t d = 0; d < result.rank(); ++d)
      for (int64_t p = 0; p < 2; ++p) {
        const auto part = test::conv_tile(call, d, result.dims[d] * p / 2, result.dims[d] * (p + 1) / 2);
        const auto kernel = part.bind_as(interpret);
        if (kernel == nullptr)
          continue;
        ++taken;
        REQUIRE(part.run(*kernel, rng) == part.run(*part.bind_reference(), rng));
      }
  }
  MESSAGE(taken << " taken");
  CHECK(taken > 100);
}

TEST_CASE("convolutions that are none to cuDNN are declined") {
  test::Rng rng(63);
  const auto takes = [&](const test::Conv &c, DType operand, DType result) {
    return test::make_conv(rng, c, operand, result, true).bind_as(interpret) != nullptr;
  };
  const test::Conv plain{1, 2, 2, {{6, 3}}};
  CHECK(takes(plain, DType::f32, DType::f32));
  CHECK_FALSE(takes(plain, DType::s32, DType::s32));
  CHECK_FALSE(takes(plain, DType::bf16, DType::f32));
  CHECK_FALSE(takes({1, 2, 2, {{6, 3, 2, 0, 0, 2}}}, DType::f32, DType::f32)); // gaps on both sides
  CHECK_FALSE(takes({1, 2, 2, {{3, 2}, {3, 2}, {3, 2}, {3, 2}}}, DType::f32, DType::f32));
  test::Conv turned{1, 2, 2, {{6, 3}, {6, 3}}};
  turned.space[0].reversed = 1;
  CHECK_FALSE(takes(turned, DType::f32, DType::f32)); // one dimension of two
  turned.space[1].reversed = 1;
  CHECK(takes(turned, DType::f32, DType::f32));
}

} // namespace tw::test_cuda_convolutions
