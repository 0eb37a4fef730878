// SPDX-License-Identifier: Apache-2.0
// The steps of lowering are programs too: the listings of the paper on redistribution, and the distributed
// types of the PartIR slides. What is printed of a plan is read as a plan that moves the same.
#include <doctest/doctest.h>

#include "emit/printer.hpp"
#include "unit/emit/plans_read_back.hpp"

namespace tw::test_listings {

using namespace tw::test;

namespace {

std::string naive(const partition::Plan &plan, const char *form, const char *pass) {
  return text_of(
      emit::print_after(plan, form, pass == nullptr ? std::nullopt : std::optional<std::string_view>(pass)));
}

partition::Plan reread(const std::string &text) {
  CAPTURE(text);
  auto read = parse_loops(text);
  REQUIRE_MESSAGE(read.has_value(), read.error().message() << " at line " << read.error().info().pos.line);
  return std::move(read->plan);
}

constexpr const char *kPrograms[] = {
    "func @f(%x: tensor<16x16xf32>, %w: tensor<16x8xf32>, %u: tensor<8x6xf32>) {\n"
    "  %0 = matmul(%x, %w)\n  %1 = tanh(%0)\n  %2 = matmul(%1, %u)\n  %3 = add(%2, %2)\n  return %3, %0\n}\n",
    "func @f(%x: tensor<6x16xf32>, %y: tensor<6x16xf32>) {\n"
    "  %0 = add(%x, %y)\n  %1 = negate(%0)\n  return %1\n}\n"};

constexpr const char *kSpecs[] = {"tile(arg=0, dim=0, axis=a)",
                                  "tile(arg=0, dim=1, axis=b); infer-propagate",
                                  "tile(arg=0, dim=0, axis=a); tile(arg=1, dim=1, axis=b); infer-propagate",
                                  "tile(arg=0, dim=1, axis=b); tile(arg=0, dim=1, axis=a); infer-propagate",
                                  "tile(arg=1, dim=0, axis=a); infer-propagate; shard(result=0, [{b}, {}])",
                                  ""};

} // namespace

TEST_CASE("listings and lowered loops are read again") {
  int compared = 0;
  for (const char *program : kPrograms)
    for (const char *mesh : {"a=2", "a=2,b=2", "b=4,a=2"})
      for (const char *spec : kSpecs) {
        CAPTURE(program);
        CAPTURE(mesh);
        CAPTURE(spec);
        partition::Plan plan = plan_of(load_text(program), mesh, true);
        if (!partition::apply_spec(plan, spec, "spec"))
          continue;
        check_same(plan, reread(naive(plan, "spmd-naive-paper", nullptr)));
        // Where the bodies say nothing of an argument or a result, slides' text does not say where it is.
        if (std::string_view(spec).find("shard") == std::string_view::npos &&
            std::string_view(spec).find("infer-propagate") != std::string_view::npos)
          for (const char *pass : {"lift", "fuse_redistribute", "scatter_sums"})
            if (const partition::Plan read = reread(naive(plan, "spmd-naive", pass));
                read.mesh().text() == plan.mesh().text()) { // which it does not say
              check_same(plan, read);
              ++compared;
            }
      }
  CHECK(compared >= 12);
}

} // namespace tw::test_listings
