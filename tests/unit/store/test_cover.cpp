// SPDX-License-Identifier: Apache-2.0
// Parts cover an array: those of random shardings do, and what is taken away, doubled or moved is found.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "store/array.hpp"
#include "support/number_of.hpp"
#include "support/random_sharding.hpp"

namespace tw::test_cover {

using tw::test::draw;
using tw::test::Random;

namespace {

// What check_cover says, by counting how often each element is held.
bool covers(const store::Array &array) {
  std::vector<std::vector<sharding::Box>> held(
      static_cast<size_t>(sharding::Box::whole(array.dims).elements()));
  for (const store::Part &part : array.parts) {
    const sharding::Box &box = part.box;
    for (size_t d = 0; d < box.rank(); ++d)
      if (box.offset[d] < 0 || box.offset[d] + box.extent[d] > array.dims[d])
        return false;
    for (size_t at = 0; at < held.size(); ++at) {
      size_t rest = at;
      bool inside = true;
      for (size_t d = box.rank(); d-- > 0;) {
        const auto n = static_cast<size_t>(array.dims[d]);
        const auto index = static_cast<int64_t>(rest % n);
        rest /= n;
        inside &= box.offset[d] <= index && index < box.offset[d] + box.extent[d];
      }
      if (inside && std::ranges::find(held[at], box) == held[at].end())
        held[at].push_back(box);
    }
  }
  return std::ranges::all_of(held, [](const auto &boxes) { return boxes.size() == 1; });
}

store::Array random_array(Random &random) {
  store::Array array{"w", graph::DType::f32, test::random_shape(random, 3, 7), {}, {}, {}};
  const auto mesh = test::random_mesh(random, 24);
  const auto sharding = test::random_sharding(random, array.dims, mesh);
  for (int64_t p = 0; p < mesh.num_positions(); ++p)
    array.parts.push_back({sharding::box_of(sharding, array.dims, mesh, sharding::Position(p)), 0, 0, {}});
  std::ranges::shuffle(array.parts, random);
  return array;
}

} // namespace

TEST_CASE("parts of shardings cover their array; damage is found as counting finds it") {
  Random random(test::number_of("TW_SEED", 5));
  size_t found = 0;
  for (uint64_t i = 0; i < test::slice_of(20000, 1500); ++i) {
    store::Array array = random_array(random);
    INFO("case ", i, ": ", store::described(array));
    REQUIRE(store::check_cover(array, "set"));
    auto &parts = array.parts;
    auto &part = parts[static_cast<size_t>(draw(random, 0, static_cast<int64_t>(parts.size()) - 1))];
    const size_t d = array.dims.empty()
                         ? 0
                         : static_cast<size_t>(draw(random, 0, static_cast<int64_t>(array.dims.size()) - 1));
    switch (draw(random, 0, 3)) {
    case 0:
      std::swap(part, parts.back());
      parts.pop_back();
      break;
    case 1: parts.push_back(part); break;
    case 2:
      if (!array.dims.empty())
        part.box.offset[d] += draw(random, -2, 2);
      break;
    default:
      if (!array.dims.empty())
        part.box.extent[d] = std::max<int64_t>(0, part.box.extent[d] + draw(random, -2, 2));
    }
    const auto status = store::check_cover(array, "set");
    CHECK(status.has_value() == covers(array));
    found += !status;
  }
  CHECK(found > 100);
}

TEST_CASE("what is wrong is named") {
  const auto said = [](std::vector<sharding::Box> boxes) {
    store::Array array{"w", graph::DType::f32, {4, 6}, {}, {}, {}};
    for (auto &box : boxes)
      array.parts.push_back({std::move(box), 0, 0, {}});
    const auto status = store::check_cover(array, "a set");
    return status ? std::string() : status.error().message();
  };
  CHECK(said({{{0, 0}, {4, 3}}, {{0, 3}, {4, 3}}}) == "");
  CHECK(said({{{0, 0}, {4, 3}}, {{0, 3}, {2, 3}}}) ==
        "a set: w: f32[4,6]: 6 of 24 elements are in no part, the first of them is (2, 3)");
  CHECK(said({{{0, 0}, {4, 4}}, {{0, 3}, {4, 3}}}) ==
        "a set: w: f32[4,6]: parts [0+4, 0+4] and [0+4, 3+3] overlap; only equal parts may be doubled");
  CHECK(said({{{0, 0}, {4, INT64_MAX}}}) ==
        "a set: w: f32[4,6]: part [0+4, 0+9223372036854775807] lies outside the array");
  CHECK(said({{{3, 0}, {2, 6}}}) == "a set: w: f32[4,6]: part [3+2, 0+6] lies outside the array");
  CHECK(said({{{0}, {4}}}) == "a set: w: f32[4,6]: part [0+4] has 1 dimensions");
}

} // namespace tw::test_cover
