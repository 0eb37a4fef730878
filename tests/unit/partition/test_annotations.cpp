// SPDX-License-Identifier: Apache-2.0
// Annotations of a module: Shardy's axes and sub-axes by name, GSPMD's by device order, priorities, closed
// dimensions, what is left out.
#include <doctest/doctest.h>

#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "import/import.hpp"
#include "partition/annotations.hpp"
#include "partition/explain.hpp"
#include "program.hpp"
#include "support/unit.hpp"

namespace tw::partition_test_annotations {

using namespace tw::test;
using annotation::Annotation;
using annotation::Annotations;
using partition::Plan;

namespace {

using Dim = annotation::DimAnnotation;

Annotation on_argument(uint32_t index, std::vector<Dim> dims, std::string mesh = "mesh") {
  Annotation a{Annotation::At::argument, index, {}, {"m.mlir", 7 + index, 1}};
  a.sharding.mesh = std::move(mesh);
  a.sharding.dims = std::move(dims);
  a.sharding.text = "S" + std::to_string(index);
  return a;
}

Annotation gspmd_on_argument(uint32_t index, std::vector<int64_t> tiles, std::vector<int64_t> iota,
                             std::vector<int64_t> transpose, uint32_t subgroups) {
  Annotation a = on_argument(index, {}, "");
  a.sharding.assignment =
      annotation::TileAssignment{std::move(tiles), std::move(iota), std::move(transpose), {}, subgroups};
  return a;
}

struct Applied {
  Plan plan;
  std::vector<std::string> notes;
};

Applied apply_all(const Mlp &m, const Annotations &annotations,
                  std::optional<sharding::Mesh> given = std::nullopt) {
  auto on = partition::mesh_for(annotations, given);
  REQUIRE_MESSAGE(on.has_value(), on.error().message());
  Applied applied{Plan(m.graph, *on), {}};
  auto notes = partition::apply_annotations(applied.plan, annotations);
  REQUIRE_MESSAGE(notes.has_value(), notes.error().message());
  applied.notes = *notes;
  return applied;
}

const annotation::MeshDecl kMesh{"mesh", {{"data", 2}, {"model", 4}}, {}};

} // namespace

TEST_CASE("axes by name, on the mesh that the module declares") {
  const Mlp m = mlp();
  const Annotations annotations{{kMesh},
                                {on_argument(0, {{{{"data"}}, false}, {{}, false}}),
                                 on_argument(1, {{{}, true}, {{{"model"}}, true}})}};
  const Applied applied = apply_all(m, annotations);
  CHECK(applied.plan.mesh().text() == "data=2,model=4");
  CHECK(made(applied.plan, m.x) == "[{data}, {}]");
  CHECK(made(applied.plan, m.u) == "[{model}, {}]");
  CHECK(made(applied.plan, m.y) == "[{data}, {}] +model");
  CHECK(applied.notes.empty());
  auto why = partition::explain(applied.plan, "u", "model");
  REQUIRE(why.has_value());
  CHECK(why->find("by m.mlir:8 S1") != std::string::npos);
}

TEST_CASE("closed dimensions keep a value whole on other axes, open ones do not") {
  const Mlp m = mlp();
  Annotations annotations{
      {kMesh},
      {on_argument(0, {{{{"data"}}, true}, {{}, true}}), on_argument(2, {{{}, false}, {{}, false}})}};
  annotations.all.push_back(on_argument(1, {{{}, true}, {{{"model"}}, true}}));
  Applied applied = apply_all(m, annotations);
  CHECK(made(applied.plan, m.h) == "[{data}, {model}]");
  CHECK(made(applied.plan, m.u) == "[{}, {}]"); // its rows would follow by inference
  CHECK(applied.plan.entry(m.graph->arguments()[2], 1)->factor == partition::kAny);
  annotations.all[1] = on_argument(2, {{{}, true}, {{}, true}});
  annotations.all[1].sharding.replicated = {{"model"}};
  applied = apply_all(m, annotations);
  CHECK(applied.plan.entry(m.graph->arguments()[2], 1)->factor == partition::kAny);
  CHECK(applied.plan.entry(m.graph->arguments()[2], 0) == nullptr);
}

TEST_CASE("sub-axes refine the mesh") {
  const Mlp m = mlp();
  const Annotations annotations{{{"mesh", {{"a", 2}, {"c", 8}}, {}}},
                                {on_argument(0, {{{{"a"}, {"c", 2, 4}}, true}, {{}, true}}),
                                 on_argument(1, {{{}, true}, {{{"c", 1, 2}}, true}})}};
  const Applied applied = apply_all(m, annotations);
  CHECK(applied.plan.mesh().num_axes() == 3);
  CHECK(applied.plan.mesh().text() == "a=2,c=8");
  CHECK(made(applied.plan, m.x) == "[{a,c:(2)4}, {}]");
  CHECK(made(applied.plan, m.h) == "[{a,c:(2)4}, {c:(1)2}]");
}

TEST_CASE("lower priorities come first") {
  const Mlp m = mlp();
  // x wants its columns on `model` first, then w its columns: the contraction has taken the axis by then.
  Annotations annotations{{kMesh},
                          {on_argument(1, {{{}, true}, {{{"model"}}, true, 1}}),
                           on_argument(0, {{{}, true}, {{{"model"}}, true, 0}})}};
  Applied applied = apply_all(m, annotations);
  CHECK(made(applied.plan, m.h) == "[{}, {}] +model");
  CHECK(made(applied.plan, m.w) == "[{}, {model}]"); // as stated: it moves for the product
  CHECK(applied.notes.empty());
  annotations.all[0].sharding.dims[1].priority = 0;
  annotations.all[1].sharding.dims[1].priority = 1;
  applied = apply_all(m, annotations);
  CHECK(made(applied.plan, m.h) == "[{}, {model}]");
  CHECK(made(applied.plan, m.x) == "[{}, {model}]");
  CHECK(applied.notes.empty());
}

TEST_CASE("GSPMD's device orders become axes of the mesh given") {
  const Mlp m = mlp();
  const Annotations annotations{
      {}, {gspmd_on_argument(0, {2, 1, 4}, {8}, {}, 1), gspmd_on_argument(1, {1, 4, 2}, {2, 4}, {1, 0}, 1)}};
  const Applied applied = apply_all(m, annotations, mesh("data=2,model=4"));
  CHECK(made(applied.plan, m.x) == "[{data}, {}]");
  CHECK(made(applied.plan, m.w) == "[{}, {model}]");
  CHECK(made(applied.plan, m.y) == "[{data}, {}] +model");
  CHECK(applied.notes.empty());
  // All of both axes on one dimension, the faster one major.
  const Applied turned =
      apply_all(m, {{}, {gspmd_on_argument(0, {8, 1}, {2, 4}, {1, 0}, 0)}}, mesh("data=2,model=4"));
  CHECK(made(turned.plan, m.x) == "[{model,data}, {}]");
  // Two tiles over an axis of four: this mesh cannot say it.
  const Applied none =
      apply_all(m, {{}, {gspmd_on_argument(0, {1, 2, 4}, {8}, {}, 1)}}, mesh("data=4,model=2"));
  CHECK(made(none.plan, m.x) == "[{}, {}]");
  REQUIRE(none.notes.size() == 1);
  CHECK(none.notes[0] ==
        "m.mlir:7: sharding S0 is left out: the mesh data=4,model=2 has no such device order");
}

TEST_CASE("an axis that the mesh does not have is an error with the annotation's place") {
  const Mlp m = mlp();
  const Annotations annotations{{kMesh}, {on_argument(0, {{{{"data"}}, false}, {{}, false}})}};
  Plan plan(m.graph, mesh("batch=2"));
  const auto status = partition::apply_annotations(plan, annotations);
  REQUIRE(!status);
  CHECK(status.error().message() == "sharding S0: there is no axis 'data' in the mesh batch=2; give a mesh "
                                    "that has it, or ignore the annotations");
  CHECK(status.error().info().pos.line == 7);
  // Parts that do not nest.
  const Annotations parts{{{"mesh", {{"c", 12}}, {}}},
                          {on_argument(0, {{{{"c", 1, 2}}, true}, {{{"c", 3, 4}}, true}})}};
  const auto mesh = partition::mesh_for(parts, std::nullopt);
  REQUIRE(!mesh);
  CHECK(mesh.error().info().id == std::string("TW-411"));
}

TEST_CASE("what this version does not follow is named") {
  const Mlp m = mlp();
  Annotations annotations{{kMesh},
                          {on_argument(0, {{{}, true}, {{}, true}}), on_argument(1, {}), on_argument(2, {})}};
  annotations.all[0].sharding.unreduced = {{"data"}};
  annotations.all[1].sharding.kind = annotation::ShardingAnnotation::Kind::maximal;
  annotations.all[2].sharding.kind = annotation::ShardingAnnotation::Kind::manual;
  const Applied applied = apply_all(m, annotations);
  REQUIRE(applied.notes.size() == 3);
  CHECK(applied.notes[0].find("as a whole, not as parts that add up") != std::string::npos);
  CHECK(applied.notes[1].find("none holds one alone") != std::string::npos);
  CHECK(applied.notes[2].find("device-local") != std::string::npos);
}

TEST_CASE("one dimension closed, another open") {
  const Mlp m = mlp();
  // w's columns are closed: the axis of u's rows does not come to them, as it would where they are open.
  for (const bool open : {true, false}) {
    const Annotations annotations{
        {kMesh},
        {on_argument(1, {{{}, true}, {{}, open}}), on_argument(2, {{{{"model"}}, true}, {{}, true}})}};
    const Applied applied = apply_all(m, annotations);
    CHECK(made(applied.plan, m.u) == "[{model}, {}]");
    CHECK(made(applied.plan, m.w) == (open ? "[{}, {model}]" : "[{}, {}]"));
    CHECK(applied.plan.entry(m.graph->arguments()[1], 0) == nullptr); // nothing is kept whole on purpose
  }
}

TEST_CASE("the same layout in Shardy's and in GSPMD's words") {
  for (const char *file : {"sdy_mlp.mlir", "gspmd_mlp.mlir"}) {
    CAPTURE(file);
    std::ifstream in(source_path(std::string("tests/golden/programs/") + file));
    auto imported = import::import_text(std::string(std::istreambuf_iterator<char>(in), {}));
    REQUIRE_MESSAGE(imported.has_value(), imported.error().message());
    auto on = partition::mesh_for(imported->annotations, std::nullopt);
    REQUIRE(on.has_value());
    CHECK(on->num_devices() == 8);
    Plan plan(imported->graph, *on);
    auto notes = partition::apply_annotations(plan, imported->annotations);
    REQUIRE_MESSAGE(notes.has_value(), notes.error().message());
    CHECK(notes->empty());
    const graph::Graph &g = *imported->graph;
    const auto boxes = [&](partition::NodeId n) {
      const ValueId v = g.result(n);
      const auto layout = plan.result_sharding(n, 0);
      std::vector<Ints> offsets;
      for (sharding::Position device; device < 8; ++device)
        offsets.push_back(sharding::box_of(layout, g.type(v).dims, plan.mesh(), device).offset);
      return offsets;
    };
    const auto arguments = g.arguments();
    CHECK(boxes(arguments[0]) ==
          std::vector<Ints>{{0, 0}, {0, 0}, {0, 0}, {0, 0}, {8, 0}, {8, 0}, {8, 0}, {8, 0}});
    CHECK(boxes(arguments[1]) ==
          std::vector<Ints>{{0, 0}, {0, 16}, {0, 32}, {0, 48}, {0, 0}, {0, 16}, {0, 32}, {0, 48}});
    CHECK(boxes(arguments[2]) ==
          std::vector<Ints>{{0, 0}, {16, 0}, {32, 0}, {48, 0}, {0, 0}, {16, 0}, {32, 0}, {48, 0}});
  }
}

TEST_CASE("more layouts than 16 bits count are stated, each with its line") {
  constexpr int kMany = 70'000;
  std::string text = "module {\n  sdy.mesh @mesh = <[\"a\"=2]>\n"
                     "  func.func @main(%v0: tensor<8x8xf32>) -> tensor<8x8xf32> {\n"; // lines 1 to 3
  for (int i = 0; i < kMany; ++i)
    text += fmt::format(
        "    %n{0} = stablehlo.negate %v{0} : tensor<8x8xf32>\n"
        "    %v{1} = sdy.sharding_constraint %n{0} <@mesh, [{{\"a\"}}, {{}}]> : tensor<8x8xf32>\n",
        i, i + 1);
  text += fmt::format("    return %v{} : tensor<8x8xf32>\n  }}\n}}\n", kMany);
  auto imported = import::import_text(std::move(text));
  REQUIRE_MESSAGE(imported.has_value(), imported.error().message());
  Plan plan(imported->graph, *partition::mesh_for(imported->annotations, std::nullopt));
  REQUIRE(partition::apply_annotations(plan, imported->annotations));
  REQUIRE(plan.actions().size() > kMany);
  const graph::Graph &g = *imported->graph;
  for (const int i : {0, 1, 65'534, 65'535, 65'536, kMany - 1}) {
    const ValueId v = g.result(g.arguments()[0] + static_cast<uint32_t>(2 * i) + 2);
    CAPTURE(g.value_name(v));
    REQUIRE(plan.pin_of(v) != graph::kNone);
    const auto *stated = plan.entry(plan.pin_of(v), 0);
    REQUIRE(stated != nullptr);
    CHECK(plan.actions()[stated->action].pos.line == static_cast<uint32_t>(5 + 2 * i));
  }
}

} // namespace tw::partition_test_annotations
