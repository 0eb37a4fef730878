// SPDX-License-Identifier: Apache-2.0
// The spec language: both spellings, globs and ranges, and each error with its place.
// Longer than others: one list of all that is read and of all that is refused.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include "base/pattern.hpp"
#include "partition/plan.hpp"
#include "partition/spec.hpp"
#include "partition/target.hpp"
#include "program.hpp"

namespace tw::test_spec {

using namespace tw::test;
using partition::apply_spec;
using partition::Plan;

namespace {

struct Failure {
  Code code;
  std::string id, message;
  uint32_t line, column;
};

// What a spec says is wrong with it, on the program of mlp() and the mesh data=2,model=4; the plan must be as
// it was before the line.
Failure failure(std::string_view spec, std::string_view on = "data=2,model=4", size_t good_actions = 0) {
  const Mlp m = mlp();
  Plan plan(m.graph, mesh(on));
  const auto status = apply_spec(plan, spec, "spec.txt");
  REQUIRE_MESSAGE(!status.has_value(), spec);
  CHECK(plan.actions().size() == 1 + good_actions);
  if (good_actions == 0) {
    const Plan fresh(m.graph, mesh(on));
    CHECK(plan.same_state(fresh));
  }
  const ErrorInfo &info = status.error().info();
  CHECK(info.pos.file == "spec.txt");
  REQUIRE(!info.notes.empty());
  CHECK(info.notes[0].find('^') != std::string::npos);
  return {info.code, info.id, info.message, info.pos.line, info.pos.column};
}

void check(const Failure &f, const char *id, std::string_view message, uint32_t line, uint32_t column) {
  CHECK(f.id == id);
  CHECK(f.message == message);
  CHECK(f.line == line);
  CHECK(f.column == column);
}

} // namespace

TEST_CASE("full stops separate actions on a line") {
  const Mlp m = mlp();
  Plan one(m.graph, mesh("data=2,model=4")), two = one;
  REQUIRE(apply_spec(one, "arg-tile 0 0 8. propagate.", "a").has_value());
  REQUIRE(apply_spec(two, "arg-tile 0 0 8\npropagate", "b").has_value());
  CHECK(one.same_state(two));
}

TEST_CASE("actions that take nothing need no ';' beside them") {
  const Mlp m = mlp();
  for (const std::string spec : {"arg-tile 0 0 8 propagate tile(w, 1, model) infer-propagate propagate",
                                 "arg-tile 0 0 8\t propagate. tile(w, 1, model) infer-propagate propagate.",
                                 "arg-tile 0 0 8; propagate tile (w, 1, model) infer-propagate; propagate"}) {
    CAPTURE(spec);
    Plan one(m.graph, mesh("data=2,model=4")), two = one;
    const Status status = apply_spec(one, spec, "a");
    REQUIRE_MESSAGE(status.has_value(), status.error().message());
    REQUIRE(apply_spec(two, "arg-tile 0 0 8\npropagate\ntile(w, 1, model)\ninfer-propagate\npropagate", "b")
                .has_value());
    CHECK(one.same_state(two));
  }
  // A name is quoted where it is that of an action.
  check(failure("arg-tile 'propagate' 0 8"), "TW-402", "no argument is called 'propagate'; there are x, w, u",
        1, 10);
  check(failure("arg-tile propagate 0 8"), "TW-401", "arg-tile needs 'dim'", 1, 1);
  check(failure("propagate infer-propagate(x)"), "TW-401", "infer-propagate takes nothing, found 'x'", 1, 27);
}

TEST_CASE("every spelling of a tile") {
  const Mlp m = mlp();
  for (const char *spec : {"tile(arg=w, dim=1, axis=\"model\")",
                           "tile(arg=%w,dim=1,axis=model)",
                           "tile(arg=\"w\",dim=1,axis=\"model\")",
                           "tile(arg=1, dim=1, axis=model)",
                           "tile(arg=arg1, dim=1, axis=model)",
                           "tile(w, 1, model)",
                           "  tile ( arg = w , dim = 1 , axis = model ) # why",
                           "tile(arg=\"w*\", dim=1, axis=model)",
                           "tile(value=w, dim=1, axis=model)",
                           "dumb-tile(value=w, dim=1, axis=model)",
                           "split(arg=w, dim=1, axis=model, rule=balanced)",
                           "split(w, 1, model, balanced)",
                           "tile(arg='w', dim=1, axis='model')",
                           "tile(value=w, 1, model)",
                           "shard(w, [{},{model}])",
                           "shard(arg=w, [{}, {'model'}])",
                           "shard([{},{model}], arg=w)",
                           "shard(value=w, [{},{model}])",
                           "shard(w, P(None, 'model'))",
                           "shard(w, sharding=P(None, \"model\"))",
                           "shard(arg=w, PartitionSpec(None, ('model',),))",
                           "shard(w, jax.P((), model))",
                           "mesh data=2,model=4; tile(w, 1, model) propagate",
                           "tile(w, 1, model)expect no all_gather",
                           "# nothing\n\n ; ;tile(arg=1..1,dim=1,axis=model);\r\n"}) {
    CAPTURE(spec);
    Plan plan(m.graph, mesh("data=2,model=4"));
    act(plan, spec);
    CHECK(made(plan, m.w) == "[{}, {model}]");
  }
  Plan plan(m.graph, mesh("data=2,model=4"));
  act(plan, "tile(arg=1..2, dim=0, axis=data); tile(arg=\"?\", dim=1, axis=model)");
  CHECK(made(plan, m.x) == "[{}, {model}]");
  CHECK(made(plan, m.w) == "[{data}, {model}]");
  CHECK(made(plan, m.u) == "[{data}, {model}]");
}

TEST_CASE("shard fixes every dimension and keeps the rest whole") {
  const Mlp m = mlp();
  Plan plan(m.graph, mesh("data=2,model=4,pipe=2"));
  act(plan, "shard(arg=w, [{}, {data,model}])");
  CHECK(made(plan, m.w) == "[{}, {data,model}]");
  REQUIRE(plan.entry(m.graph->arguments()[1], 2) != nullptr);
  CHECK(plan.entry(m.graph->arguments()[1], 2)->factor == partition::kAny);
}

TEST_CASE("split rules: ceil and cuts") {
  ProgramBuilder p;
  const ValueId x = p.arg("x", {16}), y = p.tanh(x);
  p.result(y);
  auto graph = p.finish();
  const auto tiles = [&](const char *spec, const char *on) {
    Plan plan(graph, mesh(on));
    act(plan, spec);
    plan.propagate(partition::Mode::propagate);
    const auto layout = plan.result_sharding(graph->value(y).def, 0);
    std::vector<int64_t> ends;
    const int64_t count = sharding::num_tiles(layout.dims[0], plan.mesh());
    for (int64_t t = 0; t < count; ++t)
      ends.push_back(sharding::tile(layout.dims[0].rule, 16, count, t).end);
    return ends;
  };
  CHECK(tiles("split(arg=x, dim=0, axis=a, rule=ceil)", "a=3") == Ints{6, 12, 16});
  CHECK(tiles("tile(arg=x, dim=0, axis=a)", "a=3") == Ints{5, 10, 16});
  CHECK(tiles("split(arg=x, dim=0, axis=a, rule=cuts=[0,5,9,16])", "a=3") == Ints{5, 9, 16});
  CHECK(tiles("split(arg=x, dim=0, axis=a, cuts=[0, 5, 9, 16])", "a=3") == Ints{5, 9, 16});
  CHECK(tiles("split(arg=x, dim=0, axis=a, cuts=[0,5,9,16]); tile(arg=x, dim=0, axis=b)", "a=3,b=2") ==
        Ints{2, 5, 7, 9, 12, 16});
  CHECK(tiles("arg-tile 0 0 5", "") == Ints{5, 10, 15, 16}); // the earlier PartIR slides' Range(16,5)
  CHECK(tiles("arg-tile 0 0 5", "a=1") == Ints{5, 10, 15, 16});
  CHECK(tiles("dumb-tile(value=x, dim=0, range=8)", "") == Ints{2, 4, 6, 8, 10, 12, 14, 16});
  CHECK(tiles("arg-tile 0 0 8; arg-tile 0 0 4", "") == Ints{4, 8, 12, 16}); // nested
  CHECK(tiles("arg-tile 0 0 8; arg-tile 0 0 4; arg-tile 0 0 3", "") == Ints{3, 4, 7, 8, 11, 12, 15, 16});
  CHECK(tiles("arg-tile 0 0 6; arg-tile 0 0 4", "") == Ints{4, 6, 10, 12, 16, 16});
  CHECK(tiles("tile(arg=x, dim=0, axis=a); arg-tile 0 0 4", "a=2") == Ints{4, 8, 12, 16});
  CHECK(tiles("dumb-tile(value=x, dim=0, range=2); dumb-tile(value=x, dim=0, range=2)", "") ==
        Ints{4, 8, 12, 16}); // the same range twice: two axes
}

TEST_CASE("expectations are read") {
  const Mlp m = mlp();
  Plan plan(m.graph, mesh("data=2,model=4"));
  act(plan, "expect all_reduce over model == 2; expect no all_gather\nexpect peak < 16GiB; expect permute "
            "over data, model<=3; expect peak >= 1.5KB");
  REQUIRE(plan.expectations().size() == 5);
  const auto &e = plan.expectations();
  CHECK((e[0].kind == "all_reduce" && e[0].over == std::vector<std::string>{"model"} &&
         e[0].comparison == "==" && e[0].value == 2));
  CHECK((e[1].kind == "all_gather" && e[1].over.empty() && e[1].comparison == "==" && e[1].value == 0));
  CHECK((e[2].kind == "peak" && e[2].comparison == "<" && e[2].value == int64_t{16} << 30));
  CHECK((e[3].kind == "permute" && e[3].over.size() == 2 && e[3].comparison == "<=" && e[3].value == 3));
  CHECK((e[4].comparison == ">=" && e[4].value == 1500));
  CHECK(e[4].action.pos.line == 2);
  CHECK(e[4].action.text == "expect peak >= 1.5KB");
}

TEST_CASE("expectations of conflicts and of what is received") {
  const Mlp m = mlp();
  Plan plan(m.graph, mesh("data=2,model=4"));
  act(plan, "expect no conflict; expect conflict <= 2; expect received < 1.05 MB; expect received > 3 kB");
  const auto &e = plan.expectations();
  REQUIRE(e.size() == 4);
  CHECK((e[0].kind == "conflict" && e[0].comparison == "==" && e[0].value == 0));
  CHECK((e[1].kind == "conflict" && e[1].comparison == "<=" && e[1].value == 2));
  CHECK((e[2].kind == "received" && e[2].value == 1'050'000));
  CHECK((e[3].comparison == ">" && e[3].value == 3000));
}

TEST_CASE("names in dots stand for those of nested containers") {
  ProgramBuilder p;
  const ValueId wq = p.arg("params['layer0']['wq']", {8, 8}), wk = p.arg("params['layer0']['wk']", {8, 8}),
                mu = p.arg("opt[0].mu", {8, 8}), plain = p.arg("a.b", {8, 8});
  p.result(p.matmul(p.matmul(wq, wk), p.matmul(mu, plain)));
  const auto graph = p.finish();
  const auto tiled = [&](const char *name) {
    std::string which;
    for (const char *key : {"arg", "value"}) {
      Plan plan(graph, mesh("x=2"));
      act(plan, fmt::format("tile({}={}, dim=0, axis=x)", key, name));
      which += key[0];
      for (const ValueId v : {wq, wk, mu, plain})
        which += made(plan, v) == "[{x}, {}]" ? '1' : '0';
    }
    return which;
  };
  CHECK(tiled("params.layer0.wq") == "a1000v1000");
  CHECK(tiled("params[layer0][wk]") == "a0100v0100"); // what a shell leaves of it
  CHECK(tiled("opt.0.mu") == "a0010v0010");
  CHECK(tiled("params.*.w?") == "a1100v1100");
  CHECK(tiled("\"*['layer0']*\"") == "a1100v1100");
  CHECK(tiled("a.b") == "a0001v0001");
  CHECK(tiled("a['b']") == "a0001v0001");
  CHECK(tiled("\"*\"").substr(0, 5) == "a1111");
}

TEST_CASE("a pattern leaves out what has no such dimension, and says so") {
  ProgramBuilder p;
  const ValueId count = p.arg("opt.count", {}), bias = p.arg("opt.b", {12}), w = p.arg("opt.w", {8, 16});
  p.result(count);
  p.result(bias);
  p.result(w);
  const auto graph = p.finish();
  const auto layouts = [&](const char *spec) {
    Plan plan(graph, mesh("x=2"));
    std::string note;
    const auto status = apply_spec(plan, spec, "s", [&](const partition::Statement &s) {
      for (const std::string &text : s.notes)
        note += " | " + text.substr(text.find("leaves"));
    });
    return !status ? status.error().message()
                   : made(plan, count) + " " + made(plan, bias) + " " + made(plan, w) + note;
  };
  const std::string scalar = " | leaves out 1 of 3: argument 'opt.count' f32[] (it is a scalar)";
  CHECK(layouts("tile(arg='opt*', dim=0, axis=x)") == "[] [{x}] [{x}, {}]" + scalar);
  CHECK(layouts("tile(arg=0..2, dim=0, axis=x)") == "[] [{x}] [{x}, {}]" + scalar);
  CHECK(layouts("tile(arg='opt*', dim=largest, axis=x)") == "[] [{x}] [{}, {x}]" + scalar);
  CHECK(layouts("split(arg='opt*', dim=largest, axis=x, rule=ceil)") == "[] [{x}] [{}, {x}]" + scalar);
  CHECK(layouts("dumb-tile(value='opt*', dim=largest, range=2)") ==
        "[] [{\"range<2>\"}] [{}, {\"range<2>\"}]" + scalar);
  CHECK(layouts("shard(arg='opt*', P('x'))") ==
        "[] [{x}] [{x}, {}] | leaves out 1 of 3: argument 'opt.count' "
        "f32[] (it has 0 dimensions, the sharding 1)");
  CHECK(layouts("shard(arg='opt*', P())") == "[] [{}] [{}, {}]");
  CHECK(
      layouts("tile(arg='opt*', dim=1, axis=x)") ==
      "[] [{}] [{}, {x}] | leaves out 2 of 3: argument 'opt.count' f32[] (it is a scalar), argument 'opt.b' "
      "f32[12] (it has no dimension 1)");
  // Nothing that is named has it, or one thing is named.
  CHECK(layouts("tile(arg='opt*', dim=2, axis=x)") ==
        "argument 'opt.count' f32[] has no dimension 2: it is a scalar");
  CHECK(layouts("tile(arg=opt.count, dim=largest, axis=x)") ==
        "argument 'opt.count' f32[] has no dimension 0: it is a scalar");
  CHECK(layouts("tile(arg=opt.b, dim=1, axis=x)") ==
        "argument 'opt.b' f32[12] has no dimension 1: they are 0 to 0");
  CHECK(layouts("tile(arg=opt.b, dim=large, axis=x)") == "'dim' must be a number or `largest`, not 'large'");
  CHECK(layouts("shard(arg=opt.b, P(None, 'x'))") ==
        "argument 'opt.b' f32[12] has 1 dimensions, the sharding 2");
}

TEST_CASE("what no PartitionSpec of ours says") {
  CHECK(failure("shard(w, P('dta'))").id == "TW-315");
  CHECK(failure("shard(w, P('data', P.UNCONSTRAINED))").id == "TW-316");
  CHECK(failure("shard(w, P('data', unreduced={'model'}))").id == "TW-316");
  CHECK(failure("shard(w, P('data' 'model'))").id == "TW-316");
  CHECK(failure("shard(w, P(None, ('data' 'model')))").id == "TW-316");
  CHECK(failure("shard(w, P('data'))x").id == "TW-401");
  CHECK(failure("shard(w, P('data', 'data'))").column == 1);
}

TEST_CASE("the mesh statement") {
  const Mlp m = mlp();
  Plan plan(m.graph, {});
  act(plan, "mesh data=2, model=4\ntile(arg=x,dim=0,axis=data)");
  CHECK(plan.mesh().num_devices() == 8);
  act(plan, "arg-tile 1 0 128; mesh data=2,model=4"); // anonymous axes do not count
  check(failure("mesh data=4", "data=2"), "TW-410",
        "mesh data=4 does not agree with mesh data=2, given before", 1, 1);
  check(failure("arg-tile 0 0 8\n mesh data=4", "", 1), "TW-410",
        "the mesh must be named before the first arg-tile or dumb-tile", 2, 2);
  CHECK(failure("mesh data", "").id == "TW-301");
  check(failure("mesh"), "TW-401", "expected `mesh data=2, model=4`", 1, 1);
}

TEST_CASE("what does not read as an action") {
  check(failure("tyle(arg=w, dim=1, axis=model)"), "TW-401",
        "there is no action 'tyle'; nearest: 'tile', 'rule', 'arg-tile'", 1, 1);
  check(failure("\n  = 3"), "TW-401", "expected the name of an action", 2, 3);
  check(failure("tile(arg=w, dim=1"), "TW-401", "this '(' is never closed", 1, 5);
  check(failure("tile(arg=w], dim=1)"), "TW-401", "']' closes nothing", 1, 11);
  check(failure("tile(arg=\"w, dim=1)"), "TW-401", "this quote is never closed", 1, 10);
  check(failure("tile(arg=w, dim=1, axis=model) now"), "TW-401", "there is no action 'now'", 1, 32);
  check(failure("tile(arg=w, dim=1, axis=model) = 3"), "TW-401", "expected ')' at the end of tile(...)", 1,
        35);
  check(failure("tile(arg=w, dim=1, axis=model), propagate"), "TW-401",
        "separate actions with ';' or a new line, not ','", 1, 31);
  check(failure("tile(w, 1, model), tile(w, 0, data)"), "TW-401",
        "separate actions with ';' or a new line, not ','", 1, 18);
  check(failure("tile(arg=w dim=1, axis=model)"), "TW-401", "expected ',' before 'dim='", 1, 12);
  check(failure("tile(arg=w, dim=1 axis=model)"), "TW-401", "expected ',' before 'axis='", 1, 19);
  check(failure("tile(w 1 model)"), "TW-401", "expected ',' before '1'", 1, 8);
  check(failure("tile(w, 1 model)"), "TW-401", "expected ',' before 'model'", 1, 11);
  check(failure("tile(arg=w, , axis=model)"), "TW-401", "expected a value", 1, 13);
  check(failure("tile(arg=, dim=1)"), "TW-401", "expected a value after '='", 1, 10);
  check(failure("tile(arg=w, dim=1)"), "TW-401", "tile needs 'axis'", 1, 1);
  check(failure("tile(dim=1, axis=model)"), "TW-401", "tile needs one of arg, value, result", 1, 1);
  check(failure("tile(arg=w, value=x, dim=1, axis=model)"), "TW-401", "'arg' and 'value' exclude each other",
        1, 19);
  check(failure("tile(arg=w, dim=one, axis=model)"), "TW-401",
        "'dim' must be a number or `largest`, not 'one'", 1, 17);
  check(failure("tile(arg=w, dime=1, axis=model)"), "TW-401",
        "tile has no 'dime'; it takes arg, value, result, dim, axis; nearest: 'dim'", 1, 18);
  check(failure("tile(arg=w, arg=x, dim=1, axis=model)"), "TW-401", "'arg' is given twice", 1, 17);
  check(failure("arg-tile 1 1 128 5"), "TW-401",
        "arg-tile takes no more than arg, dim, width, found '5'; another action stands behind ';' or on its "
        "own "
        "line",
        1, 18);
  check(failure("propagate now"), "TW-401",
        "propagate takes nothing, found 'now'; another action stands behind ';' or on its own line", 1, 11);
  check(failure("split(arg=w, dim=1, axis=model, rule=even)"), "TW-401",
        "a split rule is balanced, ceil or cuts=[0,5,9,16], not 'even'", 1, 38);
  check(failure("expect all_reduces == 2"), "TW-401",
        "expected one of all_gather, all_reduce, all_to_all, conflict, exchange, peak, permute, received, "
        "reduce_scatter, time, found "
        "'all_reduces'; nearest: "
        "'all_reduce'",
        1, 8);
  check(failure("expect all_reduce = 2"), "TW-401", "expected ==, !=, <=, >=, <, >", 1, 19);
  check(failure("expect all_reduce == many"), "TW-401", "expected a count", 1, 22);
  check(failure("expect time < 40ms"), "TW-401",
        "expected 'on' and a system, as in: expect time < 40ms on a100-80g", 1, 19);
  check(failure("expect time < 40 on a100-80g"), "TW-401", "expected a time such as 40ms", 1, 15);
  check(failure("expect time < 40GB on a100-80g"), "TW-401", "expected a time such as 40ms", 1, 15);
  check(failure("expect received < 4GB on a100-80g"), "TW-401", "expected nothing more, found 'on'", 1, 23);
  check(failure("expect time < 40ms on a100-81g"), "TW-444",
        "there is no system 'a100-81g', and no file of that name; nearest: 'a100-80g', 'a100-40g', "
        "'h100-sxm'; systems: a100-40g, a100-80g, cpu-local, h100-sxm, h200-sxm, tpuv3-core",
        1, 23);
  check(failure("expect peak < 16 Gb"), "TW-401", "expected nothing more, found 'Gb'", 1, 18);
  check(failure("expect all_gather == 1 2"), "TW-401", "expected nothing more, found '2'", 1, 24);
  check(failure("expect no received"), "TW-401", "expected ==, !=, <=, >=, <, >", 1, 19);
  check(failure("expect conflict over data == 2"), "TW-401", "expected ==, !=, <=, >=, <, >", 1, 17);
  check(failure("shard(arg=w)"), "TW-401", "shard needs 'sharding'", 1, 1);
  check(failure("tile(arg='w, dim=1)"), "TW-401", "this quote is never closed", 1, 10);
  check(failure("expect peak < 16Gb"), "TW-401", "expected a size such as 16GiB", 1, 15);
  check(failure("expect no all_gather == 2"), "TW-401", "expected nothing more, found '=='", 1, 22);
  check(failure("expect all_gather over == 2"), "TW-401", "expected the name of an axis", 1, 24);
  check(failure("expect \"\"2"), "TW-401",
        "expected one of all_gather, all_reduce, all_to_all, conflict, exchange, peak, permute, received, "
        "reduce_scatter, time, found "
        "'2'",
        1, 9);
}

TEST_CASE("names that match nothing say what is near") {
  check(failure("tile(arg=ww, dim=1, axis=model)"), "TW-402", "no argument is called 'ww'; nearest: 'w'", 1,
        10);
  check(failure("tile(arg=\"q*\", dim=1, axis=model)"), "TW-402",
        "no argument is called 'q*'; there are x, w, u", 1, 10);
  check(failure("tile(arg=3, dim=1, axis=model)"), "TW-402", "there is no argument 3: the program has 3", 1,
        10);
  check(failure("tile(arg=1..3, dim=1, axis=model)"), "TW-402", "there is no argument 3: the program has 3",
        1, 10);
  check(failure("tile(arg=2..1, dim=1, axis=model)"), "TW-402", "the range 2..1 is empty", 1, 10);
  check(failure("tile(result=1, dim=1, axis=model)"), "TW-402", "there is no result 1: the program has 1", 1,
        13);
  check(failure("tile(value=zz, dim=1, axis=model)"), "TW-402", "no value is called 'zz'; there are x, w, u",
        1, 12);
  check(failure("tile(arg=w, dim=1, axis=modle)"), "TW-403",
        "there is no axis 'modle' in the mesh data=2,model=4; nearest: 'model'", 1, 25);
  check(failure("tile(arg=w, dim=1, axis=model)", ""), "TW-403",
        "there is no axis 'model': no mesh was given", 1, 25);
  check(failure("expect all_gather over dta == 2"), "TW-403",
        "there is no axis 'dta' in the mesh data=2,model=4; nearest: 'data'", 1, 24);
  CHECK(failure("shard(arg=w, [{}, {modle}])").id == "TW-315");
  CHECK(failure("shard(arg=w, [{}, {modle}])").column == 14);
}

TEST_CASE("actions that are illegal name value, dimension, sizes and axes") {
  check(failure("tile(arg=w, dim=2, axis=model)"), "TW-405",
        "argument 'w' f32[256,256] has no dimension 2: they are 0 to 1", 1, 1);
  check(failure("tile(arg=w, dim=-1, axis=model)"), "TW-405",
        "argument 'w' f32[256,256] has no dimension -1: they are 0 to 1", 1, 1);
  check(failure("arg-tile 1 7 128"), "TW-405",
        "argument 'w' f32[256,256] has no dimension 7: they are 0 to 1", 1, 1);
  check(failure("tile(arg=w, dim=1, axis=model); tile(arg=w, dim=0, axis=model)"), "TW-404",
        "argument 'w' f32[256,256], dimension 0 over axis 'model' (4): axis 'model' is used there already, "
        "tiled by tile(arg=w, dim=1, "
        "axis=model)",
        1, 33);
  // As many cuts as there are tiles, but for the earlier action.
  check(failure("tile(arg=w, dim=1, axis=data); split(arg=w, dim=1, axis=data, cuts=[0,128,256])"), "TW-404",
        "argument 'w' f32[256,256], dimension 1 over axis 'data' (2): axis 'data' is used there already, "
        "tiled by tile(arg=w, dim=1, axis=data)",
        1, 32);
  check(failure("atomic(arg=w, axis=model)\ntile(arg=w, dim=0, axis=model)", "data=2,model=4", 1), "TW-404",
        "argument 'w' f32[256,256], dimension 0 over axis 'model' (4): axis 'model' is used there already, "
        "kept whole by atomic(arg=w, "
        "axis=model)",
        2, 1);
  check(failure("tile(arg=w, dim=1, axis=model); atomic(arg=w, axis=model)"), "TW-404",
        "argument 'w' f32[256,256], whole on axis 'model' (4): axis 'model' is used there already, tiled by "
        "tile(arg=w, dim=1, axis=model)",
        1, 33);
  check(failure("arg-tile 1 1 0"), "TW-409",
        "argument 'w' f32[256,256], dimension 1: the width must be 1 to 256, not 0", 1, 14);
  check(failure("arg-tile 1 1 257"), "TW-409",
        "argument 'w' f32[256,256], dimension 1: the width must be 1 to 256, not 257", 1, 14);
  check(failure("dumb-tile(value=w, dim=1, range=0)"), "TW-409",
        "argument 'w' f32[256,256], dimension 1: the range must be 1 to 256, not 0", 1, 33);
  check(failure("split(arg=w, dim=1, axis=data, cuts=[0,256])"), "TW-409",
        "argument 'w' f32[256,256], dimension 1 over axis 'data' (2): 2 tiles need 3 cuts, 2 are given", 1,
        1);
  check(failure("split(arg=w, dim=1, axis=data, cuts=[0,300,256])"), "TW-409",
        "argument 'w' f32[256,256], dimension 1 over axis 'data' (2): cuts must ascend from 0 to 256, given "
        "are [0,300,256]",
        1, 1);
  check(failure("shard(arg=w, [{data}])"), "TW-405",
        "argument 'w' f32[256,256] has 2 dimensions, the sharding 1", 1, 1);
  check(failure("shard(arg=w, [{data},{}] +model)"), "TW-406",
        "argument 'w' f32[256,256]: partial sums cannot be asked for", 1, 1);
  CHECK(failure("arg-tile 1 1 1; arg-tile 2 1 1; arg-tile 2 0 1; arg-tile 1 0 1").message.find("65536") !=
        std::string::npos);
}

TEST_CASE("axes of steps and threads are made by name, once, and are undone") {
  const Mlp m = mlp();
  Plan plan(m.graph, mesh("data=2"));
  const Plan fresh = plan;
  const Plan::Stamp before = plan.stamp();
  REQUIRE(apply_spec(
      plan, "serial(axis=\"micro\", size=4); threads(axis=t, size=2); tile(arg=x, dim=0, axis=micro)", "f"));
  CHECK(plan.mesh().text() == "data=2,serial(micro=4),threads(t=2)");
  CHECK(plan.mesh().num_devices() == 2);
  CHECK(plan.mesh().num_positions() == 16);
  CHECK(made(plan, m.x) == "[{micro}, {}]");
  plan.undo_to(before);
  CHECK(plan.same_state(fresh));

  const auto check = [](const Failure &f, const char *id, const std::string &message, uint32_t column) {
    CHECK(f.id == id);
    CHECK(f.message == message);
    CHECK(f.column == column);
  };
  check(failure("serial(axis=data, size=4)"), "TW-403",
        "the mesh data=2,model=4 has an axis 'data' already; a serial axis needs a name of its own", 13);
  check(failure("threads(axis=t, size=65)"), "TW-403", "65 threads: at most 64 are supported", 22);
  check(failure("serial(axis=micro, size=0)"), "TW-302", "mesh axis 'micro' has size 0: at least 1 is needed",
        25);
  check(failure("serial(axis=\"a b\", size=2)"), "TW-403",
        "'a b' is no axis name (letters, digits, '_', '-', '.')", 13);
}

TEST_CASE("lines before the failing one stay applied") {
  const Mlp m = mlp();
  Plan plan(m.graph, mesh("data=2,model=4"));
  CHECK(!apply_spec(plan, "tile(arg=x,dim=0,axis=data)\ntile(arg=w,dim=1,axis=model); propagate; nonsense",
                    "f"));
  CHECK(made(plan, m.x) == "[{data}, {}]");
  CHECK(made(plan, m.w) == "[{}, {}]");
  CHECK(plan.actions().size() == 2);
}

TEST_CASE("a constant has no layout of its own") {
  ProgramBuilder p;
  const ValueId a = p.arg("a", {8}), zero = p.name(p.zeros({8}), "zero");
  p.result(p.add(a, zero));
  Plan plan(p.finish(), mesh("x=2"));
  const auto status = apply_spec(plan, "tile(value=zero, dim=0, axis=x)", "f");
  REQUIRE(!status);
  CHECK(status.error().message() ==
        "value 'zero' f32[8]: a constant or iota is made anew wherever it is used; act on its users instead");
}

TEST_CASE("globs") {
  CHECK(glob_match("params*wq*", "params['h0']['wq']"));
  CHECK(!glob_match("params*wq", "params['wq']"));
  CHECK(glob_match("*", ""));
  CHECK(glob_match("a?c", "abc"));
  CHECK(!glob_match("a?c", "ac"));
  CHECK(glob_match("a*b*c", "aXbYbZc"));
  CHECK(!glob_match("a*b*c", "aXbYbZ"));
}

TEST_CASE("names of refined axes") {
  auto refined = mesh("a=2,c=8").refine(1, Ints{2, 4});
  REQUIRE(refined.has_value());
  using partition::find_axes;
  CHECK(*find_axes(*refined, "a") == std::vector<sharding::AxisId>{0});
  CHECK(*find_axes(*refined, "c") == std::vector<sharding::AxisId>{1, 2});
  CHECK(*find_axes(*refined, "c:(2)4") == std::vector<sharding::AxisId>{2});
  CHECK(*find_axes(*refined, "c:(1)8") == std::vector<sharding::AxisId>{1, 2});
  CHECK(!find_axes(*refined, "c:(1)4").has_value());
  CHECK(!find_axes(*refined, "c:(3)2").has_value());
  CHECK(!find_axes(*refined, "d").has_value());
}

TEST_CASE("a rule that cannot make the tiles asked for is refused, and nothing is set") {
  const Mlp m = mlp();
  Plan plan(m.graph, mesh("model=4"));
  const partition::NodeId n = m.graph->arguments()[0]; // f32[.., 256] over both of its dimensions
  const int64_t size = m.graph->type(m.x).dims[1];
  const auto refused = [&](sharding::SplitRule rule) {
    const auto status = plan.set(n, 0, plan.rule(n).results[0][1][0], &rule);
    CHECK(plan.nest(n).empty());
    return status ? std::string("accepted") : status.error().message();
  };
  const auto cuts = [](Ints at) {
    return sharding::SplitRule{sharding::SplitRule::Kind::cuts, 1,
                               std::make_shared<const std::vector<int64_t>>(std::move(at))};
  };
  CHECK(refused(cuts({0, size})) == "4 tiles need 5 cuts, 2 are given");
  CHECK(refused(cuts({})) == "4 tiles need 5 cuts, 0 are given");
  CHECK(refused(cuts({0, 1, 2, 3, 4, size})) == "4 tiles need 5 cuts, 6 are given");
  CHECK(refused(cuts({0, 1, 2, 3, 4})) ==
        fmt::format("cuts must ascend from 0 to {}, given are [0,1,2,3,4]", size));
  CHECK(refused(cuts({0, 3, 2, 4, size})) ==
        fmt::format("cuts must ascend from 0 to {}, given are [0,3,2,4,{}]", size, size));
  CHECK(refused({sharding::SplitRule::Kind::balanced, 3, nullptr}) ==
        fmt::format("{} elements cannot be cut in blocks of 3", size));
  CHECK(refused({sharding::SplitRule::Kind::cuts, 1, nullptr}) == "explicit cuts belong to the rule 'cuts'");
  const auto good = cuts({0, 1, 2, 3, size});
  REQUIRE(plan.set(n, 0, plan.rule(n).results[0][1][0], &good));
  CHECK(made(plan, m.x) == fmt::format("[{{}}, {{model}}:cuts=[0,1,2,3,{}]]", size));
}

TEST_CASE("a rule of a custom_call lasts as long as its line") {
  graph::GraphBuilder b("m", "m.mlir");
  const graph::TensorType type{graph::DType::f32, {8, 4}};
  const graph::ValueId x = b.graph().result(ops::add_argument(b, type, "x"));
  const graph::TypeId stated[] = {b.type(type)};
  auto call =
      ops::add(b, *ops::find_op("stablehlo.custom_call"), {&x, 1}, {std::string("f"), {}, {}, {}}, stated);
  REQUIRE(call.has_value());
  ops::add_result(b, b.graph().result(*call), "y");
  auto mesh = sharding::Mesh::parse("a=2");
  REQUIRE(mesh.has_value());
  partition::Plan plan(b.finish(), *mesh);
  const std::string whole = plan.rule(*call).text();
  CHECK(whole.find("whole") != std::string::npos);
  const auto before = plan.stamp();
  REQUIRE(partition::apply_spec(plan, "rule @f \"i k -> i k\"\nrule @f \"i *, -> i *\"", "s").has_value() ==
          false);
  CHECK(plan.rule(*call).text() == "([i,j])->([i,j])"); // the first line holds, the second one is undone
  REQUIRE(partition::apply_spec(plan, "rule @f \"i * -> i *\"", "s").has_value());
  CHECK(plan.rule(*call).text() == "([i,j])->([i,j]) j:whole");
  plan.undo_to(before);
  CHECK(plan.rule(*call).text() == whole);
}

} // namespace tw::test_spec
