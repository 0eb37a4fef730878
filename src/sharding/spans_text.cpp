// SPDX-License-Identifier: Apache-2.0
// A halo is as wide as the widest that some tile has; the others must end where the array does.
#include "sharding/spans_text.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace tw::sharding {
namespace {

using Kind = SplitRule::Kind;

std::optional<Halo> halo_around(const SplitRule &tiles, const SplitRule &spans, int64_t n, int64_t count) {
  Halo halo;
  for (int64_t t = 0; t < count; ++t) {
    const Interval own = tile(tiles, n, count, t), held = tile(spans, n, count, t);
    if (held.size() <= 0)
      continue;
    halo.before = std::max(halo.before, own.begin - held.begin);
    halo.after = std::max(halo.after, held.end - own.end);
  }
  for (int64_t t = 0; t < count; ++t) {
    const Interval own = tile(tiles, n, count, t), held = tile(spans, n, count, t);
    const Interval wide{std::max<int64_t>(own.begin - halo.before, 0), std::min(own.end + halo.after, n)};
    if (!(wide == held) && std::max(wide.size(), held.size()) > 0)
      return std::nullopt;
  }
  return halo;
}

} // namespace

Distribution with_halos(Distribution s, std::span<const int64_t> shape, const Mesh &mesh) {
  for (size_t d = 0; d < s.sharding.dims.size(); ++d) {
    SplitRule &rule = s.sharding.dims[d].rule;
    if (rule.kind != Kind::spans)
      continue;
    const int64_t count = num_tiles(s.sharding.dims[d], mesh);
    for (const Kind kind : {Kind::balanced, Kind::ceil})
      if (const SplitRule tiles{kind, 1, nullptr};
          const auto halo = halo_around(tiles, rule, shape[d], count)) {
        rule = tiles;
        s.halos.resize(s.sharding.dims.size());
        s.halos[d] = *halo;
        break;
      }
  }
  return s;
}

SplitRule spans_around(const DimSharding &dim, const Halo &halo, int64_t n, const Mesh &mesh) {
  const int64_t tiles = num_tiles(dim, mesh);
  std::vector<Interval> spans;
  for (int64_t t = 0; t < tiles; ++t) {
    const Interval own = tile(dim.rule, n, tiles, t);
    spans.push_back(
        {own.begin - std::min(halo.before, own.begin), own.end + std::min(halo.after, n - own.end)});
  }
  return make_spans(spans, n);
}

std::string to_text(const Sharding &s, std::span<const int64_t> shape, const Mesh &mesh) {
  const Distribution shown = with_halos({s, {}}, shape, mesh);
  return to_text(shown.sharding, shown.halos, mesh);
}

} // namespace tw::sharding
