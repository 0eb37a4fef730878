// SPDX-License-Identifier: Apache-2.0
// dot_general kernels: against the reference, and their promise that an element's bits do not depend on how
// rows, columns and batches are tiled.
#include <algorithm>
#include <cstring>
#include <string_view>

#include <doctest/doctest.h>

#include "conformance/random_dot.hpp"
#include "support/number_of.hpp"
#if TW_WITH_ONEDNN
#include "kernels/onednn/proven.hpp"
#endif

namespace tw::test_matmul {

using graph::DType;
using test::Dot;
using test::Group;
using test::make_dot;
using test::random_sizes;
using test::Sizes;
using test::uniform;

namespace {

// The same product of the part of each free and batch dimension in [begin, end).
test::KernelCase tile(const Dot &dot, size_t result_dim, int64_t begin, int64_t end) {
  test::KernelCase part = dot.call;
  part.idle_cores = begin % 2 == 0;
  const auto restrict_to = [&](test::ArrayPart &a, size_t d) {
    a.box.offset[d] = begin;
    a.box.extent[d] = end - begin;
  };
  restrict_to(part.results[0], result_dim);
  const size_t nb = dot.lhs_batch.size();
  const auto nth_free = [](const std::vector<Group> &groups, size_t n) {
    for (size_t d = 0;; ++d)
      if (groups[d] == Group::free && n-- == 0)
        return d;
  };
  const auto num_m =
      static_cast<size_t>(std::count(dot.lhs_groups.begin(), dot.lhs_groups.end(), Group::free));
  if (result_dim < nb) {
    restrict_to(part.operands[0], static_cast<size_t>(dot.lhs_batch[result_dim]));
    restrict_to(part.operands[1], static_cast<size_t>(dot.rhs_batch[result_dim]));
  } else if (result_dim < nb + num_m) {
    restrict_to(part.operands[0], nth_free(dot.lhs_groups, result_dim - nb));
  } else {
    restrict_to(part.operands[1], nth_free(dot.rhs_groups, result_dim - nb - num_m));
  }
  for (size_t i = 0; i < 2; ++i)
    part.data[i] = test::cut(dot.call.data[i], part.operands[i].type.dims, part.operands[i].box,
                             graph::byte_size(part.operands[i].type.dtype));
  return part;
}

double bound(DType result, int64_t k) {
  const double ulp = result == DType::f64    ? 2.3e-16
                     : result == DType::f32  ? 1.2e-7
                     : result == DType::bf16 ? 8e-3
                                             : 1e-3;
  return ulp * (result == DType::f64 || result == DType::f32 ? static_cast<double>(k + 4) : 1.0);
}

} // namespace

TEST_CASE("products of any dimensions agree with the reference") {
  test::Rng rng(21);
  for (int round = 0; round < static_cast<int>(test::slice_of(300, 60)); ++round) {
    CAPTURE(round);
    const Sizes sizes{random_sizes(rng, uniform(rng, 0, 2), {0, 1, 2, 3, 5}),
                      random_sizes(rng, uniform(rng, 0, 2), {0, 1, 1, 2, 7, 17, 33}),
                      random_sizes(rng, uniform(rng, 0, 2), {0, 1, 1, 3, 8, 16, 31}),
                      random_sizes(rng, uniform(rng, 0, 2), {0, 1, 2, 5, 16, 40})};
    const std::pair<DType, DType> types[] = {
        {DType::f32, DType::f32}, {DType::f32, DType::f32},  {DType::f64, DType::f64},
        {DType::s32, DType::s32}, {DType::bf16, DType::f32}, {DType::bf16, DType::bf16},
        {DType::f16, DType::f16}, {DType::u8, DType::u8},    {DType::s8, DType::s32},
        {DType::s64, DType::s64}, {DType::i1, DType::i1},    {DType::c64, DType::c64}};
    const auto [operand, result] = types[static_cast<size_t>(uniform(rng, 0, 11))];
    const bool integers = uniform(rng, 0, 1) || operand == DType::c64;
    const Dot dot = make_dot(rng, sizes, operand, result, true, integers);
    const auto kernel = dot.call.bind();
    const std::string name = kernel->name();
    CAPTURE(name);
    const auto got = dot.call.run(*kernel, rng), want = dot.call.run(*dot.call.bind_reference(), rng);
    int64_t k = 1;
    for (int64_t n : sizes.k)
      k *= n;
    if (integers && operand != DType::f16 && result != DType::bf16)
      REQUIRE(got == want);
    else
      REQUIRE(test::relative_difference(result, got[0], want[0]) <= bound(result, k));
  }
}

TEST_CASE("tiles of a product have the bits of the whole") {
  test::Rng rng(22);
  int checked = 0;
  for (int round = 0; round < static_cast<int>(test::slice_of(120, 24)); ++round) {
    CAPTURE(round);
    const bool deep = uniform(rng, 0, 4) == 0;
    const Sizes sizes{random_sizes(rng, uniform(rng, 0, 3) ? 0 : uniform(rng, 1, 2), {2, 3, 5}),
                      random_sizes(rng, uniform(rng, 1, 2), {1, 2, 3, 7, 16, 33, deep ? 20 : 100}),
                      random_sizes(rng, uniform(rng, 1, 2), {1, 2, 3, 9, 16, 31, deep ? 20 : 65}),
                      {deep ? random_sizes(rng, 1, {513, 700, 1024, 1025, 1300, 2049})
                            : random_sizes(rng, uniform(rng, 1, 2), {1, 2, 3, 16, 31, 64})}};
    const DType types[] = {DType::f32, DType::f32,  DType::f32, DType::f32,
                           DType::f64, DType::bf16, DType::f16};
    const DType type = types[static_cast<size_t>(uniform(rng, 0, 6))];
    const Dot dot = make_dot(rng, sizes, type, type, true, false);
    const auto kernel = dot.call.bind();
    const std::string name = kernel->name();
    CAPTURE(name);
    if (!kernel->split_invariant())
      continue;
    const auto all = dot.call.run(*kernel, rng);
    const auto &result = dot.call.results[0].type;
    for (size_t d = 0; d < result.rank(); ++d) {
      CAPTURE(d);
      const int64_t parts = uniform(rng, 2, 8);
      for (int64_t p = 0; p < parts; ++p) {
        const auto part = tile(dot, d, result.dims[d] * p / parts, result.dims[d] * (p + 1) / parts);
        const auto bound_part = part.bind();
        const auto got = part.run(*bound_part, rng);
        REQUIRE(got[0] == test::cut(all[0], result.dims, part.results[0].box, graph::byte_size(type)));
        ++checked;
      }
    }
  }
  MESSAGE(checked << " tiles compared");
}

// Products over more than 1024: their single rows and columns, and a few of them, however the operands lie.
TEST_CASE("rows and columns of a deep product have the bits of the whole") {
  test::Rng rng(24);
  for (const auto &[operand, type] :
       {std::pair{DType::f32, DType::f32}, {DType::bf16, DType::bf16}, {DType::bf16, DType::f32}})
    for (const int64_t k : {1025, 1536, 3000})
      for (uint64_t round = 0; round < test::slice_of(8, 4); ++round) {
        const bool in_parts = round % 2 == 0; // of which the last may have one row
        const Dot dot = make_dot(rng, {{}, {in_parts ? 257 : 40}, {70}, {k}}, operand, type, true, false);
        const auto kernel = dot.call.bind();
        const std::string name = kernel->name();
        CAPTURE(name);
        CAPTURE(k);
        CAPTURE(dot.lhs_k[0]);
        CAPTURE(dot.rhs_k[0]);
        const auto all = dot.call.run(*kernel, rng);
        const auto &result = dot.call.results[0].type;
        for (size_t d = 0; d < 2; ++d)
          for (const int64_t n : {1, 2, 9, 17}) {
            CAPTURE(d);
            CAPTURE(n);
            const int64_t end = result.dims[d] - (n == 2 ? 0 : 1);
            const auto part = tile(dot, d, end - n, end);
            REQUIRE(part.run(*part.bind(), rng)[0] ==
                    test::cut(all[0], result.dims, part.results[0].box, graph::byte_size(type)));
          }
      }
}

// Of a large right matrix: few rows, and more of them in slices of columns.
TEST_CASE("products of few rows have the bits of many") {
  test::Rng rng(25);
  int64_t sliced = 0, few = 0;
  bool by_onednn = true, by_chains = false;
#if TW_WITH_ONEDNN
  by_chains = kernels::onednn::proven(DType::f32, DType::f32).chains;
#endif
  for (const std::pair<int64_t, int64_t> &wide :
       {std::pair<int64_t, int64_t>{704, 640}, {1000, 300}, {512, 1100}, {66, 2049}, {576, 1536}, {1, 3000}})
    for (uint64_t round = 0; round < test::slice_of(8, 2); ++round) {
      const int64_t n = wide.first, k = wide.second;
      const bool batched = round % 4 == 1;
      const int64_t m = 130;
      const Dot dot =
          make_dot(rng, {batched ? std::vector<int64_t>{2} : std::vector<int64_t>{}, {m}, {n}, {k}},
                   DType::f32, DType::f32, true, false);
      const auto whole = dot.call.bind();
      by_onednn = by_onednn && std::string_view(whole->name()).starts_with("onednn:");
      const auto all = dot.call.run(*whole, rng);
      const auto &result = dot.call.results[0].type;
      for (const int64_t rows : {1, 2, 3, 7, 8, 9, 16, 17, 32, 100}) {
        CAPTURE(rows);
        CAPTURE(n);
        CAPTURE(k);
        const int64_t begin = uniform(rng, 0, m - rows);
        const auto part = tile(dot, batched ? 1 : 0, begin, begin + rows);
        const auto kernel = part.bind();
        sliced += std::string_view(kernel->name()) == "onednn:column_slices";
        few += std::string_view(kernel->name()) == "onednn:few_rows";
        REQUIRE(part.run(*kernel, rng)[0] ==
                test::cut(all[0], result.dims, part.results[0].box, graph::byte_size(DType::f32)));
      }
    }
  CHECK((few > 0) == by_chains);
  if (by_onednn && by_chains)
    CHECK(sliced > 0);
}

TEST_CASE("large products in several parts agree with the reference") {
  test::Rng rng(23);
  const Sizes cases[] = {{{}, {700}, {130}, {200}},
                         {{3}, {20, 19}, {90}, {300}},
                         {{33, 8}, {79}, {79}, {32}},
                         {{2}, {1000}, {64}, {600}}};
  for (const Sizes &sizes : cases)
    for (bool shuffle : {false, true}) {
      const Dot dot = make_dot(rng, sizes, DType::f32, DType::f32, shuffle, true);
      const auto kernel = dot.call.bind();
      CHECK(kernel->parts() > 1);
      REQUIRE(dot.call.run(*kernel, rng) == dot.call.run(*dot.call.bind_reference(), rng));
    }
}

} // namespace tw::test_matmul
