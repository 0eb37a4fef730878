// SPDX-License-Identifier: Apache-2.0
// A sum of products adds each as soon as it is there, and what would give nothing back stays one step.
#include "unit/runtime/float_program.hpp"

namespace tw::test_split_groups {

using namespace tw::test;
using runtime::Step;

namespace {

constexpr int64_t kRows = 64;
constexpr int64_t kBytes = kRows * kRows * 4;

// x w, (x w) w, .. of which all are summed, each through `link` where there is one.
std::shared_ptr<const graph::Graph> sum_of_products(size_t count, const char *link = nullptr) {
  ProgramBuilder p;
  const ValueId x = p.arg("x", {kRows, kRows}), w = p.arg("w", {kRows, kRows});
  ValueId sum = x;
  for (size_t i = 0; i < count; ++i) {
    const ValueId product = p.dot(x, w, {}, {}, {static_cast<int64_t>(i % 2)}, {0});
    sum = p.add(sum, link != nullptr ? p.op(link, {product}) : product);
  }
  p.result(sum, "y");
  return p.finish();
}

// How many steps are fused, and how many stand behind the last product.
std::pair<size_t, size_t> fused_steps(const std::shared_ptr<const graph::Graph> &graph) {
  const Scheduled s(graph);
  size_t fused = 0, behind = 0;
  for (const Step &step : s.schedule.steps) {
    fused += step.kind == Step::Kind::fused;
    behind = step.kind == Step::Kind::kernel ? 0 : behind + 1;
  }
  return {fused, behind};
}

int64_t peak(const std::shared_ptr<const graph::Graph> &graph, std::vector<std::string> without) {
  runtime::Options options;
  options.without = std::move(without);
  const Runner run(graph, "", "", std::move(options));
  return run.executable->peak_bytes(sharding::DeviceIndex());
}

} // namespace

TEST_CASE("a sum holds itself and one product") {
  for (const size_t count : {3, 8, 20}) {
    CAPTURE(count);
    const auto graph = sum_of_products(count);
    CHECK(fused_steps(graph) == std::pair(count - 1, size_t{1})); // the first adds two
    CHECK(peak(graph, {}) <= 5 * kBytes);                         // arguments, result, sum, product
    if (count > 3)
      CHECK(peak(graph, {"split_groups"}) > 6 * kBytes);
  }
}

TEST_CASE("what follows each product goes with it") {
  CHECK(fused_steps(sum_of_products(8, "tanh")) == std::pair(size_t{7}, size_t{1}));
}

TEST_CASE("a group whose parts would give nothing back stays whole") {
  ProgramBuilder p;
  const ValueId x = p.arg("x", {kRows, kRows}), w = p.arg("w", {kRows, kRows});
  const ValueId a = p.matmul(x, w), b = p.dot(x, w, {}, {}, {0}, {0});
  p.result(p.op("multiply", {p.tanh(a), b}), "y"); // tanh would only take the place of a
  CHECK(fused_steps(p.finish()) == std::pair(size_t{1}, size_t{1}));
}

TEST_CASE("small arrays are not worth a step") {
  ProgramBuilder p;
  const ValueId x = p.arg("x", {8, 8}), w = p.arg("w", {8, 8});
  const ValueId a = p.matmul(x, w), b = p.dot(x, w, {}, {}, {0}, {0}), c = p.dot(x, w, {}, {}, {0}, {1});
  p.result(p.add(p.add(a, b), c), "y");
  CHECK(fused_steps(p.finish()) == std::pair(size_t{1}, size_t{1}));
}

TEST_CASE("the bits stay the same") {
  const auto graph = sum_of_products(6, "tanh");
  runtime::Options options;
  options.without = {"split_groups"};
  Runner split(graph, "a=2", "tile(arg=x, dim=0, axis=a); infer-propagate"),
      whole(graph, "a=2", "tile(arg=x, dim=0, axis=a); infer-propagate", std::move(options));
  REQUIRE(split.run().has_value());
  REQUIRE(whole.run().has_value());
  CHECK(split.bytes() == whole.bytes());
}

} // namespace tw::test_split_groups
