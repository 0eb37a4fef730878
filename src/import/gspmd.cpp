// SPDX-License-Identifier: Apache-2.0
// GSPMD's sharding strings.
#include <algorithm>

#include <fmt/format.h>

#include "import/shardings.hpp"

namespace tw::import {

using annotation::DimAnnotation;
using annotation::ShardingAnnotation;
using annotation::TileAssignment;

namespace {

constexpr int64_t kMaxDevices = int64_t{1} << 32;
constexpr uint32_t kMaxTupleShardings = 4;

bool parse_ints(Scanner &s, char open, char close, std::vector<int64_t> &values) {
  if (!s.expect(open, "in a sharding"))
    return false;
  do {
    if (!s.integer(values.emplace_back()))
      return false;
  } while (s.accept(','));
  return s.expect(close, "in a sharding");
}

// Product of positive sizes, or 0 where one is not positive or the product is too large.
int64_t device_count(const std::vector<int64_t> &sizes) {
  int64_t count = 1;
  for (int64_t size : sizes)
    if (size < 1 || __builtin_mul_overflow(count, size, &count) || count > kMaxDevices)
      return 0;
  return count;
}

bool check(Scanner &s, const TileAssignment &a, const char *at) {
  const int64_t count = device_count(a.tiles);
  if (count == 0 || a.subgroups > a.tiles.size())
    return s.fail("TW-107", at, "the tile counts must be positive, their product at most 2^32");
  if (a.iota.empty())
    return static_cast<int64_t>(a.devices.size()) == count ||
           s.fail("TW-107", at, fmt::format("{} devices are listed for {} tiles", a.devices.size(), count));
  if (device_count(a.iota) != count)
    return s.fail("TW-107", at, fmt::format("the device order does not have {} devices", count));
  std::vector<int64_t> sorted = a.transpose;
  std::sort(sorted.begin(), sorted.end());
  for (size_t i = 0; i < sorted.size(); ++i)
    if (sorted.size() != a.iota.size() || sorted[i] != static_cast<int64_t>(i))
      return s.fail("TW-107", at, fmt::format("T(..) must be a permutation of {} dimensions", a.iota.size()));
  return true;
}

bool parse_tiles(Scanner &s, ShardingAnnotation &sharding) {
  TileAssignment a;
  const char *at = s.here();
  if (!s.expect('=', "after devices") || !parse_ints(s, '[', ']', a.tiles))
    return false;
  if (s.accept("<=")) {
    if (!parse_ints(s, '[', ']', a.iota) || (s.accept('T') && !parse_ints(s, '(', ')', a.transpose)))
      return false;
  } else {
    do {
      if (!s.integer(a.devices.emplace_back()))
        return false;
    } while (s.accept(','));
  }
  sharding.kind = ShardingAnnotation::Kind::tiles;
  while (!s.failed() && s.peek() != '}' && !s.looking_at("shard_as") && !s.looking_at("shard_like") &&
         !s.looking_at("metadata") && !s.at_end()) {
    if (s.accept("last_tile_dim_replicate")) {
      a.subgroups = 1;
    } else if (s.accept("last_tile_dims")) {
      if (!s.expect('=', "after last_tile_dims") || !s.expect('{', "before subgroup kinds"))
        return false;
      do {
        if (a.subgroups == 64)
          return s.fail_here("'}'", "after 64 subgroups");
        if (s.accept("manual"))
          sharding.kind = ShardingAnnotation::Kind::manual;
        else if (s.accept("unreduced"))
          a.unreduced |= uint64_t{1} << a.subgroups;
        else if (!s.accept("replicated"))
          return s.fail_here("replicated, manual or unreduced", "as the kind of a subgroup");
        ++a.subgroups;
      } while (s.accept(','));
      if (!s.expect('}', "after subgroup kinds"))
        return false;
    } else {
      return s.fail_here("'}'", "at the end of a sharding");
    }
  }
  if (!check(s, a, at))
    return false;
  sharding.assignment = std::move(a);
  return true;
}

bool parse_one(Scanner &s, std::vector<ShardingAnnotation> &shardings, uint32_t depth) {
  const char *start = s.here();
  if (depth > kMaxTupleShardings || !s.expect('{', "before a sharding"))
    return s.fail_here("a sharding that is not nested deeper", {});
  if (s.peek() == '{') { // one a result
    do {
      if (!parse_one(s, shardings, depth + 1))
        return false;
    } while (s.accept(','));
    return s.expect('}', "after shardings");
  }
  ShardingAnnotation sharding;
  if (s.accept("maximal")) {
    sharding.kind = ShardingAnnotation::Kind::maximal;
    if (!s.expect("device", "after maximal") || !s.expect('=', "after device") || !s.integer(sharding.device))
      return false;
  } else if (s.accept("manual")) {
    sharding.kind = ShardingAnnotation::Kind::manual;
  } else if (s.accept("devices")) {
    if (!parse_tiles(s, sharding))
      return false;
  } else if (s.accept("unknown")) {
    sharding.unknown = true;
  } else if (!s.accept("replicated")) {
    return s.fail_here("replicated, maximal, manual, unknown or devices=[..]", "in a sharding");
  }
  // {.. shard_as 1 metadata={op_name="f"}}
  for (bool more = true; more;) {
    more = false;
    for (const std::string_view kind : {"shard_as", "shard_like"})
      if (s.accept(kind)) {
        int64_t id = 0;
        if (!s.integer(id))
          return false;
        sharding.groups.push_back(fmt::format("{} {}", kind, id));
        more = true;
      }
    if (s.accept("metadata")) {
      std::string_view metadata;
      if (!s.expect('=', "after metadata") || !s.skip_term(metadata))
        return false;
      more = true;
    }
  }
  if (!s.expect('}', "at the end of a sharding"))
    return false;
  sharding.text.assign(start, s.cursor().at);
  shardings.push_back(std::move(sharding));
  return true;
}

} // namespace

Result<std::vector<ShardingAnnotation>> parse_gspmd(std::string_view text) {
  Scanner s(text, "", 1);
  std::vector<ShardingAnnotation> shardings;
  if (s.at_end()) // an empty string says nothing
    return shardings;
  if (!parse_one(s, shardings, 0) || (!s.at_end() && !s.fail_here("the end of the sharding", {}))) {
    const Error error = s.take_error();
    return fail(Code::invalid_argument, "TW-107",
                fmt::format("sharding \"{}\": {}", text.substr(0, 80), error.message()));
  }
  return shardings;
}

} // namespace tw::import
