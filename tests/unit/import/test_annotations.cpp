// SPDX-License-Identifier: Apache-2.0
// Shardings in both notations, names of arguments and values, donation, locations, and what becomes a note.
#include "print.hpp"

namespace tw::import_test_annotations {

using annotation::Annotation;
using annotation::AxisRef;
using annotation::ShardingAnnotation;

namespace {

import::Imported import_ok(const std::string &text){auto imported = import::import_text(text);
REQUIRE_MESSAGE(imported.has_value(), imported.error().message());
CHECK(ops::verify(*imported->graph).has_value());
return std::move(*imported);
} // namespace

// "[{a,b}, {c:(2)4,?}p1] replicated {d}" in the words of the command line.
std::string show(const ShardingAnnotation &s) {
  const auto axes = [](const std::vector<AxisRef> &list) {
    std::string text;
    for (const AxisRef &a : list)
      text += fmt::format("{}{}", text.empty() ? "" : ",",
                          a.size == 0 ? a.name : fmt::format("{}:({}){}", a.name, a.pre, a.size));
    return text;
  };
  std::string text = fmt::format("@{} [", s.mesh);
  for (size_t d = 0; d < s.dims.size(); ++d)
    text += fmt::format("{}{{{}{}}}{}", d == 0 ? "" : " ", axes(s.dims[d].axes), s.dims[d].open ? "?" : "",
                        s.dims[d].priority < 0 ? "" : fmt::format("p{}", s.dims[d].priority));
  text += "]";
  if (!s.replicated.empty())
    text += " replicated " + axes(s.replicated);
  if (!s.unreduced.empty())
    text += " unreduced " + axes(s.unreduced);
  return text;
}

std::string sdy(std::string_view sharding) {
  const std::string text = fmt::format(
      "sdy.mesh @m = <[\"a\"=2, \"b\"=4, \"c\"=8]>\nfunc.func @main(%x: tensor<64x64xf32> {{sdy.sharding = "
      "#sdy.sharding<{}>}}) {{ return }}",
      sharding);
  const auto imported = import::import_text(text);
  if (!imported)
    return imported.error().message();
  return imported->annotations.all.empty() ? "none" : show(imported->annotations.all[0].sharding);
}

// The annotation of a 16x16x16 argument, and the axes of the mesh that was made for it.
std::string gspmd(std::string_view sharding, std::string_view other = "") {
  const std::string text = fmt::format(
      "module attributes {{mhlo.num_partitions = 8 : i32}} {{ func.func @main(%x: tensor<16x16x16xf32> "
      "{{mhlo.sharding = \"{}\"}}, %y: tensor<16x16x16xf32> {{mhlo.sharding = \"{}\"}}) {{ return }} }}",
      sharding, other);
  const auto imported = import::import_text(text);
  if (!imported)
    return imported.error().message();
  if (imported->annotations.all.empty())
    return "none";
  const ShardingAnnotation &s = imported->annotations.all[0].sharding;
  if (s.kind == ShardingAnnotation::Kind::tiles)
    return "tiles";
  if (s.kind == ShardingAnnotation::Kind::manual)
    return "manual";
  if (s.kind == ShardingAnnotation::Kind::maximal)
    return fmt::format("device {}", s.device);
  std::string mesh;
  for (const auto &[name, size] : imported->annotations.meshes.at(0).axes)
    mesh += fmt::format("{}={} ", name, size);
  if (const auto &ids = imported->annotations.meshes[0].device_ids; !ids.empty())
    mesh += fmt::format("on {} ", fmt::join(ids, ","));
  return mesh + show(s);
}

} // namespace tw::import_test_annotations

TEST_CASE("Shardy's shardings") {
  CHECK(sdy("@m, [{\"a\", \"b\"}, {\"c\"}]") == "@m [{a,b} {c}]");
  CHECK(sdy("@m, [{\"c\":(2)4, ?}p1, {?}], replicated={\"a\"}, unreduced={\"b\"}") ==
        "@m [{c:(2)4?}p1 {?}] replicated a unreduced b");
  CHECK(sdy("mesh<[\"x\"=2]>, [{}, {\"x\"}]") == "@mesh1 [{} {x}]");
  CHECK(sdy("@m, [{}, {}]") == "none");
  CHECK(sdy("@m, [{\"a\"}]") == "a sharding of 1 dimensions for tensor<64x64xf32>");
  CHECK(sdy("@m, [{\"z\"}, {}]") == "the mesh @m has no axis \"z\"");
  CHECK(sdy("@n, [{}, {}]") == "the mesh @n is not defined");
  CHECK(sdy("@m, [{\"c\":(3)2}, {}]") == "\"c\":(3)2 is no part of an axis of size 8");
  CHECK(sdy("@m, [{\"c\":(0)2}, {}]") == "a sub-axis \"x\":(pre)size needs pre >= 1 and size >= 2");
  CHECK(sdy("@m, [{\"a\"]").starts_with("expected"));
}

TEST_CASE("shardings over several meshes are said by the axes of the first") {
  const auto over = [](std::string_view mesh, std::string_view sharding) {
    const import::Imported imported =
        import_ok(fmt::format("sdy.mesh @m = <[\"x\"=2, \"y\"=4]>\nsdy.mesh @n = <{}>\nfunc.func @main(%x: "
                              "tensor<8x8xf32> {{sdy.sharding "
                              "= #sdy.sharding<@m, [{{\"x\"}}, {{}}]>}}, %y: tensor<8x8xf32> {{sdy.sharding "
                              "= #sdy.sharding<@n, {}>}}) {{ "
                              "return }}",
                              mesh, sharding));
    if (imported.annotations.all.size() == 2)
      return show(imported.annotations.all[1].sharding);
    REQUIRE(imported.annotations.left_out.size() == 1);
    CHECK(imported.annotations.left_out[0].pos.line == 3);
    return imported.annotations.left_out[0].text;
  };
  CHECK(over("[\"a\"=8]", "[{\"a\"}, {?}]") == "@m [{x,y} {?}]");
  CHECK(over("[\"a\"=4, \"b\"=2]", "[{\"b\"}, {\"a\"}]") == "@m [{y:(2)2} {x,y:(1)2}]");
  CHECK(over("[\"a\"=4, \"b\"=2]", "[{\"a\":(2)2, ?}p1, {}], replicated={\"b\"}") ==
        "@m [{y:(1)2?}p1 {}] replicated y:(2)2");
  CHECK(over("[\"a\"=2, \"b\"=4], device_ids=[0, 2, 4, 6, 1, 3, 5, 7]", "[{\"a\"}, {\"b\"}]") ==
        "@m [{y:(2)2} {x,y:(1)2}]");
  CHECK(over("[]", "[{}, {?}]") == "@m [{} {?}]");
  CHECK(over("[\"a\"=3]", "[{\"a\"}, {}]") ==
        "sharding <@n, [{\"a\"}, {}]> is left out: the axes of mesh @n are no parts of those of @m");
  CHECK(over("[\"a\"=8], device_ids=[1, 0, 2, 3, 4, 5, 6, 7]", "[{\"a\"}, {}]") ==
        "sharding <@n, [{\"a\"}, {}]> is left out: the axes of mesh @n are no parts of those of @m");
}

TEST_CASE("a mesh may carry attributes, and one device may be a mesh") {
  const std::string body = R"(
  sdy.mesh @maximal_mesh_0 = <[], device_ids=[0]> {stablehlo.mesh = {axes = [], device_ids = dense<0> : tensor<1xi64>}} loc("a")
  func.func public @main(%x: tensor<8x16xf32>) -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
    %0 = stablehlo.custom_call @callback(%x) {sdy.sharding = #sdy.sharding_per_value<[<@maximal_mesh_0, []>]>} : (tensor<8x16xf32>) -> tensor<8x16xf32>
    return %0 : tensor<8x16xf32>
  }
})";
  for (const std::string_view mesh :
       {"sdy.mesh @mesh = <[\"a\"=8]> {stablehlo.mesh = {axes = [{name = \"a\", size = 8 : i64}]}}",
        "\"sdy.mesh\"() <{mesh = #sdy.mesh<[\"a\"=8]>, sym_name = \"mesh\"}> "
        "{stablehlo.mesh = {axes = [{name = \"a\", size = 8 : i64}]}} : () -> ()"}) {
    const import::Imported imported = import_ok("module {\n  " + std::string(mesh) + body);
    const auto &all = imported.annotations.all;
    REQUIRE(all.size() == 2);
    CHECK(all[0].sharding.kind == ShardingAnnotation::Kind::maximal);
    CHECK(all[0].sharding.device == 0);
    CHECK(show(all[1].sharding) == "@mesh [{a} {}]");
    REQUIRE(imported.annotations.declared_mesh() != nullptr);
    CHECK(imported.annotations.declared_mesh()->name == "mesh");
  }
}

