// SPDX-License-Identifier: Apache-2.0
// Reductions: against the reference, and the promise that tiles of the result have the bits of the whole.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <tuple>

#include <doctest/doctest.h>

#include "conformance/kernel_case.hpp"
#include "ops/builder.hpp"
#include "ops/element.hpp"

namespace tw::test_reduce {

using graph::DType;
using test::uniform;

namespace {

struct Combiner {
  std::shared_ptr<const graph::Graph> graph;
  graph::RegionId region;
};

Combiner combiner(const char *op, DType dtype) {
  graph::GraphBuilder b("test", "");
  const std::vector<graph::TypeId> pair(2, b.type({dtype, {}}));
  const graph::RegionId region = b.open_region(pair);
  const auto args = b.graph().region(region).args;
  const auto id =
      ops::add(b, *ops::find_op(op), args, graph::Attrs(ops::op_def(*ops::find_op(op)).attrs.size()));
  REQUIRE(id.has_value());
  b.close_region({b.graph().result(*id)});
  return {b.finish(), region};
}

struct Case {
  test::KernelCase call;
  std::vector<int64_t> folded;
};

Case make_case(test::Rng &rng, const std::vector<int64_t> &shape, const std::vector<int64_t> &folded,
               const char *op, DType dtype, bool integers) {
  const Combiner c = combiner(op, dtype);
  std::vector<int64_t> kept;
  for (size_t d = 0; d < shape.size(); ++d)
    if (std::find(folded.begin(), folded.end(), static_cast<int64_t>(d)) == folded.end())
      kept.push_back(shape[d]);
  Case out{{"stablehlo.reduce",
            {folded},
            {test::whole(dtype, shape), test::whole(dtype, {})},
            {test::whole(dtype, kept)},
            {},
            true,
            c.graph,
            {c.region}},
           folded};
  for (const auto &a : out.call.operands)
    out.call.data.push_back(test::random_data(rng, dtype, a.type.elements(), integers));
  return out;
}

const char *const kOps[] = {"stablehlo.add", "stablehlo.maximum", "stablehlo.minimum", "stablehlo.multiply"};
constexpr DType kTypes[] = {DType::f32, DType::f32, DType::f64, DType::bf16,
                            DType::f16, DType::s32, DType::s64, DType::s8};

std::vector<int64_t> random_shape(test::Rng &rng, int64_t rank, int64_t largest) {
  std::vector<int64_t> dims;
  int64_t n = 1;
  for (int64_t d = 0; d < rank; ++d) {
    const int64_t kind = uniform(rng, 0, 19);
    int64_t size = kind == 0 ? 0 : kind < 4 ? 1 : kind < 14 ? uniform(rng, 2, 9) : uniform(rng, 10, largest);
    if (n * size > 200'000)
      size = 1;
    n *= std::max<int64_t>(size, 1);
    dims.push_back(size);
  }
  return dims;
}

std::vector<int64_t> random_dims(test::Rng &rng, size_t rank) {
  std::vector<int64_t> dims;
  for (size_t d = 0; d < rank; ++d)
    if (uniform(rng, 0, 1))
      dims.push_back(static_cast<int64_t>(d));
  std::shuffle(dims.begin(), dims.end(), rng);
  return dims;
}

} // namespace

TEST_CASE("reductions agree with the reference") {
  test::Rng rng(41);
  for (int round = 0; round < 400; ++round) {
    CAPTURE(round);
    const auto shape = random_shape(rng, uniform(rng, 0, 5), 600);
    const DType type = kTypes[static_cast<size_t>(uniform(rng, 0, 7))];
    const char *op = kOps[static_cast<size_t>(uniform(rng, 0, 3))];
    CAPTURE(op);
    CAPTURE(graph::name(type));
    const bool integers = uniform(rng, 0, 1) != 0;
    Case c = make_case(rng, shape, random_dims(rng, shape.size()), op, type, integers);
    int64_t folded = 1;
    for (int64_t d : c.folded)
      folded *= shape[static_cast<size_t>(d)];
    if (op == kOps[3] && folded > 50)
      continue; // such a product overflows in one order and not in another
    c.call.use_init = uniform(rng, 0, 3) != 0;
    const auto kernel = c.call.bind();
    const auto got = c.call.run(*kernel, rng), want = c.call.run(*c.call.bind_reference(), rng);
    const bool is_sum = op == kOps[0], is_product = op == kOps[3];
    const bool rounds = is_product || (is_sum && !(integers && (type == DType::f32 || type == DType::f64)));
    if (ops::kInts.has(type) || !rounds)
      REQUIRE(got == want);
    else if (type == DType::f32 || type == DType::f64)
      REQUIRE(test::relative_difference(type, got[0], want[0]) <= (type == DType::f32 ? 1e-4 : 1e-12));
    else if (!is_product) // the reference rounds to the narrow type at each of the steps, we at the end
      REQUIRE(test::relative_difference(type, got[0], want[0]) <= 0.5);
  }
}

TEST_CASE("narrow floats accumulate in f32") {
  test::Rng rng(42);
  Case c = make_case(rng, {3, 4096}, {1}, "stablehlo.add", DType::bf16, true);
  const uint16_t one = 0x3f80, zero = 0, sum = 0x4580; // 1, 0, 4096
  for (size_t i = 0; i < c.call.data[0].size(); i += 2)
    std::memcpy(c.call.data[0].data() + i, &one, 2);
  std::memcpy(c.call.data[1].data(), &zero, 2);
  const auto got = c.call.run(*c.call.bind(), rng);
  for (size_t i = 0; i < got[0].size(); i += 2)
    CHECK(std::memcmp(got[0].data() + i, &sum, 2) == 0);
}

TEST_CASE("tiles of a reduction have the bits of the whole") {
  test::Rng rng(43);
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    // Some have few results, and their pieces are folded by different parts.
    auto shape = random_shape(rng, uniform(rng, 1, 4), 700);
    auto folded = random_dims(rng, shape.size());
    if (round % 20 == 0)
      std::tie(shape, folded) =
          std::pair(std::vector{uniform(rng, 1, 9), uniform(rng, 1, 3), uniform(rng, 30'000, 70'000)},
                    std::vector<int64_t>{2});
    if (round % 20 == 10)
      std::tie(shape, folded) =
          std::pair(std::vector{uniform(rng, 1, 3), uniform(rng, 2000, 9000), uniform(rng, 1, 99)},
                    std::vector<int64_t>{1});
    const DType type = kTypes[static_cast<size_t>(uniform(rng, 0, 4))];
    const Case c = make_case(rng, shape, folded, kOps[static_cast<size_t>(uniform(rng, 0, 3))], type, false);
    const auto all = c.call.run(*c.call.bind(), rng);
    size_t kept = 0;
    for (size_t d = 0; d < shape.size(); ++d) {
      if (std::find(c.folded.begin(), c.folded.end(), static_cast<int64_t>(d)) != c.folded.end())
        continue;
      const int64_t parts = uniform(rng, 2, 9);
      for (int64_t p = 0; p < parts; ++p) {
        test::KernelCase part = c.call;
        const int64_t begin = shape[d] * p / parts, n = shape[d] * (p + 1) / parts - begin;
        part.operands[0].box.offset[d] = part.results[0].box.offset[kept] = begin;
        part.operands[0].box.extent[d] = part.results[0].box.extent[kept] = n;
        part.data[0] = test::cut(c.call.data[0], shape, part.operands[0].box, graph::byte_size(type));
        REQUIRE(part.run(*part.bind(), rng)[0] ==
                test::cut(all[0], c.call.results[0].type.dims, part.results[0].box, graph::byte_size(type)));
      }
      ++kept;
    }
  }
}

TEST_CASE("a maximum keeps NaN, in any place") {
  test::Rng rng(44);
  for (int64_t n : {1, 5, 31, 32, 33, 79, 200})
    for (bool rows : {false, true}) {
      Case c = make_case(rng, rows ? std::vector<int64_t>{n, 3} : std::vector<int64_t>{3, n}, {rows ? 0 : 1},
                         "stablehlo.maximum", DType::f32, false);
      const float nan = std::nanf("");
      const auto at = static_cast<size_t>(uniform(rng, 0, n - 1));
      std::memcpy(c.call.data[0].data() + 4 * (rows ? 3 * at + 1 : static_cast<size_t>(n) + at), &nan, 4);
      CAPTURE(n);
      CAPTURE(rows);
      CAPTURE(at);
      const auto got = c.call.run(*c.call.bind(), rng), want = c.call.run(*c.call.bind_reference(), rng);
      for (size_t i = 0; i < 3; ++i) {
        uint32_t a, b;
        std::memcpy(&a, got[0].data() + 4 * i, 4);
        std::memcpy(&b, want[0].data() + 4 * i, 4);
        REQUIRE(a == b);
      }
      float middle;
      std::memcpy(&middle, got[0].data() + 4, 4);
      CHECK(std::isnan(middle));
    }
}

TEST_CASE("large reductions run in parts, of few results too") {
  test::Rng rng(45);
  for (const auto &[shape, folded] :
       std::vector<std::pair<std::vector<int64_t>, std::vector<int64_t>>>{{{500, 2100}, {0}},
                                                                          {{3000, 256}, {1}},
                                                                          {{40, 30, 500}, {0, 2}},
                                                                          {{70, 30, 200}, {1}},
                                                                          {{300'001}, {0}},
                                                                          {{3, 70'001}, {1}},
                                                                          {{3, 2, 50'000}, {0, 2}},
                                                                          {{9001, 33}, {0}},
                                                                          {{2, 3001, 50}, {1}}}) {
    const Case c = make_case(rng, shape, folded, "stablehlo.add", DType::f32, true);
    const auto kernel = c.call.bind();
    CHECK(std::string(kernel->name()) == "cpu:reduce");
    CHECK(std::max(kernel->parts(), kernel->prepare_parts()) > 1);
    REQUIRE(c.call.run(*kernel, rng) == c.call.run(*c.call.bind_reference(), rng));
  }
}

} // namespace tw::test_reduce
