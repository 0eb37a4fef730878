// SPDX-License-Identifier: Apache-2.0
// Distributed types: their kinds, hash and well-formedness over a mesh and a shape.
#include "sharding/sharding.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/hash.hpp"
#include "sharding/verify_rule.hpp"

namespace tw::sharding {

namespace {

constexpr std::array<std::string_view, 10> kReductionNames = {"raw", "sum", "max", "min",  "prod",
                                                              "and", "or",  "xor", "pick", "region"};

Status axis_once(AxisId a, const Mesh &mesh, AxisSet &used, std::string_view where) {
  if (a >= mesh.num_axes())
    return fail(Code::out_of_range, "TW-311",
                fmt::format("{} uses axis number {}, but mesh {} has {} axes", where, a, mesh.text(),
                            mesh.num_axes()));
  if (used.contains(a))
    return fail(Code::invalid_argument, "TW-312", fmt::format("axis '{}' is used twice", mesh.axis(a).name));
  used.add(a);
  return {};
}

} // namespace

Status verify_rule(const SplitRule &rule, int64_t n, int64_t tiles, size_t d) {
  if (rule.unit < 1 || n % rule.unit != 0)
    return fail(Code::invalid_argument, "TW-313",
                fmt::format("dimension {} of {} elements cannot be cut in blocks of {}", d, n, rule.unit));
  if ((rule.kind >= SplitRule::Kind::cuts) != (rule.cuts != nullptr))
    return fail(Code::invalid_argument, "TW-313",
                fmt::format("dimension {}: cuts belong to the rules 'cuts' and 'spans'", d));
  if (rule.kind == SplitRule::Kind::spans) {
    const auto &spans = *rule.cuts;
    bool ok = rule.unit == 1 && spans.size() == 2 * static_cast<size_t>(tiles);
    for (size_t i = 0; ok && i < spans.size(); i += 2)
      ok = spans[i] >= 0 && spans[i] <= spans[i + 1] && spans[i + 1] <= n;
    if (!ok)
      return fail(Code::invalid_argument, "TW-313",
                  fmt::format("dimension {}: the spans {} are not the begin and end of {} tiles of 0..{}", d,
                              fmt::join(spans, ","), tiles, n));
    if (tiles == 1 && (spans[0] != 0 || spans[1] != n)) // texts have no place for it
      return fail(Code::invalid_argument, "TW-313",
                  fmt::format("dimension {}: no axis tiles it, so its one span is 0,{} and not {}", d, n,
                              fmt::join(spans, ",")));
  }
  if (rule.kind != SplitRule::Kind::cuts)
    return {};
  const auto &cuts = *rule.cuts;
  if (cuts.size() != static_cast<size_t>(tiles) + 1)
    return fail(
        Code::invalid_argument, "TW-313",
        fmt::format("dimension {}: {} cuts for {} tiles: {} are needed", d, cuts.size(), tiles, tiles + 1));
  const int64_t blocks = n / rule.unit;
  if (cuts.front() != 0 || cuts.back() != blocks || !std::ranges::is_sorted(cuts))
    return fail(
        Code::invalid_argument, "TW-313",
        fmt::format("dimension {}: the cuts {} must ascend from 0 to {}", d, fmt::join(cuts, ","), blocks));
  return {};
}

std::string_view name(Reduction r) { return kReductionNames[static_cast<size_t>(r)]; }

Result<Reduction> parse_reduction(std::string_view text) {
  for (size_t i = 0; i < kReductionNames.size(); ++i)
    if (kReductionNames[i] == text)
      return static_cast<Reduction>(i);
  return fail(
      Code::invalid_argument, "TW-314",
      fmt::format("'{}' is no reduction: expected one of {}", text, fmt::join(kReductionNames, ", ")));
}

bool Sharding::is_replicated() const {
  return partial.empty() && std::ranges::all_of(dims, [](const DimSharding &d) { return d.axes.empty(); });
}

bool Sharding::uses(AxisId a) const {
  return std::ranges::any_of(dims,
                             [a](const DimSharding &d) { return std::ranges::count(d.axes, a) != 0; }) ||
         find_partial(a) != nullptr;
}

const Partial *Sharding::find_partial(AxisId a) const {
  const auto at = std::ranges::find(partial, a, &Partial::axis);
  return at == partial.end() ? nullptr : &*at;
}

AxisSet Sharding::partial_axes() const {
  AxisSet axes;
  for (const Partial &s : partial)
    axes.add(s.axis);
  return axes;
}

size_t hash_value(const Sharding &s) {
  Hasher hash;
  hash.add(s.dims.size());
  for (const DimSharding &dim : s.dims) {
    hash.add(std::span(dim.axes)).add(dim.rule.kind).add(dim.rule.unit);
    if (dim.rule.cuts != nullptr)
      hash.add(std::span(*dim.rule.cuts));
  }
  for (const Partial &partial : s.partial)
    hash.add(partial.axis).add(partial.kind);
  return hash.value();
}

Status verify(const Sharding &s, std::span<const int64_t> shape, const Mesh &mesh) {
  if (s.dims.size() != shape.size())
    return fail(Code::invalid_argument, "TW-310",
                fmt::format("a sharding of {} dimensions for an array of {}", s.dims.size(), shape.size()));
  AxisSet used;
  for (size_t d = 0; d < shape.size(); ++d) {
    for (const AxisId a : s.dims[d].axes)
      TW_TRY(axis_once(a, mesh, used, fmt::format("dimension {}", d)));
    TW_TRY(verify_rule(s.dims[d].rule, shape[d], num_tiles(s.dims[d], mesh), d));
  }
  for (size_t i = 0; i < s.partial.size(); ++i) {
    TW_TRY(axis_once(s.partial[i].axis, mesh, used, "the stack"));
    if (i > 0 && s.partial[i].axis < s.partial[i - 1].axis)
      return fail(Code::invalid_argument, "TW-312", "partial axes must be in ascending order");
  }
  return {};
}

} // namespace tw::sharding
