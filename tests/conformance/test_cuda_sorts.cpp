// SPDX-License-Identifier: Apache-2.0
// Sorts and scans for CUB, without CUDA: their steps run on the host and give the bytes of the reference.
// Keys keep the order that the host's kernels have.
#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "conformance/random_sort.hpp"
#include "cuda/cub_steps.hpp"
#include "device/cuda/sort_form.hpp"
#include "ops/element.hpp"
#include "ops/sort_order.hpp"

namespace tw::test_cuda_sorts {

using graph::DType;
using test::CubOnHost;

namespace {

// Steps of a form, with as much workspace as they ask for.
template <class Form> class Steps final : public kernels::Kernel {
public:
  explicit Steps(const Form &form) : form_(form) {
    CubOnHost host;
    int32_t error = 0;
    if constexpr (std::is_same_v<Form, tw_cuda_scan_form>)
      error = cub::scan_bytes(host, form_, &bytes_);
    else
      error = form.key.bytes == 8 ? cub::sort_bytes<uint64_t>(host, form_, &bytes_)
                                  : cub::sort_bytes<uint32_t>(host, form_, &bytes_);
    REQUIRE(error == 0);
  }
  const char *name() const override { return "steps"; }
  int64_t scratch_bytes() const override { return static_cast<int64_t>(bytes_); }
  Status run(int64_t, std::span<const void *const> in, std::span<void *const> out,
             void *scratch) const override {
    CubOnHost host;
    int32_t error = 0;
    if constexpr (std::is_same_v<Form, tw_cuda_scan_form>)
      error = cub::run_scan(host, form_, in.data(), out.data(), scratch, bytes_);
    else
      error = form_.key.bytes == 8
                  ? cub::run_sort<uint64_t>(host, form_, in.data(), out.data(), scratch, bytes_)
                  : cub::run_sort<uint32_t>(host, form_, in.data(), out.data(), scratch, bytes_);
    REQUIRE(error == 0);
    return {};
  }

private:
  Form form_;
  size_t bytes_ = 0;
};

std::unique_ptr<kernels::Kernel> sort_steps(const kernels::Request &r) {
  const auto form = device::cuda::sort_form(r);
  return form ? std::make_unique<Steps<tw_cuda_sort_form>>(*form) : nullptr;
}

std::optional<bool> g_in_order; // what the next scan does, whatever its form says

std::unique_ptr<kernels::Kernel> scan_steps(const kernels::Request &r) {
  auto form = device::cuda::scan_form(r);
  if (form && g_in_order)
    form->in_order = *g_in_order;
  return form ? std::make_unique<Steps<tw_cuda_scan_form>>(*form) : nullptr;
}

bool has_key(DType dtype) {
  return graph::byte_size(dtype) > 1 || dtype == DType::s8 || dtype == DType::u8 || dtype == DType::i1;
}

// All codes of 16 bits; of wider elements the codes around powers of two, and random ones.
template <class S> std::vector<S> codes() {
  std::vector<S> all;
  test::Rng rng(5);
  if constexpr (sizeof(S) <= 2) {
    for (uint32_t code = 0; code < 1u << (8 * sizeof(S)); ++code)
      all.push_back(static_cast<S>(code));
  } else {
    for (size_t bit = 0; bit < 8 * sizeof(S); ++bit)
      for (const int near : {-1, 0, 1})
        for (const S high : {S{0}, static_cast<S>(S{1} << (8 * sizeof(S) - 1))})
          all.push_back(static_cast<S>(((S{1} << bit) + static_cast<S>(near)) ^ high));
    for (int i = 0; i < 3000; ++i)
      all.push_back(static_cast<S>(rng()));
  }
  return all;
}

tw_cuda_key key_of(DType dtype) {
  std::optional<tw_cuda_sort_form> form;
  static std::optional<tw_cuda_sort_form> *to = nullptr;
  to = &form;
  const test::KernelCase c{"chlo.top_k",
                           {int64_t{1}},
                           {test::whole(dtype, {2})},
                           {test::whole(dtype, {1}), test::whole(DType::s32, {1})},
                           {}};
  c.bind_as([](const kernels::Request &r) -> std::unique_ptr<kernels::Kernel> {
    *to = device::cuda::sort_form(r);
    return nullptr;
  });
  REQUIRE(form);
  return form->key;
}

} // namespace

TEST_CASE("sorts of CUB are those of the reference") {
  test::Rng rng(171);
  int taken = 0;
  for (int round = 0; round < 600; ++round) {
    CAPTURE(round);
    const test::KernelCase c = round % 3 == 0 ? test::make_top_k(rng) : test::make_sort(rng);
    const auto kernel = c.bind_as(sort_steps);
    if (kernel == nullptr)
      continue;
    ++taken;
    REQUIRE(c.run(*kernel, rng) == c.run(*c.bind_reference(), rng));
  }
  CHECK(taken > 250);
}

TEST_CASE("scans of CUB are those of the reference") {
  test::Rng rng(172);
  int in_order = 0, any_order = 0;
  for (int round = 0; round < 600; ++round) {
    CAPTURE(round);
    const test::KernelCase c = test::make_cumulative(rng).call;
    g_in_order = round % 2 == 0;
    const auto kernel = c.bind_as(scan_steps);
    g_in_order.reset();
    if (kernel == nullptr)
      continue;
    ++(round % 2 == 0 ? in_order : any_order);
    REQUIRE(c.run(*kernel, rng) == c.run(*c.bind_reference(), rng));
  }
  CHECK(in_order > 150);
  CHECK(any_order > 150);
}

TEST_CASE("keys have the order of the host's, and give their elements back") {
  for (const DType dtype : {DType::i1, DType::s8, DType::u8, DType::s16, DType::u16, DType::s32, DType::u32,
                            DType::s64, DType::u64, DType::f16, DType::bf16, DType::f32, DType::f64})
    ops::visit_dtype(dtype, [&]<class E>(E) {
      if constexpr (ops::kSortKeys.has(E::dtype)) {
        using Bits = std::conditional_t<
            sizeof(typename E::Storage) == 1, uint8_t,
            std::conditional_t<sizeof(typename E::Storage) == 2, uint16_t,
                               std::conditional_t<sizeof(typename E::Storage) == 4, uint32_t, uint64_t>>>;
        tw_cuda_key key = key_of(dtype);
        for (const bool one : {false, true})
          for (const bool descending : {false, true}) {
            const ops::SortOrder order{0, descending, one, one};
            key.descending = descending;
            key.one_zero = key.one_nan = one;
            std::vector<std::pair<uint64_t, uint64_t>> both; // the host's and ours
            for (const Bits code : codes<Bits>()) {
              if (dtype == DType::i1 && code > 1)
                continue;
              const auto value = E::load(std::bit_cast<typename E::Storage>(code));
              const uint64_t ours = cub::to_key(key, code);
              both.emplace_back(ops::sort_key<E>(value, order), ours);
              if (!one)
                REQUIRE(cub::from_key(key, ours) == code);
            }
            std::sort(both.begin(), both.end());
            for (size_t i = 1; i < both.size(); ++i)
              REQUIRE((both[i - 1].first == both[i].first ? both[i - 1].second == both[i].second
                                                          : both[i - 1].second < both[i].second));
          }
      }
    });
}

TEST_CASE("what has no order of bits is declined") {
  test::Rng rng(173);
  for (int round = 0; round < 200; ++round) {
    const test::KernelCase c = test::make_top_k(rng);
    const bool empty = c.operands[0].type.elements() == 0 || c.results[0].type.elements() == 0;
    CHECK((c.bind_as(sort_steps) != nullptr) == (!empty && has_key(c.operands[0].type.dtype)));
  }
}

} // namespace tw::test_cuda_sorts