TEST_CASE("GSPMD's strings, expressed by the axes of a mesh") {
  CHECK(gspmd("{devices=[2,1,4]<=[8]}") == "axis0=2 axis1=4 @gspmd [{axis0} {} {axis1}]");
  CHECK(gspmd("{devices=[1,4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}") ==
        "axis0=2 axis1=4 @gspmd [{} {axis1} {}]");
  CHECK(gspmd("{devices=[8,1,1]<=[8]}", "{devices=[2,1,1,4]<=[8] last_tile_dims={replicated}}") ==
        "axis0=2 axis1=4 @gspmd [{axis0,axis1} {} {}]");
  // Written out: counting, and columns first.
  CHECK(gspmd("{devices=[2,1,4]0,1,2,3,4,5,6,7}") == "axis0=2 axis1=4 @gspmd [{axis0} {} {axis1}]");
  CHECK(gspmd("{devices=[2,1,4]0,2,4,6,1,3,5,7}") == "axis0=4 axis1=2 @gspmd [{axis1} {} {axis0}]");
  // Another order is the mesh's own, where there is no other mesh and nothing else was said before.
  CHECK(gspmd("{devices=[2,1,4]0,2,4,6,1,3,7,5}") ==
        "axis0=2 axis1=4 on 0,2,4,6,1,3,7,5 @gspmd [{axis0} {} {axis1}]");
  CHECK(gspmd("{devices=[2,1,4]7,6,5,4,3,2,1,0}", "{devices=[4,1,2]7,6,5,4,3,2,1,0}") ==
        "axis0=2 axis1=2 axis2=2 on 7,6,5,4,3,2,1,0 @gspmd [{axis0} {} {axis1,axis2}]");
  CHECK(gspmd("{devices=[2,1,4]7,6,5,4,3,2,1,1}") == "tiles");
  // Cuts at 2 and at 3 of 6 devices have no common axes: the first says where they are.
  CHECK(gspmd("{devices=[2,1,3]<=[6]}", "{devices=[3,1,2]<=[6]}") ==
        "axis0=2 axis1=3 @gspmd [{axis0} {} {axis1}]");
  CHECK(gspmd("{devices=[2,1,1,4]<=[8] last_tile_dims={unreduced} metadata={op_name=\"f\"}}") ==
        "axis0=2 axis1=4 @gspmd [{axis0} {} {}] unreduced axis1");
  CHECK(gspmd("{devices=[1,1,2,2,2]<=[2,2,2]T(2,0,1) last_tile_dims={replicated, unreduced}}") ==
        "axis0=2 axis1=2 axis2=2 @gspmd [{} {} {axis2}] unreduced axis1");
  CHECK(gspmd("{devices=[2,1,1,2,2]<=[8] last_tile_dims={manual, replicated}}") == "manual");
  CHECK(gspmd("{unknown shard_as 3}") == "none");
  CHECK(gspmd("{devices=[2,1,4]<=[8] shard_like 3 metadata={op_name=\"f\"}}") ==
        "axis0=2 axis1=4 @gspmd [{axis0} {} {axis1}]");
  CHECK(gspmd("{manual}") == "manual");
  CHECK(gspmd("{maximal device=3}") == "device 3");
  CHECK(gspmd("{replicated}") == "none");
  CHECK(gspmd("{devices=[2,4]<=[8]}") == "a sharding of 2 dimensions for tensor<16x16x16xf32>");
  CHECK(gspmd("{devices=[2,1,4]<=[9]}") ==
        "sharding \"{devices=[2,1,4]<=[9]}\": the device order does not have 8 devices");
  CHECK(gspmd("{devices=[2,1,4]0,1}") ==
        "sharding \"{devices=[2,1,4]0,1}\": 2 devices are listed for 8 tiles");
  CHECK(gspmd("{devices=[2,1,4]<=[8]T(1)}") ==
        "sharding \"{devices=[2,1,4]<=[8]T(1)}\": T(..) must be a permutation of 1 dimensions");
  CHECK(gspmd("{devices=[0,1,4]<=[8]}").find("must be positive") != std::string::npos);
  CHECK(gspmd("{devices=[4611686018427387904,4,4]<=[8]}").find("at most 2^32") != std::string::npos);
  CHECK(gspmd("{sideways}").find("expected replicated") != std::string::npos);
}

