// SPDX-License-Identifier: Apache-2.0
// What products are to cuBLASLt, without CUDA: an interpreter follows the description element by element, and
// its result is that of the reference kernel.
#include <complex>
#include <cstring>
#include <functional>
#include <vector>

#include <doctest/doctest.h>

#include "conformance/random_dot.hpp"
#include "device/cuda/product_form.hpp"
#include "kernels/ref/convert.hpp"
#include "ops/attributes.hpp"

namespace tw::test_cuda_products {

using device::cuda::product_form;
using device::cuda::ProductForm;
using graph::DType;
using test::Dot;
using test::make_dot;
using test::random_sizes;
using test::uniform;

namespace {

template <class Sum> constexpr DType kWide = std::is_same_v<Sum, double> ? DType::f64 : DType::c128;

int64_t place(const tw_cuda_matrix &m, int64_t batch, int64_t row, int64_t column) {
  return batch * m.batch_stride + (m.by_rows ? row * m.leading + column : column * m.leading + row);
}

// Calls `body` with the offsets of each product: loops, then the batch.
void for_each_product(const ProductForm &p, size_t loop, int64_t a, int64_t b, int64_t c,
                      const std::function<void(int64_t, int64_t, int64_t)> &body) {
  if (loop == p.loops.size())
    return body(a, b, c);
  const ProductForm::Loop &l = p.loops[loop];
  for (int64_t i = 0; i < l.count; ++i)
    for_each_product(p, loop + 1, a + i * l.a, b + i * l.b, c + i * l.c, body);
}

// All arithmetic in double precision, then one rounding to the result's type.
class Interpreter final : public kernels::Kernel {
public:
  Interpreter(ProductForm product, const kernels::Request &r)
      : product_(std::move(product)), dtypes_{r.operands[0].dtype, r.operands[1].dtype, r.results[0].dtype},
        elements_{r.operands[0].elements(), r.operands[1].elements(), r.results[0].elements()} {}
  const char *name() const override { return "interpreted"; }
  Status run(int64_t, std::span<const void *const> in, std::span<void *const> out, void *) const override {
    if (graph::is_complex(dtypes_[2]))
      multiply<std::complex<double>>(in, out[0]);
    else
      multiply<double>(in, out[0]);
    return {};
  }

private:
  template <class Sum> std::vector<Sum> widened(const void *data, size_t operand) const {
    std::vector<Sum> wide(static_cast<size_t>(elements_[operand]));
    kernels::ref::convert_block(dtypes_[operand], kWide<Sum>)(&data, wide.data(), elements_[operand]);
    return wide;
  }
  template <class Sum> void multiply(std::span<const void *const> in, void *out) const {
    const std::vector<Sum> a = widened<Sum>(in[0], 0), b = widened<Sum>(in[1], 1);
    std::vector<Sum> c(static_cast<size_t>(elements_[2]));
    std::vector<int> written(c.size());
    const tw_cuda_product_form &f = product_.form;
    for_each_product(product_, 0, 0, 0, 0, [&](int64_t at_a, int64_t at_b, int64_t at_c) {
      for (int64_t batch = 0; batch < f.batch; ++batch)
        for (int64_t i = 0; i < f.a.rows; ++i)
          for (int64_t j = 0; j < f.b.columns; ++j) {
            const auto to = static_cast<size_t>(at_c + place(f.c, batch, i, j));
            ++written.at(to);
            for (int64_t k = 0; k < f.a.columns; ++k)
              c.at(to) += a.at(static_cast<size_t>(at_a + place(f.a, batch, i, k))) *
                          b.at(static_cast<size_t>(at_b + place(f.b, batch, k, j)));
          }
    });
    for (const int times : written)
      REQUIRE(times == 1);
    const void *wide = c.data();
    kernels::ref::convert_block(kWide<Sum>, dtypes_[2])(&wide, out, elements_[2]);
  }

