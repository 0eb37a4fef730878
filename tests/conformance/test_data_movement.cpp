// SPDX-License-Identifier: Apache-2.0
// Ops that only move elements: every one on random shapes and tiles has the bytes of the reference.
#include <algorithm>
#include <numeric>

#include <doctest/doctest.h>

#include "conformance/kernel_case.hpp"
#include "ops/attributes.hpp"

namespace tw::test_data_movement {

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

TEST_CASE("slice, pad and reverse, with tiles in dimensions that stay") {
  test::Rng rng(33);
  for (int round = 0; round < 400; ++round) {
    CAPTURE(round);
    const auto shape = random_shape(rng, uniform(rng, 0, 4));
    const DType t = any_type(rng);
    std::vector<int64_t> start, limit, stride, sliced, low, high, interior, padded, reversed;
    std::vector<bool> stays;
    for (int64_t n : shape) {
      const bool stay = uniform(rng, 0, 2) == 0;
      stays.push_back(stay);
      start.push_back(stay ? 0 : uniform(rng, 0, n));
      limit.push_back(stay ? n : uniform(rng, start.back(), n));
      stride.push_back(stay ? 1 : uniform(rng, 1, 3));
      sliced.push_back((limit.back() - start.back() + stride.back() - 1) / stride.back());
      interior.push_back(stay ? 0 : uniform(rng, 0, 2));
      const int64_t spread = n + std::max<int64_t>(0, n - 1) * interior.back();
      low.push_back(stay ? 0 : uniform(rng, -std::min<int64_t>(2, spread), 3));
      high.push_back(
          stay ? 0 : uniform(rng, -std::min<int64_t>(2, spread + std::min<int64_t>(0, low.back())), 3));
      padded.push_back(spread + low.back() + high.back());
      if (!stay)
        reversed.push_back(static_cast<int64_t>(stays.size()) - 1);
    }
    test::KernelCase cases[] = {
        {"stablehlo.slice", {start, limit, stride}, {test::whole(t, shape)}, {test::whole(t, sliced)}, {}},
        {"stablehlo.pad",
         {low, high, interior},
         {test::whole(t, shape), test::whole(t, {})},
         {test::whole(t, padded)},
         {}},
        {"stablehlo.reverse", {reversed}, {test::whole(t, shape)}, {test::whole(t, shape)}, {}},
    };
    for (auto &c : cases) {
      CAPTURE(c.op);
      for (size_t d = 0; d < shape.size(); ++d)
        if (stays[d] && uniform(rng, 0, 1))
          tile_same(rng, c.operands[0], d, c.results[0], d);
      check(c, rng);
    }
  }
}

TEST_CASE("concatenate") {
  test::Rng rng(34);
  for (int round = 0; round < 200; ++round) {
    auto shape = random_shape(rng, uniform(rng, 1, 4));
    const auto dim = static_cast<size_t>(uniform(rng, 0, static_cast<int64_t>(shape.size()) - 1));
    const DType t = any_type(rng);
    test::KernelCase c{"stablehlo.concatenate", {static_cast<int64_t>(dim)}, {}, {}, {}};
    int64_t total = 0;
    for (int64_t i = uniform(rng, 1, 5); i > 0; --i) {
      shape[dim] = uniform(rng, 0, 6);
      total += shape[dim];
      c.operands.push_back(test::whole(t, shape));
    }
    shape[dim] = total;
    c.results.push_back(test::whole(t, shape));
    for (size_t d = 0; d < shape.size(); ++d)
      if (d != dim && uniform(rng, 0, 2) == 0) {
        tile_same(rng, c.operands[0], d, c.results[0], d);
        for (auto &operand : c.operands) {
          operand.box.offset[d] = c.results[0].box.offset[d];
          operand.box.extent[d] = c.results[0].box.extent[d];
        }
      }
    check(c, rng);
  }
}

TEST_CASE("dynamic_slice and dynamic_update_slice, with starts in and out of range") {
  test::Rng rng(35);
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    auto shape = random_shape(rng, uniform(rng, 0, 4));
    const DType t = any_type(rng);
    std::vector<int64_t> window;
    std::vector<bool> stays;
    for (int64_t n : shape) {
      stays.push_back(uniform(rng, 0, 1) != 0);
      window.push_back(stays.back() ? n : uniform(rng, 0, n));
    }
    const DType index_types[] = {DType::s32, DType::s64, DType::u8};
    const DType index = index_types[uniform(rng, 0, 2)];
    test::KernelCase slice{
        "stablehlo.dynamic_slice", {window}, {test::whole(t, shape)}, {test::whole(t, window)}, {}};
    test::KernelCase update{"stablehlo.dynamic_update_slice",
                            {},
                            {test::whole(t, shape), test::whole(t, window)},
                            {test::whole(t, shape)},
                            {}};
    for (size_t d = 0; d < shape.size(); ++d) {
      slice.operands.push_back(test::whole(index, {}));
      update.operands.push_back(test::whole(index, {}));
    }
    for (size_t d = 0; d < shape.size(); ++d)
      if (window[d] == shape[d] && uniform(rng, 0, 1)) {
        tile_same(rng, slice.operands[0], d, slice.results[0], d);
        tile_same(rng, update.operands[0], d, update.results[0], d);
        update.operands[1].box.offset[d] = update.results[0].box.offset[d];
        update.operands[1].box.extent[d] = update.results[0].box.extent[d];
      }
    check(slice, rng);
    check(update, rng);
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

} // namespace tw::test_data_movement
