// SPDX-License-Identifier: Apache-2.0
// Split rules: tiles cover a dimension, nested splits nest, equal tiles have equal spellings.
#include <doctest/doctest.h>

#include <map>
#include <vector>

#include "sharding/sharding.hpp"
#include "support/random_sharding.hpp"

namespace tw::test_split {

using namespace tw::sharding;
using tw::test::draw;
using tw::test::Random;

namespace {

std::vector<int64_t> offsets(const SplitRule &rule, int64_t n, int64_t F) {
  std::vector<int64_t> result;
  for (int64_t t = 0; t < F; ++t)
    result.push_back(tile(rule, n, F, t).begin);
  result.push_back(n);
  return result;
}

} // namespace

TEST_CASE("tiles cover a dimension in order") {
  Random random(1);
  for (int round = 0; round < 3000; ++round) {
    const int64_t n = draw(random, 0, 60), F = draw(random, 1, 16);
    const SplitRule rule = tw::test::random_rule(random, n, F);
    int64_t at = 0;
    for (int64_t t = 0; t < F; ++t) {
      const Interval part = tile(rule, n, F, t);
      REQUIRE(part.begin == at);
      REQUIRE(part.size() >= 0);
      REQUIRE(part.begin % rule.unit == 0);
      at = part.end;
    }
    REQUIRE(at == n);
  }
}

TEST_CASE("the widths that the rules promise") {
  CHECK(offsets({}, 16, 3) == std::vector<int64_t>{0, 5, 10, 16});
  CHECK(offsets({}, 5, 4) == std::vector<int64_t>{0, 1, 2, 3, 5});
  CHECK(offsets({SplitRule::Kind::ceil, 1, {}}, 16, 5) == std::vector<int64_t>{0, 4, 8, 12, 16, 16});
  CHECK(offsets({SplitRule::Kind::ceil, 1, {}}, 5, 4) == std::vector<int64_t>{0, 2, 4, 5, 5});
  CHECK(offsets({SplitRule::Kind::balanced, 79, {}}, 33 * 79, 2) ==
        std::vector<int64_t>{0, 16 * 79, 33 * 79});
  const SplitRule cuts{SplitRule::Kind::cuts, 1,
                       std::make_shared<const std::vector<int64_t>>(std::vector<int64_t>{0, 5, 9, 16})};
  CHECK(offsets(cuts, 16, 3) == std::vector<int64_t>{0, 5, 9, 16});
  // no overflow where a dimension is as large as it may be
  const int64_t huge = int64_t{1} << 61;
  CHECK(tile({}, huge, 3, 2).end == huge);
  CHECK(tile({}, huge, 65536, 65535).begin == huge - huge / 65536);
}

TEST_CASE("balanced splits and refined cuts nest") {
  Random random(2);
  for (int round = 0; round < 2000; ++round) {
    const int64_t n = draw(random, 0, 90), F = draw(random, 1, 7), inner = draw(random, 1, 7);
    SplitRule rule = tw::test::random_rule(random, n, F);
    if (rule.kind == SplitRule::Kind::ceil)
      rule.kind = SplitRule::Kind::balanced;
    const SplitRule fine = refine(rule, n, F, inner);
    for (int64_t t = 0; t < F; ++t) {
      REQUIRE(tile(fine, n, F * inner, t * inner).begin == tile(rule, n, F, t).begin);
      REQUIRE(tile(fine, n, F * inner, t * inner + inner - 1).end == tile(rule, n, F, t).end);
    }
  }
}

TEST_CASE("normalise keeps the tiles and gives equal objects exactly for equal tiles") {
  Random random(3);
  for (int round = 0; round < 300; ++round) {
    const int64_t n = draw(random, 0, 24), F = draw(random, 1, 5);
    std::map<std::vector<int64_t>, SplitRule> seen;
    for (int i = 0; i < 60; ++i) {
      const SplitRule rule = tw::test::random_rule(random, n, F);
      const SplitRule normal = normalise(rule, n, F);
      REQUIRE(offsets(normal, n, F) == offsets(rule, n, F));
      REQUIRE(normalise(normal, n, F) == normal);
      const auto [it, fresh] = seen.emplace(offsets(rule, n, F), normal);
      REQUIRE(it->second == normal);
      if (n % F == 0 && rule.unit == 1 && rule.kind != SplitRule::Kind::cuts)
        REQUIRE(normal == SplitRule{});
    }
  }
}

TEST_CASE("spans that cut a dimension are spelt as the cuts they are, others stay") {
  using Spans = std::vector<Interval>;
  const auto same = [](const SplitRule &rule, const Spans &spans, int64_t n) {
    for (size_t t = 0; t < spans.size(); ++t)
      if (tile(rule, n, static_cast<int64_t>(spans.size()), static_cast<int64_t>(t)) != spans[t])
        return false;
    return true;
  };
  CHECK(make_spans(Spans{{0, 4}, {4, 8}}, 8) == SplitRule{});
  CHECK(make_spans(Spans{{0, 3}, {3, 6}, {6, 8}}, 8).kind == SplitRule::Kind::ceil);
  for (const Spans &spans :
       {Spans{{0, 5}, {3, 8}}, Spans{{0, 2}, {4, 6}}, Spans{{1, 4}, {4, 8}}, Spans{{0, 8}, {0, 8}}}) {
    const SplitRule rule = make_spans(spans, 8);
    CHECK(rule.kind == SplitRule::Kind::spans);
    CHECK(same(rule, spans, 8));
    CHECK(normalise(rule, 8, 2) == rule);
  }
  // Empty tiles have one spelling, wherever they are said to lie.
  CHECK(make_spans(Spans{{0, 5}, {7, 7}, {3, 8}}, 8) == make_spans(Spans{{0, 5}, {0, 0}, {3, 8}}, 8));
}

} // namespace tw::test_split