TEST_CASE("constraints are values of their own, and results of ops may be annotated") {
  const import::Imported imported = import_ok(R"(
sdy.mesh @m = <["a"=2]>
func.func @main(%x: tensor<4x4xf32>) -> (tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"a"}]>}) {
  %0 = sdy.sharding_constraint %x <@m, [{"a"}, {}]> : tensor<4x4xf32>
  %1 = "sdy.sharding_constraint"(%0) <{sharding = #sdy.sharding<@m, [{}, {"a"}]>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %2:2 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a"}, {}]>, <@m, [{?}, {?}]>]>} %1, %x : tensor<4x4xf32>, tensor<4x4xf32>
  %3 = stablehlo.custom_call @Sharding(%2#0) {mhlo.sharding = "{devices=[2,1]<=[2]}"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %3 : tensor<4x4xf32>
})");
  CHECK(test::print(*imported.graph) == R"(%x = func.argument : f32[4,4]
%0 = stablehlo.optimization_barrier %x : f32[4,4]
%1 = stablehlo.optimization_barrier %0 : f32[4,4]
%2#0 %2#1 = stablehlo.optimization_barrier %1 %x : f32[4,4], f32[4,4]
%3 = stablehlo.optimization_barrier %2#0 : f32[4,4]
func.result %3
)");
  const auto &all = imported.annotations.all;
  REQUIRE(all.size() == 6);
  std::vector<std::string> values;
  for (size_t i = 0; i < 5; ++i) {
    CHECK(all[i].at == Annotation::At::value);
    values.push_back(imported.graph->value_name(all[i].index));
  }
  CHECK(values == std::vector<std::string>{"%0", "%1", "%2#0", "%2#1", "%3"});
  CHECK(all[0].pos.line == 4);
  CHECK(show(all[4].sharding) == "@m [{a} {}]"); // the device order of the mesh that is there
  CHECK(all[5].at == Annotation::At::result);
  CHECK(all[5].index == 0);
}

