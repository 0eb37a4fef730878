// SPDX-License-Identifier: Apache-2.0
// The direct exchange, checked by moving real elements between random layouts.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "redistribute/exchange.hpp"
#include "redistribute/problem.hpp"
#include "support/elements.hpp"
#include "support/random_sharding.hpp"

namespace tw::test_direct {

using namespace tw::sharding;
using namespace tw::redistribute;
using tw::graph::DType;
using tw::graph::TensorType;
using tw::test::draw;
using tw::test::each_element;
using tw::test::position_in;
using tw::test::Random;

namespace {

using Values = std::vector<uint64_t>;

uint64_t mix(uint64_t a, uint64_t b) { return (a * 0x9e3779b97f4a7c15u ^ b) * 0xd6e8feb86659fd93u; }

// The value of an element in the partial array that the coordinates along some axes select.
uint64_t partial(const Mesh &mesh, std::span<const Partial> partial, Position position,
                 std::span<const int64_t> index) {
  uint64_t value = 17;
  for (const int64_t i : index)
    value = mix(value, static_cast<uint64_t>(i));
  for (const Partial &s : partial)
    value = mix(value, static_cast<uint64_t>(mesh.coordinate(position, s.axis)) + 1000 * s.axis);
  return value;
}

// Depends on the order, so that a wrong order shows.
uint64_t combine(uint64_t a, uint64_t b) { return a * 31 + b; }

Values held_before(const Problem &problem, Position position) {
  const Box box = problem.src_box(problem.src_device(position));
  Values values(static_cast<size_t>(box.elements()));
  each_element(box, [&](std::span<const int64_t> at) {
    values[position_in(box, at)] = partial(problem.src().mesh, problem.src().sharding.partial, position, at);
  });
  return values;
}

// What the device must hold afterwards, from the definition.
uint64_t wanted(const Problem &problem, Position position, std::span<const int64_t> index) {
  const Mesh &mesh = problem.src().mesh;
  const auto &before = problem.src().sharding.partial, &after = problem.dst().sharding.partial;
  std::vector<Position> sources;
  for (Position p; p < mesh.num_devices(); ++p) {
    bool takes_part = true; // apart only along axes that are partial in the source and not in the target
    for (size_t a = 0; a < mesh.num_axes(); ++a) {
      const auto axis = static_cast<AxisId>(a);
      const bool combined = std::ranges::count(before, axis, &Partial::axis) != 0 &&
                            std::ranges::count(after, axis, &Partial::axis) == 0;
      if (!combined && mesh.coordinate(p, axis) != mesh.coordinate(position, axis))
        takes_part = false;
    }
    if (takes_part)
      sources.push_back(p);
  }
  uint64_t value = partial(mesh, before, sources[0], index);
  for (size_t i = 1; i < sources.size(); ++i)
    value = combine(value, partial(mesh, before, sources[i], index));
  return value;
}

void check_exchange(const Problem &problem) {
  const int64_t devices = problem.src().mesh.num_devices();
  const auto held_at = [&](Position p) { return problem.src_box(problem.src_device(p)); };
  std::vector<Values> before;
  for (Position p; p < devices; ++p)
    before.push_back(held_before(problem, p));
  for (Position p; p < devices; ++p) {
    const Box target = problem.dst_box(problem.dst_device(p)), own = held_at(p);
    Values after(static_cast<size_t>(target.elements()));
    std::vector<int> covered(after.size(), 0);
    int64_t received = 0;
    for (const Piece &piece : direct(problem, p)) {
      REQUIRE(!piece.box.empty());
      REQUIRE(target.contains(piece.box));
      REQUIRE(std::ranges::is_sorted(piece.sources));
      for (const int64_t source : piece.sources)
        received += source == p ? 0 : piece.box.elements();
      each_element(piece.box, [&](std::span<const int64_t> at) {
        uint64_t value = 0;
        for (size_t i = 0; i < piece.sources.size(); ++i) {
          const Box held = held_at(piece.sources[i]);
          REQUIRE(held.contains(Box{{at.begin(), at.end()}, std::vector<int64_t>(at.size(), 1)}));
          const uint64_t v = before[static_cast<size_t>(piece.sources[i])][position_in(held, at)];
          value = i == 0 ? v : combine(value, v);
        }
        after[position_in(target, at)] = value;
        ++covered[position_in(target, at)];
      });
    }
    REQUIRE(std::ranges::all_of(covered, [](int times) { return times == 1; }));
    each_element(target, [&](std::span<const int64_t> at) {
      REQUIRE(after[position_in(target, at)] == wanted(problem, p, at));
    });
    if (problem.src().sharding.partial.empty())
      REQUIRE(received == target.elements() - intersect(target, own).elements());
  }
}

} // namespace

TEST_CASE("elements arrive, once, from devices that hold them, and no byte moves in vain") {
  Random random(11);
  for (int round = 0; round < 500; ++round) {
    const Mesh mesh = tw::test::random_mesh(random, 64);
    const TensorType type{DType::f32, tw::test::random_shape(random, 3, 9)};
    const Sharding src = tw::test::random_sharding(random, type.dims, mesh);
    const Sharding dst = tw::test::random_sharding(random, type.dims, mesh);
    CAPTURE(mesh.text());
    CAPTURE(to_text(src, mesh));
    CAPTURE(to_text(dst, mesh));
    check_exchange(Problem::within(mesh, type, src, dst));
  }
}

TEST_CASE("partial values are combined in rank order; those that stay partial stay apart") {
  Random random(12);
  for (int round = 0; round < 400; ++round) {
    const Mesh mesh = tw::test::random_mesh(random, 48);
    const TensorType type{DType::f32, tw::test::random_shape(random, 2, 7)};
    const Sharding src = tw::test::random_sharding(random, type.dims, mesh, true);
    Sharding dst = tw::test::random_sharding(random, type.dims, mesh);
    for (const Partial &s : src.partial)
      if (!dst.uses(s.axis) && draw(random, 0, 1) == 0)
        dst.partial.push_back(s);
    CAPTURE(mesh.text());
    CAPTURE(to_text(src, mesh));
    CAPTURE(to_text(dst, mesh));
    check_exchange(Problem::within(mesh, type, src, dst));
  }
}

TEST_CASE("the nearest holder serves, and equally near ones take turns") {
  const auto sends = [](const char *mesh_text, const char *src, const char *dst) {
    const Mesh mesh = *Mesh::parse(mesh_text);
    const TensorType type{DType::f32, {48}};
    const Sharding source = *parse_sharding(src, mesh), target = *parse_sharding(dst, mesh);
    std::map<int64_t, int64_t> served;
    for (Position p; p < mesh.num_devices(); ++p)
      for (const Piece &piece : direct(Problem::within(mesh, type, source, target), p))
        if (piece.sources[0] != p)
          ++served[piece.sources[0]];
    int64_t most = 0;
    for (const auto &[source_position, times] : served)
      most = std::max(most, times);
    return most;
  };
  // Gathers stay among the devices that differ along the gathered axis alone: each serves the group's others.
  CHECK(sends("x=2,y=4", "[{y}]", "[{}]") == 3);
  CHECK(sends("x=2,y=4", "[{x}]", "[{}]") == 1);
  // Tile 0 is held by all (0,y) and wanted by all (x,0): one taker each.
  CHECK(sends("x=4,y=4", "[{x}]", "[{y}]") == 1);
  // Tile t of x is held by (t,0) and (t,1), wanted by all of one y: seven others ask two holders.
  CHECK(sends("x=8,y=2", "[{x}]", "[{y}]") == 4);
  // Here every holder but (y=0) stands in another group along the outer axis y: near is better than fair.
  CHECK(sends("y=4,x=4", "[{x}]", "[{y}]") == 3);

  const Mesh mesh = *Mesh::parse("x=2,y=4");
  const TensorType type{DType::f32, {8}};
  const Sharding source = *parse_sharding("[{y}]", mesh), whole = *parse_sharding("[{}]", mesh);
  std::vector<int64_t> holders;
  for (const Piece &piece : direct(Problem::within(mesh, type, source, whole), Position(6)))
    holders.push_back(piece.sources[0]);
  CHECK(holders == std::vector<int64_t>{4, 5, 6, 7});
}

TEST_CASE("a device order does not matter: positions are meant") {
  const Mesh mesh = *Mesh::create({{"x", 4, "", 1}}, {3, 1, 2, 0});
  const TensorType type{DType::f32, {8}};
  const Sharding tiled = *parse_sharding("[{x}]", mesh), whole = *parse_sharding("[{}]", mesh);
  check_exchange(Problem::within(mesh, type, tiled, whole));
}

} // namespace tw::test_direct
