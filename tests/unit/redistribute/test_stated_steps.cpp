// SPDX-License-Identifier: Apache-2.0
// Sequences that a caller states: random ones are right and priced right, each wrong one is told where.
#include "redistribute/stated_steps.hpp"

#include <random>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "redistribute/check.hpp"

using namespace tw;
using namespace tw::redistribute;

namespace {

Result<Costed> plan_of(const sharding::Mesh &mesh, std::string_view src, std::string_view dst,
                       std::string_view steps, const PlanOptions &options = {}) {
  TW_ASSIGN(const DistributedType from, parse_distributed_type(src, mesh));
  TW_ASSIGN(const DistributedType to, parse_distributed_type(dst, mesh, &from.type));
  TW_ASSIGN(const auto read, read_stated_steps(steps, mesh, from, to, graph::DType::f32));
  TW_ASSIGN(auto problem, make_problem(mesh, from, mesh, to, graph::DType::f32));
  return plan_stated(std::move(problem), read, from, options);
}

std::string error_of(const sharding::Mesh &mesh, std::string_view src, std::string_view dst,
                     std::string_view steps) {
  const auto plan = plan_of(mesh, src, dst, steps);
  return plan ? "none" : plan.error().message();
}

sharding::Mesh mesh_of(const char *text) { return *sharding::Mesh::parse(text); }

// Draws steps from a type on; says the type that they end in.
class Walk {
public:
  Walk(std::mt19937 &random, const sharding::Mesh &mesh, DistributedType type)
      : random_(random), mesh_(mesh), type_(std::move(type)) {}

  std::string step() {
    for (;;) {
      const size_t d = draw(type_.type.rank()), e = draw(type_.type.rank());
      auto &from = type_.sharding.dims[d].axes;
      switch (draw(4)) {
      case 0:
        if (from.empty())
          continue;
        if (const std::string by_name(mesh_.axis(from.back()).name); draw(2) == 0) {
          from.pop_back();
          return fmt::format("allgather({})", by_name);
        }
        from.pop_back();
        return fmt::format("all_gather {}", d);
      case 1:
        if (from.empty() || d == e)
          continue;
        type_.sharding.dims[e].axes.push_back(from.back());
        from.pop_back();
        return fmt::format("alltoall({}, {})", d, e);
      case 2: {
        const auto axis = static_cast<sharding::AxisId>(draw(mesh_.num_axes()));
        if (type_.sharding.uses(axis))
          continue;
        from.push_back(axis);
        return fmt::format("dynslice {} {}", d, mesh_.axis(axis).name);
      }
      default: {
        if (from.size() < 2)
          continue;
        std::swap(from.front(), from.back());
        return fmt::format("allpermute\n{}", text());
      }
      }
    }
  }

  std::string text() const { return paper_text(type_.sharding, type_.type.dims, mesh_); }

private:
  size_t draw(size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random_); }

  std::mt19937 &random_;
  const sharding::Mesh &mesh_;
  DistributedType type_;
};

} // namespace

TEST_CASE("random sequences move every element, and cost what the paper counts") {
  std::mt19937 random(44);
  const auto mesh = mesh_of("a=2,b=3,c=2");
  int multi_step = 0;
  for (int i = 0; i < 400; ++i) {
    const DistributedType src =
        *parse_distributed_type(i % 2 == 0 ? "[6{c}12, 12]" : "[2{b,a}12, 12, 2]", mesh);
    Walk walk(random, mesh, src);
    const int length = 1 + i % 5;
    std::string steps;
    for (int s = 0; s < length; ++s)
      steps += walk.step() + "  # a step\n";
    // A slice behind a gather of other axes need not stay inside its tile where sizes do not divide: told.
    const auto plan = plan_of(mesh, paper_text(src.sharding, src.type.dims, mesh), walk.text(), steps);
    INFO(steps);
    REQUIRE_MESSAGE(plan.has_value(), plan.error().message());
    CHECK(plan->plan->method == Method::stated);
    CheckOptions how;
    how.cost = plan->cost;
    const CheckReport report = check(*plan->plan, how);
    CHECK_MESSAGE(report.pass(), fmt::format("{}", fmt::join(report.failures, "\n")));
    CHECK(report.moved);
    multi_step += plan->plan->steps.size() > 1;
  }
  CHECK(multi_step > 200);
}

