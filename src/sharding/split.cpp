// SPDX-License-Identifier: Apache-2.0
// Split rules: where a dimension is cut into tiles, how cuts refine, and their simplest spelling.
#include "sharding/sharding.hpp"

#include <algorithm>
#include <numeric>

namespace tw::sharding {

namespace {

using Kind = SplitRule::Kind;

// All F+1 offsets, in elements.
std::vector<int64_t> offsets(const SplitRule &rule, int64_t n, int64_t F) {
  std::vector<int64_t> result(static_cast<size_t>(F) + 1, 0);
  for (int64_t t = 0; t < F; ++t)
    result[static_cast<size_t>(t) + 1] = tile(rule, n, F, t).end;
  return result;
}

bool has_offsets(const SplitRule &rule, int64_t n, int64_t F, const std::vector<int64_t> &expected) {
  for (int64_t t = 0; t < F; ++t)
    if (tile(rule, n, F, t) !=
        Interval{expected[static_cast<size_t>(t)], expected[static_cast<size_t>(t) + 1]})
      return false;
  return true;
}

// Whether tiles follow each other from 0 to n.
bool is_partition(const std::vector<int64_t> &spans, int64_t n) {
  int64_t end = 0;
  for (size_t i = 0; i < spans.size(); i += 2) {
    if (spans[i] != end)
      return false;
    end = spans[i + 1];
  }
  return end == n;
}

SplitRule make_cuts(std::vector<int64_t> cuts, int64_t unit) {
  return {Kind::cuts, unit, std::make_shared<const std::vector<int64_t>>(std::move(cuts))};
}

} // namespace

bool SplitRule::operator==(const SplitRule &o) const {
  if (kind != o.kind || unit != o.unit || (cuts == nullptr) != (o.cuts == nullptr))
    return false;
  return cuts == o.cuts || *cuts == *o.cuts;
}

Interval tile(const SplitRule &rule, int64_t n, int64_t F, int64_t t) {
  const int64_t unit = rule.unit;
  const int64_t blocks = n / unit;
  switch (rule.kind) {
  case Kind::balanced: {
    // floor(t * blocks / F) without a product that could overflow
    const int64_t each = blocks / F, rest = blocks % F;
    return {(t * each + t * rest / F) * unit, ((t + 1) * each + (t + 1) * rest / F) * unit};
  }
  case Kind::ceil: {
    const int64_t width = blocks / F + (blocks % F != 0 ? 1 : 0);
    return {std::min(t * width, blocks) * unit, std::min((t + 1) * width, blocks) * unit};
  }
  case Kind::spans:
    TW_ASSERT(rule.cuts != nullptr && rule.cuts->size() == 2 * static_cast<size_t>(F));
    return {(*rule.cuts)[2 * static_cast<size_t>(t)], (*rule.cuts)[2 * static_cast<size_t>(t) + 1]};
  case Kind::cuts: break;
  }
  TW_ASSERT(rule.cuts != nullptr && rule.cuts->size() == static_cast<size_t>(F) + 1);
  const auto &cuts = *rule.cuts;
  return {cuts[static_cast<size_t>(t)] * unit, cuts[static_cast<size_t>(t) + 1] * unit};
}

// Of the units that give the same balanced (or ceil) cuts, the greatest common divisor g of n and the cuts is
// one: a cut is the largest multiple of the unit below (the smallest above) some bound, and being a multiple
// of g it is the largest multiple of g below it too.
SplitRule normalise(SplitRule rule, int64_t n, int64_t F) {
  const SplitRule simplest;
  if (F == 1 || n == 0 || (rule.kind == Kind::balanced && rule.unit == 1))
    return simplest;
  if (rule.kind == Kind::spans && !is_partition(*rule.cuts, n))
    return rule;
  if (rule.kind <= Kind::ceil && (n / rule.unit) % F == 0)
    return simplest;
  const std::vector<int64_t> wanted = offsets(rule, n, F);
  const int64_t unit = std::accumulate(wanted.begin(), wanted.end(), n, std::gcd<int64_t, int64_t>);
  for (const Kind kind : {Kind::balanced, Kind::ceil})
    for (const int64_t u : {int64_t{1}, unit})
      if (const SplitRule candidate{kind, u, nullptr}; has_offsets(candidate, n, F, wanted))
        return candidate;
  return make_cuts(wanted, 1);
}

SplitRule make_spans(std::span<const Interval> tiles, int64_t n) {
  std::vector<int64_t> spans;
  int64_t end = 0; // empty tiles lie where the one before ends, so that equal tiles have one spelling
  for (const Interval &t : tiles) {
    spans.push_back(t.size() <= 0 ? end : t.begin);
    end = t.size() <= 0 ? end : t.end;
    spans.push_back(end);
  }
  return normalise({Kind::spans, 1, std::make_shared<const std::vector<int64_t>>(std::move(spans))}, n,
                   static_cast<int64_t>(tiles.size()));
}

SplitRule refine(const SplitRule &rule, int64_t n, int64_t F, int64_t inner) {
  TW_ASSERT(rule.kind != Kind::spans);
  if (rule.kind != Kind::cuts || inner == 1)
    return rule;
  std::vector<int64_t> cuts{0};
  cuts.reserve(static_cast<size_t>(F * inner) + 1);
  for (int64_t t = 0; t < F; ++t) {
    const Interval outer = tile(rule, n, F, t);
    for (int64_t i = 0; i < inner; ++i)
      cuts.push_back(outer.begin / rule.unit + tile(SplitRule{}, outer.size() / rule.unit, inner, i).end);
  }
  return make_cuts(std::move(cuts), rule.unit);
}

} // namespace tw::sharding