  ProductForm product_;
  DType dtypes_[3];
  int64_t elements_[3];
};

std::unique_ptr<kernels::Kernel> interpret(const kernels::Request &request) {
  auto product = product_form(request);
  if (!product)
    return nullptr;
  const tw_cuda_product_form &f = product->form;
  CHECK(f.a.rows == f.c.rows);
  CHECK(f.b.columns == f.c.columns);
  CHECK(f.a.columns == f.b.rows);
  CHECK(f.c.by_rows == 1);
  for (const tw_cuda_matrix *m : {&f.a, &f.b, &f.c})
    CHECK(m->leading >= (m->by_rows ? m->columns : m->rows));
  return std::make_unique<Interpreter>(std::move(*product), request);
}

struct Types {
  DType operand, result;
};
constexpr Types kTypes[] = {
    {DType::f64, DType::f64},      {DType::f32, DType::f32},      {DType::f16, DType::f16},
    {DType::f16, DType::f32},      {DType::bf16, DType::bf16},    {DType::bf16, DType::f32},
    {DType::c64, DType::c64},      {DType::c128, DType::c128},    {DType::s8, DType::s32},
    {DType::f8e4m3fn, DType::f32}, {DType::f8e4m3fn, DType::bf16}};

std::optional<ProductForm> form_of(const test::KernelCase &call) {
  static thread_local std::optional<ProductForm> found;
  call.bind_as([](const kernels::Request &r) -> std::unique_ptr<kernels::Kernel> {
    found = product_form(r);
    return nullptr;
  });
  return found;
}

} // namespace

TEST_CASE("descriptions of products say what the reference computes") {
  test::Rng rng(31);
  int taken = 0;
  for (int round = 0; round < 3000; ++round) {
    CAPTURE(round);
    const test::Sizes sizes{random_sizes(rng, uniform(rng, 0, 2), {1, 2, 3, 5}),
                            random_sizes(rng, uniform(rng, 0, 2), {1, 2, 7, 16, 17}),
                            random_sizes(rng, uniform(rng, 0, 2), {1, 3, 8, 16}),
                            random_sizes(rng, uniform(rng, 0, 2), {1, 2, 5, 16, 32})};
    const Types types = kTypes[static_cast<size_t>(uniform(rng, 0, std::size(kTypes) - 1))];
    const Dot dot = make_dot(rng, sizes, types.operand, types.result, true, true);
    const auto kernel = dot.call.bind_as(interpret);
    if (kernel == nullptr)
      continue;
    ++taken;
    const auto got = dot.call.run(*kernel, rng), want = dot.call.run(*dot.call.bind_reference(), rng);
    // Small integers: sums are exact but for those that the result's own type rounds.
    if (types.operand == types.result && types.operand == DType::f16)
      REQUIRE(test::relative_difference(types.result, got[0], want[0]) <= 1e-3);
    else
      REQUIRE(got == want);
  }
  MESSAGE(taken, " of 3000 products need no copy");
  CHECK(taken > 1500);
}

TEST_CASE("matrices in any order need no copy, with a batch in front or between") {
  test::Rng rng(32);
  // Where a dimension of each kind lies: b batch, f free, k contracting.
  for (const std::string left : {"fk", "kf", "bfk", "bkf", "fbk", "kbf"})
    for (const std::string right : {"fk", "kf", "bfk", "bkf", "fbk", "kbf"}) {
      if ((left.size() == 3) != (right.size() == 3))
        continue;
      CAPTURE(left);
      CAPTURE(right);
      const auto at = [](const std::string &text, char kind) {
        const size_t found = text.find(kind);
        return found == text.npos ? std::vector<int64_t>{}
                                  : std::vector<int64_t>{static_cast<int64_t>(found)};
      };
      const auto dims = [](const std::string &text, int64_t free) {
        std::vector<int64_t> all;
        for (const char kind : text)
          all.push_back(kind == 'b' ? 4 : kind == 'k' ? 6 : free);
        return all;
      };
      test::KernelCase call;
      call.op = "stablehlo.dot_general";
      call.attrs.resize(6);
      namespace slots = ops::slot::dot_general;
      call.attrs[slots::lhs_batching_dimensions] = at(left, 'b');
      call.attrs[slots::rhs_batching_dimensions] = at(right, 'b');
      call.attrs[slots::lhs_contracting_dimensions] = at(left, 'k');
      call.attrs[slots::rhs_contracting_dimensions] = at(right, 'k');
      call.operands = {test::whole(DType::f32, dims(left, 5)), test::whole(DType::f32, dims(right, 7))};
      call.results = {test::whole(DType::f32, left.size() == 3 ? std::vector<int64_t>{4, 5, 7}
                                                               : std::vector<int64_t>{5, 7})};
      for (const auto &operand : call.operands)
        call.data.push_back(test::random_data(rng, DType::f32, operand.type.elements(), true));
      const auto form = form_of(call);
      REQUIRE(form);
      CHECK(form->loops.empty());
      CHECK(form->form.batch == (left.size() == 3 ? 4 : 1));
      CHECK(form->form.compute == TW_CUDA_IN_F32);
      CHECK(call.run(*call.bind_as(interpret), rng) == call.run(*call.bind_reference(), rng));
      call.tf32 = true; // for the whole program
      CHECK(form_of(call)->form.compute == TW_CUDA_IN_TF32);
      call.tf32 = false;
      call.attrs[slots::algorithm] =
          std::string("<lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32>");
      CHECK(form_of(call)->form.compute == TW_CUDA_IN_TF32);
    }
}

TEST_CASE("types that cuBLASLt has no product for are declined") {
  test::Rng rng(33);
  for (const Types types : {Types{DType::s8, DType::s8},
                            {DType::u8, DType::s32},
                            {DType::s32, DType::s32},
                            {DType::f8e5m2, DType::f32},
                            {DType::i1, DType::i1},
                            {DType::f8e4m3fn, DType::f8e4m3fn},
                            {DType::f32, DType::f64}}) {
    const Dot dot = make_dot(rng, {{}, {16}, {16}, {16}}, types.operand, types.result, false, true);
    CHECK_FALSE(form_of(dot.call));
  }
  for (const int64_t size : {0, 15}) { // nothing to multiply; no multiple of what tensor cores take
    CHECK_FALSE(form_of(make_dot(rng, {{}, {16}, {16}, {size}}, DType::s8, DType::s32, false, true).call));
  }
}

TEST_CASE("only an algorithm that names TF32 for both operands asks for it") {
  using device::cuda::asks_for_tf32;
  CHECK(asks_for_tf32("<lhs_precision_type=tf32, rhs_precision_type = tf32, accumulation_type = f32>"));
  CHECK_FALSE(asks_for_tf32(""));
  CHECK_FALSE(
      asks_for_tf32("<lhs_precision_type = tf32, rhs_precision_type = f32, accumulation_type = f32>"));
  CHECK_FALSE(
      asks_for_tf32("<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = tf32>"));
  CHECK_FALSE(asks_for_tf32("rhs_precision_type lhs_precision_type"));
}

} // namespace tw::test_cuda_products