TEST_CASE("annotations that constrain nothing become a note") {
  const auto note = [](std::string_view module_attrs, std::string_view sharding) {
    const import::Imported imported =
        import_ok(fmt::format("module attributes {{{}}} {{ func.func @main(%x: tensor<8xf32> {{mhlo.sharding "
                              "= \"{}\"}}) {{ return }} }}",
                              module_attrs, sharding));
    const auto &left = imported.annotations.left_out;
    CHECK(imported.annotations.all.empty() == (!imported.notes.empty() || !left.empty()));
    return !left.empty() ? left[0].text : imported.notes.empty() ? "" : imported.notes[0].text;
  };
  CHECK(note("mhlo.num_partitions = 1 : i32", "{devices=[8]<=[8]}") ==
        "1 sharding annotations are left out: the module is for one partition (mhlo.num_partitions = 1)");
  CHECK(note("mhlo.num_partitions = 1 : i32", "{devices=[1]<=[1]}") ==
        "1 sharding annotations, which constrain nothing: the module is for one partition "
        "(mhlo.num_partitions = 1)");
  CHECK(note("", "{replicated}") ==
        "1 sharding annotations, which constrain nothing: each leaves its array whole");
  CHECK(note("mhlo.num_partitions = 8 : i32", "{devices=[8]<=[8]}") == "");
}

