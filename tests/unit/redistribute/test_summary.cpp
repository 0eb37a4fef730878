// SPDX-License-Identifier: Apache-2.0
// Summaries: the kind that an exchange amounts to, and bytes equal to those that the direct exchange moves.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "redistribute/exchange.hpp"
#include "redistribute/problem.hpp"
#include "support/random_sharding.hpp"

namespace tw::test_summary {

using namespace tw::sharding;
using namespace tw::redistribute;
using tw::graph::DType;
using tw::graph::TensorType;
using tw::test::draw;
using tw::test::Random;

namespace {

struct Count {
  std::vector<int64_t> each;
  int64_t max = 0;
  double mean = 0;
};

// What every device receives, counted piece by piece.
Count count(const Problem &problem) {
  const int64_t devices = problem.src().mesh.num_devices();
  Count result;
  for (Position p; p < devices; ++p) {
    int64_t received = 0;
    for (const Piece &piece : direct(problem, p))
      for (const int64_t source : piece.sources)
        received += source == p ? 0 : piece.box.elements() * problem.item_size();
    result.each.push_back(received);
    result.max = std::max(result.max, received);
    result.mean += static_cast<double>(received) / static_cast<double>(devices);
  }
  return result;
}

// "all_gather over y: 96 bytes"
std::string summary_of(const char *mesh_text, std::vector<int64_t> shape, const char *src, const char *dst) {
  const Mesh mesh = *Mesh::parse(mesh_text);
  const TensorType type{DType::f32, std::move(shape)};
  const Sharding source = *parse_sharding(src, mesh), target = *parse_sharding(dst, mesh);
  REQUIRE(verify(source, type.dims, mesh).has_value());
  REQUIRE(verify(target, type.dims, mesh).has_value());
  const Summary s = summarise(Problem::within(mesh, type, source, target));
  std::vector<std::string> axes;
  for (const AxisId a : s.axes)
    axes.push_back(mesh.axis(a).name);
  return fmt::format("{} over {}: {}", name(s.kind), fmt::join(axes, ","), s.bytes_received_max);
}

} // namespace

TEST_CASE("bytes are those of the direct exchange") {
  Random random(21);
  std::array<int, kNumKinds> seen{};
  for (int round = 0; round < 2000; ++round) {
    const Mesh mesh = tw::test::random_mesh(random, 32);
    TensorType type{DType::f32, tw::test::random_shape(random, 3, 9)};
    if (draw(random, 0, 1) == 0)
      for (auto &n : type.dims)
        n *= 8;
    Sharding src = tw::test::random_sharding(random, type.dims, mesh, draw(random, 0, 1) == 0);
    Sharding dst = tw::test::random_sharding(random, type.dims, mesh);
    if (draw(random, 0, 1) == 0) // mostly alike, so that the named kinds occur
      for (size_t d = 0; d < type.rank(); ++d)
        src.dims[d].rule = dst.dims[d].rule = SplitRule{};
    const Problem problem = Problem::within(mesh, type, src, dst);
    const Summary summary = summarise(problem);
    const Count counted = count(problem);
    CAPTURE(mesh.text());
    CAPTURE(to_text(src, mesh));
    CAPTURE(to_text(dst, mesh));
    CAPTURE(name(summary.kind));
    ++seen[static_cast<size_t>(summary.kind)];
    if (summary.kind == Kind::all_reduce) {
      // an all_reduce is counted as the best algorithms have it, not as the direct exchange moves it
      int64_t group = 1;
      for (const AxisId a : summary.axes)
        group *= mesh.size(a);
      REQUIRE(summary.bytes_received_mean * static_cast<double>(group) == doctest::Approx(2 * counted.mean));
    } else {
      REQUIRE(bytes_received(problem) == counted.each);
      REQUIRE(summary.even == (std::ranges::count(counted.each, counted.max) == mesh.num_devices()));
      REQUIRE(summary.bytes_received_max == counted.max);
      REQUIRE(summary.bytes_received_mean == doctest::Approx(counted.mean));
    }
    if (summary.kind == Kind::copy)
      REQUIRE(counted.max == 0);
  }
  for (const int times : seen)
    CHECK(times > 0);
}

TEST_CASE("kinds and bytes by name") {
  const char *mesh = "x=2,y=4";
  CHECK(summary_of(mesh, {8, 4}, "[{x}, {}]", "[{x}, {}]") == "copy over : 0");
  CHECK(summary_of(mesh, {8, 4}, "[{x}, {}]", "[{x,y}, {}]") == "copy over : 0");
  CHECK(summary_of(mesh, {8, 4}, "[{y}, {}]", "[{}, {}]") == "all_gather over y: 96");
  CHECK(summary_of(mesh, {8, 4}, "[{x,y}, {}]", "[{}, {}]") == "all_gather over x,y: 112");
  CHECK(summary_of(mesh, {8, 4}, "[{x}, {y}]", "[{}, {}]") == "all_gather over x,y: 112");
  CHECK(summary_of(mesh, {8, 4}, "[{x}, {}]", "[{}, {y}]") ==
        "all_gather over x: 16"); // sliced along y on the way
  CHECK(summary_of(mesh, {8, 4}, "[{}, {}] +y", "[{}, {}]") == "all_reduce over y: 192");
  CHECK(summary_of(mesh, {8, 4}, "[{}, {}] +x+y", "[{}, {}]") == "all_reduce over x,y: 224");
  CHECK(summary_of(mesh, {}, "[] +x+y", "[]") == "all_reduce over x,y: 7");
  CHECK(summary_of("x=3", {}, "[] +x", "[]") == "all_reduce over x: 6"); // 16/3, rounded up
  CHECK(summary_of(mesh, {8, 4}, "[{}, {}] +y", "[{y}, {}]") == "reduce_scatter over y: 96");
  CHECK(summary_of(mesh, {8, 4}, "[{x}, {}] +y", "[{x}, {y}]") == "reduce_scatter over y: 48");
  CHECK(summary_of(mesh, {8, 4}, "[{}, {}] +x+y", "[{y}, {}]") == "exchange over x,y: 224");
  CHECK(summary_of(mesh, {8, 4}, "[{}, {y}]", "[{y}, {}]") == "all_to_all over y: 24");
  CHECK(summary_of(mesh, {8, 8}, "[{x}, {y}]", "[{x,y}, {}]") == "all_to_all over y: 24");
  CHECK(summary_of("x=2,y=2", {8, 8}, "[{x}, {y}]", "[{y}, {x}]") == "permute over x,y: 64");
  CHECK(summary_of("x=2,y=2", {8, 8}, "[{x,y}, {}]", "[{y,x}, {}]") == "permute over x,y: 64");
  CHECK(summary_of("x=2,y=2", {8, 8}, "[{x}, {}]", "[{y}, {}]") == "permute over x,y: 128");
  CHECK(summary_of(mesh, {8, 4}, "[{x}, {}]", "[{y}, {}]") == "exchange over x,y: 32");
  CHECK(summary_of("x=4", {10}, "[{x}:ceil]", "[{x}]") == "exchange over x: 8");
  CHECK(summary_of("x=1,y=2", {4}, "[{x}]", "[{}]") == "copy over : 0");
  CHECK(summary_of("x=4", {33, 3}, "[{x}, {}]", "[{}, {}]") ==
        "all_gather over x: 300"); // 25 rows of 12 bytes
  CHECK(summary_of(mesh, {0, 4}, "[{x}, {}]", "[{}, {y}]") == "all_gather over x: 0");
}

TEST_CASE("large meshes") {
  CHECK(summary_of("x=256,y=256", {1 << 20, 256}, "[{x}, {y}]", "[{x}, {}]") ==
        fmt::format("all_gather over y: {}", int64_t{4096} * 255 * 4));
  CHECK(summary_of("x=32,y=32", {1000, 1000}, "[{x}, {y}]", "[{y}, {x}]").starts_with("permute over x,y"));
}

} // namespace tw::test_summary
