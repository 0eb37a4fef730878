// SPDX-License-Identifier: Apache-2.0
// A halo is as wide as the widest that some tile has; the others must end where the array does.
#include "sharding/spans_text.hpp"

#include <algorithm>
#include <optional>

#include "sharding/halo.hpp"

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

std::string to_text(const Sharding &s, std::span<const int64_t> shape, const Mesh &mesh) {
  Distribution written{s, Halos(s.dims.size())};
  for (size_t d = 0; d < s.dims.size(); ++d) {
    if (s.dims[d].rule.kind != Kind::spans)
      continue;
    const int64_t count = num_tiles(s.dims[d], mesh);
    for (const Kind kind : {Kind::balanced, Kind::ceil})
      if (const SplitRule tiles{kind, 1, nullptr};
          const auto halo = halo_around(tiles, s.dims[d].rule, shape[d], count)) {
        written.sharding.dims[d].rule = tiles;
        written.halos[d] = *halo;
        break;
      }
  }
  return to_text(written.sharding, written.halos, mesh);
}

} // namespace tw::sharding