TEST_CASE("what calls say of the sharding of their results holds, and what cannot hold is named") {
  const import::Imported imported = import_ok(R"(
sdy.mesh @m = <["a"=2]>
func.func @main(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = func.call @f(%x) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a"}, {}]>]>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = stablehlo.einsum %0, %y, config = "ab,bc->ac" {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"a"}]>]>} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = stablehlo.negate %1 {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@m, [{}, {}]>]>"}} : tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}
func.func private @f(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  return %x : tensor<4x4xf32>
})");
  REQUIRE(imported.annotations.all.size() == 2);
  CHECK(show(imported.annotations.all[0].sharding) == "@m [{a} {}]");
  CHECK(show(imported.annotations.all[1].sharding) == "@m [{} {}]"); // which an exporter carries as text
  std::string left;
  for (const annotation::LeftOut &l : imported.annotations.left_out)
    left += fmt::format("{}: {}\n", l.pos.line, l.text);
  CHECK(left == "5: sharding #sdy.sharding_per_value<[<@m, [{}, {\"a\"}]>]> of stablehlo.einsum, which "
                "stands for other ops\n");
}

TEST_CASE("names of arguments, results and values") {
  const import::Imported imported = import_ok(R"(
func.func @main(%arg0: tensor<f32> {jax.arg_info = "state['w']"} loc("not.this"), %arg1: tensor<f32> loc("params['b']"), %arg2: tensor<f32> loc("f.py":3:4), %x: tensor<f32> {tf.aliasing_output = 1 : i32}, %y: tensor<f32> {jax.buffer_donor = true}) -> (tensor<f32> {jax.result_info = "['loss']"}, tensor<f32> {jax.result_info = ""}) {
  %0:2 = call @"a-b"(%arg0, %x) : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  %c_1 = stablehlo.negate %0#1 : tensor<f32>
  return %c_1, %0#0 : tensor<f32>, tensor<f32>
}
module @inner {
  func.func private @g(%a: tensor<f32>) -> tensor<f32> {
    %84 = stablehlo.abs %a : tensor<f32>
    return %84 : tensor<f32>
  }
}
func.func private @"a-b"(%p: tensor<f32>, %q: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = stablehlo.add %p, %q : tensor<f32>
  %7 = func.call @inner::@g(%0) : (tensor<f32>) -> tensor<f32>
  func.return %7, %p : tensor<f32>, tensor<f32>
})");
  const graph::Graph &g = *imported.graph;
  std::vector<std::string> names;
  for (size_t i = 0; i < 5; ++i)
    names.push_back(g.argument_name(i));
  CHECK(names == std::vector<std::string>{"state['w']", "params['b']", "arg2", "x", "y"});
  CHECK(g.result_name(0) == "['loss']");
  CHECK(g.result_name(1) == "out1");
  CHECK(g.alias_of_argument(0) == -1);
  CHECK(g.alias_of_argument(3) == 1);
  CHECK(g.alias_of_argument(4) == -2);
  CHECK(imported.calls == 2);
  CHECK(imported.functions == 3);
  CHECK(test::print(g).find("%0.%0 = stablehlo.add %arg0 %x : f32[]\n"
                            "%0.%7.%84 = stablehlo.abs %0.%0 : f32[]\n"
                            "%c_1 = stablehlo.negate %arg0 : f32[]\n") != std::string::npos);
}

