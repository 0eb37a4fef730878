// SPDX-License-Identifier: Apache-2.0
// The copy engine against a loop over every index: random boxes, strides of any sign, broadcasts, element
// sizes, parts in any order.
#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include <doctest/doctest.h>

#include "conformance/kernel_case.hpp"
#include "kernels/cpu/copy.hpp"
#include "support/number_of.hpp"

namespace tw::test_copy {

using kernels::cpu::CopyPlan;
using test::uniform;

namespace {

struct Box {
  std::vector<int64_t> extent, src, dst;
  int64_t src_size = 1, dst_size = 1, src_begin = 0;
};

// Strides of a permuted array with gaps between rows; returns its size in elements.
int64_t random_strides(test::Rng &rng, const std::vector<int64_t> &extent, std::vector<int64_t> &strides) {
  std::vector<size_t> order(extent.size());
  std::iota(order.begin(), order.end(), size_t{0});
  if (uniform(rng, 0, 1))
    std::shuffle(order.begin(), order.end(), rng);
  const int64_t gap = uniform(rng, 0, 2) ? 1 : uniform(rng, 2, 3);
  int64_t step = 1;
  strides.resize(extent.size());
  for (size_t i = order.size(); i-- > 0;) {
    strides[order[i]] = step;
    step *= std::max<int64_t>(1, extent[order[i]]) * (uniform(rng, 0, 3) ? 1 : gap);
  }
  return step;
}

Box random_box(test::Rng &rng) {
  Box b;
  int64_t elements = 1;
  for (int64_t d = uniform(rng, 0, 5); d > 0; --d) {
    const int64_t kind = uniform(rng, 0, 40);
    int64_t n = kind == 0 ? 0 : kind < 8 ? 1 : kind < 35 ? uniform(rng, 2, 9) : uniform(rng, 10, 140);
    if (elements * n > 60000)
      n = 1;
    elements *= n;
    b.extent.push_back(n);
  }
  b.src_size = random_strides(rng, b.extent, b.src);
  b.dst_size = random_strides(rng, b.extent, b.dst);
  for (size_t d = 0; d < b.extent.size(); ++d) {
    const int64_t kind = uniform(rng, 0, 13);
    if (kind == 0) {
      b.src[d] = 0; // broadcast
    } else if (kind == 1) {
      b.src_begin += std::max<int64_t>(0, b.extent[d] - 1) * b.src[d]; // reverse
      b.src[d] = -b.src[d];
    }
  }
  return b;
}

void plain_copy(const Box &b, const std::byte *src, std::byte *dst, int64_t size, size_t dim = 0) {
  if (dim == b.extent.size()) {
    std::memcpy(dst, src, static_cast<size_t>(size));
    return;
  }
  for (int64_t i = 0; i < b.extent[dim]; ++i)
    plain_copy(b, src + i * b.src[dim] * size, dst + i * b.dst[dim] * size, size, dim + 1);
}

} // namespace

TEST_CASE("copies of random boxes, whole and in parts, touch exactly their elements") {
  test::Rng rng(11);
  for (int round = 0; round < static_cast<int>(test::slice_of(4000, 1000)); ++round) {
    CAPTURE(round);
    const Box b = random_box(rng);
    const int64_t size = int64_t{1} << uniform(rng, 0, 4);
    const auto src = test::random_data(rng, graph::DType::s8, b.src_size * size, false);
    const std::vector<std::byte> untouched(static_cast<size_t>(b.dst_size * size + 128), std::byte{0xa5});
    auto want = untouched, got = untouched;
    const auto *from = src.data() + b.src_begin * size;
    plain_copy(b, from, want.data() + 64, size);
    const CopyPlan plan(b.extent, b.src, b.dst, size,
                        uniform(rng, 0, 1) ? CopyPlan::Stream::always : CopyPlan::Stream::never);
    plan.run(from, got.data() + 64);
    REQUIRE(got == want);

    got = untouched;
    const int64_t parts = std::min(plan.max_parts(), uniform(rng, 1, 5));
    for (int64_t part = parts; part-- > 0;)
      plan.run_part(from, got.data() + 64, part, parts);
    REQUIRE(got == want);
  }
}

TEST_CASE("a long run is cut into parts that cover it once") {
  const int64_t n = 100'003;
  std::vector<uint8_t> src(n), dst(n, 0);
  std::iota(src.begin(), src.end(), uint8_t{0});
  const std::vector<int64_t> extent{n}, stride{1};
  const CopyPlan plan(extent, stride, stride, 1);
  CHECK(plan.bytes() == n);
  REQUIRE(plan.max_parts() >= 7);
  for (int64_t part : {3, 0, 6, 1, 5, 2, 4})
    plan.run_part(src.data(), dst.data(), part, 7);
  CHECK(src == dst);
}

} // namespace tw::test_copy
