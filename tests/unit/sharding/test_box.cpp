// SPDX-License-Identifier: Apache-2.0
// Boxes: the tiles of every sharding partition the array exactly over the devices; verify says what is wrong.
#include <doctest/doctest.h>

#include <map>
#include <string>

#include "sharding/sharding.hpp"
#include "support/random_sharding.hpp"

namespace tw::test_box {

using namespace tw::sharding;
using tw::test::draw;
using tw::test::Random;

namespace {

template <class Visit> void each_element(const Box &box, Visit visit) {
  if (box.empty())
    return;
  std::vector<int64_t> at = box.offset;
  for (;;) {
    visit(at);
    size_t d = at.size();
    while (d-- > 0) {
      if (++at[d] < box.offset[d] + box.extent[d])
        break;
      at[d] = box.offset[d];
    }
    if (d == SIZE_MAX)
      return;
  }
}

std::string error_of(std::string_view text, std::vector<int64_t> shape, const Mesh &mesh) {
  const auto s = parse_sharding(text, mesh);
  if (!s)
    return s.error().message();
  const auto status = verify(*s, shape, mesh);
  return status ? "no error" : status.error().message();
}

} // namespace

TEST_CASE("tiles partition the array exactly; replicas multiply") {
  Random random(4);
  for (int round = 0; round < 600; ++round) {
    const Mesh mesh = tw::test::random_mesh(random, 64);
    const auto shape = tw::test::random_shape(random, 3, 9);
    const Sharding s = tw::test::random_sharding(random, shape, mesh, true);
    REQUIRE(verify(s, shape, mesh).has_value());
    int64_t tiles = 1;
    for (const auto &dim : s.dims)
      tiles *= num_tiles(dim, mesh);
    std::map<std::vector<int64_t>, int64_t> holders;
    auto largest = std::vector<int64_t>(shape.size(), 0);
    for (Position p; p < mesh.num_devices(); ++p) {
      const Box box = box_of(s, shape, mesh, p);
      REQUIRE(Box::whole(shape).contains(box));
      each_element(box, [&](const std::vector<int64_t> &at) { ++holders[at]; });
      for (size_t d = 0; d < shape.size(); ++d)
        largest[d] = std::max(largest[d], box.extent[d]);
    }
    REQUIRE(largest == largest_tile(s, shape, mesh));
    REQUIRE(static_cast<int64_t>(holders.size()) == Box::whole(shape).elements());
    for (const auto &[at, count] : holders)
      REQUIRE(count == mesh.num_devices() / tiles);
  }
}

TEST_CASE("64 Ki devices") {
  const Mesh mesh = *Mesh::parse("a=256,b=256");
  const Sharding s = *parse_sharding("[{b}, {a}]", mesh);
  const std::vector<int64_t> shape{1000, 255};
  CHECK(largest_tile(s, shape, mesh) == std::vector<int64_t>{4, 1});
  const Box last = box_of(s, shape, mesh, Position(65535));
  CHECK(last.offset == std::vector<int64_t>{996, 254});
  CHECK(last.extent == std::vector<int64_t>{4, 1});
  CHECK(box_of(s, shape, mesh, Position()).empty());
}

TEST_CASE("intersection and containment") {
  const Box a{{0, 2}, {4, 4}}, b{{2, 0}, {4, 3}};
  CHECK(intersect(a, b) == Box{{2, 2}, {2, 1}});
  CHECK(intersect(a, b) == intersect(b, a));
  CHECK(a.contains(intersect(a, b)));
  CHECK(!a.contains(b));
  CHECK(intersect(a, Box{{9, 9}, {1, 1}}).empty());
  CHECK(a.contains(Box{{9, 9}, {0, 5}}));
  CHECK(Box{}.elements() == 1);
}

TEST_CASE("verify's messages") {
  const Mesh mesh = *Mesh::parse("a=2,b=3");
  CHECK(error_of("[{a}, {b}]", {4, 5}, mesh) == "no error");
  CHECK(error_of("[{a}]", {4, 5}, mesh) == "a sharding of 1 dimensions for an array of 2");
  CHECK(error_of("[{a,a}, {}]", {4, 5}, mesh) == "axis 'a' is used twice");
  CHECK(error_of("[{a}, {}] +a", {4, 5}, mesh) == "axis 'a' is used twice");
  CHECK(error_of("[{a}:unit=3]", {4}, mesh) == "dimension 0 of 4 elements cannot be cut in blocks of 3");
  CHECK(error_of("[{b}:cuts=[0,2,4]]", {4}, mesh) == "dimension 0: 3 cuts for 3 tiles: 4 are needed");
  CHECK(error_of("[{a}:cuts=[0,5,4]]", {4}, mesh) == "dimension 0: the cuts 0,5,4 must ascend from 0 to 4");
  CHECK(error_of("[{a}:cuts=[0,1,3]]", {4}, mesh) == "dimension 0: the cuts 0,1,3 must ascend from 0 to 4");
  Sharding foreign = Sharding::replicated(1);
  foreign.dims[0].axes = {7};
  CHECK(verify(foreign, std::vector<int64_t>{4}, mesh).error().message() ==
        "dimension 0 uses axis number 7, but mesh a=2,b=3 has 2 axes");
}

} // namespace tw::test_box