TEST_CASE("locations: file and line first, else the scope, else the place in the text") {
  const import::Imported imported = import_ok(R"(#loc1 = loc("model.py":12:8)
func.func @main(%x: tensor<f32>) {
  %0 = stablehlo.abs %x : tensor<f32> loc("jit(f)/layer0/abs"(#loc1))
  %1 = stablehlo.abs %x : tensor<f32> loc("jit(f)/layer0/abs")
  %2 = stablehlo.abs %x : tensor<f32> loc(callsite("f"(#loc2) at "g"("main.py":1:1)))
  %3 = stablehlo.abs %x : tensor<f32> loc(fused<"x">["scope", "a.py":1:2 to 3:4])
  %4 = stablehlo.abs %x : tensor<f32> loc(unknown)
  %5 = stablehlo.abs %x : tensor<f32>
  return
}
#loc2 = loc("late.py":7:1)
)");
  std::vector<std::string> texts;
  for (graph::OpId id = 1; id < 7; ++id)
    texts.push_back(imported.graph->location_text(id));
  CHECK(texts == std::vector<std::string>{"model.py:12", "jit(f)/layer0/abs", "late.py:7", "a.py:1",
                                          "<text>:7:3", "<text>:8:3"});
}

TEST_CASE("what is dropped or left out is noted once, with a count") {
  const import::Imported imported = import_ok(R"(
llvm.func @printf(!llvm.ptr, ...) -> i32
module @m attributes {foo.bar = 1 : i64} {
  func.func @main(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
    %0 = stablehlo.transpose %x, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[3,2]{0,1}"} : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %1 = stablehlo.transpose %x, dims = [1, 0] {xla_shape = "f32[3,2]{0,1}"} : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %2 = stablehlo.constant dense_resource<__elided__> : tensor<4x4xf32>
    %3 = stablehlo.custom_call @my_kernel(%2) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %4 = stablehlo.custom_call @tt.mark_argument(%1) {api_version = 0 : i32} : (tensor<3x2xf32>) -> tensor<3x2xf32>
    return %4 : tensor<3x2xf32>
  }
}
------ END OF MLIR MODULE ------
)");
  std::string notes;
  for (const import::Note &note : imported.notes)
    notes += fmt::format("{} {} {} line {}\n", static_cast<int>(note.kind), note.count, note.text,
                         note.first.line);
  CHECK(notes == R"(0 1 llvm.func outside functions line 2
0 1 text after the module line 13
0 1 attribute result_layout of stablehlo.transpose line 5
0 2 attribute xla_shape of stablehlo.transpose line 5
1 1 the exporter left out the numbers of an array; zeros stand in line 7
0 1 custom_call @tt.mark_argument: its operand stands for it line 9
)");
  CHECK(imported.graph->module_name() == "m");
  REQUIRE(imported.census.size() == 5);
  CHECK(imported.census[4] == std::pair<std::string, uint32_t>{"stablehlo.transpose", 2});
}

TEST_CASE("a file of several parts") {
  const std::string text = "func.func @a() { return }\n// -----\nfunc.func @b() { return }\n// -----\n";
  const auto parts = import::split_text(text);
  REQUIRE(parts.size() == 3);
  CHECK(parts[0].text == "func.func @a() { return }\n");
  CHECK(parts[1].text == "func.func @b() { return }\n");
  CHECK(parts[1].first_line == 3);
  import::ImportOptions options;
  options.first_line = parts[1].first_line;
  const auto wrong = import::import_text("\nfunc.func @b() { oops }", options);
  REQUIRE(!wrong.has_value());
  CHECK(wrong.error().info().pos.line == 4);
}

TEST_CASE("a named computation is read in place, its shardings hold where it begins and ends") {
  const auto imported =
      import_ok("sdy.mesh @m = <[\"a\"=2]>\nfunc.func @main(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {\n"
                " %0 = sdy.named_computation<\"layer\">(%x) in_shardings=[<@m, [{\"a\"}, {}]>] "
                "out_shardings=[<@m, [{}, {\"a\"}]>] "
                "(%y: tensor<4x6xf32>) {\n  %1 = stablehlo.negate %y : tensor<4x6xf32>\n  sdy.return %1 : "
                "tensor<4x6xf32>\n } : "
                "(tensor<4x6xf32>) -> tensor<4x6xf32>\n"
                " %2 = sdy.named_computation<\"plain\">(%0) (%y: tensor<4x6xf32>) {\n  sdy.return %y : "
                "tensor<4x6xf32>\n } : "
                "(tensor<4x6xf32>) -> tensor<4x6xf32>\n return %2 : tensor<4x6xf32>\n}\n");
  REQUIRE(imported.annotations.all.size() == 2);
  CHECK(show(imported.annotations.all[0].sharding) == "@m [{a} {}]");
  CHECK(show(imported.annotations.all[1].sharding) == "@m [{} {a}]");
  const auto wrong =
      import::import_text("func.func @main(%x: tensor<4xf32>) {\n %0 = sdy.named_computation<\"f\">(%x) (%y: "
                          "tensor<5xf32>) {\n  sdy.return %y : tensor<5xf32>\n } : (tensor<4xf32>) -> "
                          "tensor<5xf32>\n return\n}\n");
  REQUIRE(!wrong.has_value());
  CHECK(wrong.error().message() == "the argument %y is tensor<5xf32>, but operand 0 is tensor<4xf32>");
}

} // namespace tw::import_test_annotations
