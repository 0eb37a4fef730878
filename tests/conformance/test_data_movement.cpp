// SPDX-License-Identifier: Apache-2.0
// Ops that only move elements: every one on random shapes and tiles has the bytes of the reference.
#include <algorithm>
#include <numeric>

#include <doctest/doctest.h>

#include "conformance/kernel_case.hpp"
#include "ops/attributes.hpp"

using namespace tw;
using graph::DType;
using test::uniform;
namespace slot = ops::slot;

namespace {

constexpr DType kTypes[] = {DType::f32, DType::f32,  DType::s8, DType::bf16,
                            DType::f64, DType::c128, DType::i1};
DType any_type(test::Rng &rng) { return kTypes[static_cast<size_t>(uniform(rng, 0, 6))]; }

std::vector<int64_t> random_shape(test::Rng &rng, int64_t rank) {
  std::vector<int64_t> dims;
  for (int64_t d = 0; d < rank; ++d) {
    const int64_t kind = uniform(rng, 0, 15);
    dims.push_back(kind == 0 ? 0 : kind < 3 ? 1 : kind < 13 ? uniform(rng, 2, 7) : uniform(rng, 8, 33));
  }
  return dims;
}

// Runs with whole arrays: the reference and the kernel of the list, which must be the copy engine's.
void check(test::KernelCase &c, test::Rng &rng) {
  for (size_t i = c.data.size(); i < c.operands.size(); ++i) {
    const auto &a = c.operands[i];
    auto all = test::random_data(rng, a.type.dtype, a.type.elements(), false);
    c.data.push_back(test::cut(all, a.type.dims, a.box, graph::byte_size(a.type.dtype)));
  }
  const auto kernel = c.bind();
  CHECK(std::string(kernel->name()) == "cpu:copy");
  REQUIRE(c.run(*kernel, rng) == c.run(*c.bind_reference(), rng));
}

// Restricts dimension `d` of both arrays to the same random range.
void tile_same(test::Rng &rng, test::ArrayPart &a, size_t da, test::ArrayPart &b, size_t db) {
  const int64_t n = a.type.dims[da], begin = uniform(rng, 0, n), end = uniform(rng, begin, n);
  a.box.offset[da] = b.box.offset[db] = begin;
  a.box.extent[da] = b.box.extent[db] = end - begin;
}

} // namespace

TEST_CASE("transpose") {
  test::Rng rng(31);
  for (int round = 0; round < 200; ++round) {
    const auto in = random_shape(rng, uniform(rng, 0, 5));
    std::vector<int64_t> permutation(in.size()), out;
    std::iota(permutation.begin(), permutation.end(), 0);
    std::shuffle(permutation.begin(), permutation.end(), rng);
    for (int64_t d : permutation)
      out.push_back(in[static_cast<size_t>(d)]);
    const DType t = any_type(rng);
    test::KernelCase c{"stablehlo.transpose", {permutation}, {test::whole(t, in)}, {test::whole(t, out)}, {}};
    for (size_t d = 0; d < out.size(); ++d)
      if (uniform(rng, 0, 3) == 0)
        tile_same(rng, c.operands[0], static_cast<size_t>(permutation[d]), c.results[0], d);
    check(c, rng);
  }
}

TEST_CASE("broadcast_in_dim") {
  test::Rng rng(32);
  for (int round = 0; round < 200; ++round) {
    const auto out = random_shape(rng, uniform(rng, 0, 5));
    std::vector<int64_t> dims, in;
    for (size_t d = 0; d < out.size(); ++d)
      if (uniform(rng, 0, 1))
        dims.push_back(static_cast<int64_t>(d));
    std::shuffle(dims.begin(), dims.end(), rng);
    for (int64_t d : dims)
      in.push_back(uniform(rng, 0, 3) ? out[static_cast<size_t>(d)] : 1);
    const DType t = any_type(rng);
    test::KernelCase c{"stablehlo.broadcast_in_dim", {dims}, {test::whole(t, in)}, {test::whole(t, out)}, {}};
    for (size_t d = 0; d < in.size(); ++d)
      if (in[d] == out[static_cast<size_t>(dims[d])] && uniform(rng, 0, 3) == 0)
        tile_same(rng, c.operands[0], d, c.results[0], static_cast<size_t>(dims[d]));
    check(c, rng);
  }
}

TEST_CASE("a large transpose runs in parts") {
  test::Rng rng(36);
  test::KernelCase c{"stablehlo.transpose",
                     {std::vector<int64_t>{1, 0}},
                     {test::whole(DType::f32, {1030, 1500})},
                     {test::whole(DType::f32, {1500, 1030})},
                     {}};
  CHECK(c.bind()->parts() > 1);
  check(c, rng);
}