TEST_CASE("a word alone makes what the steps behind it need") {
  const auto mesh = mesh_of("x=4,y=4");
  // Figure 5, first row, left: the permutation comes first.
  const auto left = plan_of(mesh, "[32{x,y}512, 128]", "[128{x}512, 32{y}128]", "allpermute\nalltoall(0, 1)");
  REQUIRE_MESSAGE(left.has_value(), left.error().message());
  REQUIRE(left->plan->steps.size() == 2);
  CHECK(left->plan->steps[0].kind == Kind::permute);
  CHECK(left->plan->steps[1].kind == Kind::all_to_all);
  CHECK(left->plan->fig11_cost == 2 * 4096);
  const auto right =
      plan_of(mesh, "[32{x,y}512, 128]", "[128{x}512, 32{y}128]", "alltoall(0, 1); allpermute");
  REQUIRE(right.has_value());
  CHECK(right->plan->steps[1].kind == Kind::permute);
  // Types alone.
  const auto types = plan_of(mesh, "[32{x,y}512, 128]", "[128{x}512, 32{y}128]", "[32{y,x}512, 128]\n");
  REQUIRE(types.has_value());
  CHECK(hash_value(*types->plan) == hash_value(*left->plan));
  // Nothing is nothing.
  const auto none = plan_of(mesh, "[32{x}128]", "[32{x}128]", "# nothing\n");
  REQUIRE(none.has_value());
  CHECK(none->cost.received_max == 0);
}

TEST_CASE("partial values combine in a stated step") {
  const auto mesh = mesh_of("x=2,y=2");
  const auto plan =
      plan_of(mesh, "f32[8,4] [{},{}] +x", "f32[8,4] [{},{y}]", "[{x},{}]\nallgather x\ndynslice 1 y");
  REQUIRE_MESSAGE(plan.has_value(), plan.error().message());
  CHECK(plan->plan->steps[0].kind == Kind::reduce_scatter);
  CHECK(check(*plan->plan).pass());
}

TEST_CASE("what is wrong is said with its line") {
  const auto mesh = mesh_of("x=4,y=2");
  const auto told = [&](const char *steps, const char *what, const char *src = "[4{x}16, 8]",
                        const char *dst = "[16, 2{x}8]") {
    const std::string error = error_of(mesh, src, dst, steps);
    INFO(error);
    CHECK(error.find(what) != std::string::npos);
  };
  told("alltoall(0, 1)", "none");
  told("\nalltoal 0 1", "line 2: 'alltoal 0 1': no such step");
  told("alltoall 1 0", "no axis tiles dimension 1 of [4{x}16, 8]");
  told("alltoall 0 0", "from dimension 0 to itself");
  told("alltoall 0 7", "dimension 7 of an array of 2");
  told("alltoall 0 x", "'x' is no dimension");
  told("alltoall z 1", "'z' is neither a dimension nor an axis");
  told("alltoall y 1", "axis 'y' tiles nothing");
  told("allgather 0 1", "2 arguments, and it takes 1");
  told("alltoall(0, 1", "the ')' is missing");
  told("dynslice 1 x", "axis 'x' is in use already");
  told("dynslice 1 z", "has no axis 'z'");
  told("allgather 0", "the sequence ends in [16, 8], and the target is [16, 2{x}8]");
  told("alltoall(0, 1)\n[16, 8]", "the step before it makes [16, 2{x}8]");
  told("[16{y}]", "line 1");
  told("[9{y}18, 8]", "its sizes are not those of the source");
  told("allpermute", "is no permutation: the tiles have different shapes");
  told("dynslice\n", "is no slice: a device receives up to 96 B");
  told("allgather", "is all_to_all");
  told("allpermute\nallgather 0\ndynslice 1 x", "does not follow from the steps behind it");
  told("allpermute", "combines partial values: write the type alone", "f32[16,8] [{},{}] +x",
       "f32[16,8] [{},{}]");
  told("alltoall", "combines partial values", "f32[16,8] [{},{}] +x", "f32[16,8] [{x},{}]");
  told("f16[16,8] [{},{}]", "line 1: 'f16[16,8] [{},{}]': its elements are f16, and those of the array f32");
  told("\n[{x}:halo=[1,1],{}]\n", "line 2: '[{x}:halo=[1,1],{}]': tiles with halos");
  told("[{},{}] +y", "line 1: '[{},{}] +y': ");
  told("allgather x", "is not the innermost of dimension 0 in [2{y,x}16, 8], but 'y' is", "[2{y,x}16, 8]",
       "[8{y}16, 8]");
  // 5 rows over 2 and then 2 are 2, 3 and then 1, 1, 1, 2: a slice.
  const auto uneven = mesh_of("x=2,y=2");
  CHECK(error_of(uneven, "f32[5] [{x}]", "f32[5] [{x,y}]", "dynslice 0 y") == "none");
}

TEST_CASE("budgets hold for what is stated") {
  const auto mesh = mesh_of("x=4");
  PlanOptions options;
  options.height_bytes = 256;
  const auto plan = plan_of(mesh, "[4{x}16, 8]", "[16, 2{x}8]", "allgather 0\ndynslice 1 x", options);
  REQUIRE(!plan.has_value());
  CHECK(plan.error().message() == "the stated steps make a tile of 512 B, and 256 are allowed");
}
