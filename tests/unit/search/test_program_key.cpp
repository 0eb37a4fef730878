// SPDX-License-Identifier: Apache-2.0
// Keys know structure, mesh, system and options, and no names or orders.
#include "search/program_key.hpp"

#include <functional>
#include <set>

#include "partition/spec.hpp"
#include "support/asked_search.hpp"
#include "support/random_program.hpp"
#include "support/unit.hpp"

namespace tw::test_program_key {

using partition::Plan;
using test::Asked;
using test::letters;
using test::machine_of;
using test::tower_text;

namespace {

WideHash key_of(const std::string &text) { return Asked(text).key(); }

} // namespace

TEST_CASE("keys know structure, and no names or orders") {
  std::mt19937 random(47);
  const WideHash key = key_of(tower_text());
  for (int i = 0; i < 8; ++i)
    CHECK(key_of(tower_text(&random, i % 2 == 0, i % 3 == 0 ? "a" : "other")) == key);
  Asked threads(tower_text());
  threads.limits.threads = 3;
  CHECK(threads.key() == key);

  // Independent ops in another order, and those that no result needs.
  CHECK(key_of(letters("xy", "p+xyq-xyr*pq", "r")) == key_of(letters("yx", "q-xyp+xyr*pq", "r")));
  CHECK(key_of(letters("xy", "p+xyq-xyr*yxs*xx", "r")) == key_of(letters("xy", "s*xxq-xyp+xyr*yx", "r")));
  // Programs that differ.
  const std::vector<std::string> others{
      letters("xy", "p+xyq-xyr*pq", "r"),     letters("xy", "p+xyq-xyr*qp", "r"),
      letters("xy", "p+xyq-yxr*pq", "r"),     letters("xy", "p+xyq-xyr*pp", "r"),
      letters("xy", "p+xxq+yyr*pq", "r"),     letters("xy", "p+xyq+xyr*pq", "r"),
      letters("xy", "p+xyr*pp", "r"),         letters("xy", "p+xyq-xyr*pq", "rp"),
      letters("xy", "p+xyq-xyr*pq", "pr"),    letters("xy", "p+xyq-xyr*pqs*xx", "r"),
      letters("xy", "p+xyq-xyr*pqs*xy", "r"), letters("xy", "p+xyq-xyr*pqs*rr", "r"),
  };
  std::set<WideHash> keys;
  for (const std::string &text : others)
    keys.insert(key_of(text));
  CHECK(keys.size() == others.size());
}

TEST_CASE("literals, attributes, regions and donations are part of a key") {
  const std::string loop = R"(
    func.func @main(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
      %n = stablehlo.constant dense<3> : tensor<i32>
      %i = stablehlo.constant dense<0> : tensor<i32>
      %r:2 = stablehlo.while(%a = %i, %b = %x) : tensor<i32>, tensor<8x8xf32>
        cond { %c = stablehlo.compare LT, %a, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
               stablehlo.return %c : tensor<i1> }
        do { %one = stablehlo.constant dense<1> : tensor<i32>
             %s = stablehlo.add %a, %one : tensor<i32>
             %t = stablehlo.multiply %b, %y : tensor<8x8xf32>
             stablehlo.return %s, %t : tensor<i32>, tensor<8x8xf32> }
      return %r#1 : tensor<8x8xf32>
    })";
  std::set<WideHash> keys{key_of(loop)};
  const std::vector<std::pair<std::string, std::string>> changes{
      {"dense<3>", "dense<4>"},
      {"dense<1>", "dense<2>"},
      {"LT, %a, %n", "LE, %a, %n"},
      {"LT, %a, %n", "LT, %n, %a"},
      {"multiply %b, %y", "multiply %b, %b"},
      {"multiply %b, %y", "multiply %y, %b"},
      {"multiply %b, %y", "add %b, %y"},
      {"%b = %x", "%b = %y"},
      {"%x: tensor<8x8xf32>,", "%x: tensor<8x8xf32> {tf.aliasing_output = 0 : i32},"},
  };
  for (const auto &change : changes) {
    std::string text = loop;
    text.replace(text.find(change.first), change.first.size(), change.second);
    CAPTURE(change.second);
    CHECK(keys.insert(key_of(text)).second);
  }
  std::string renamed = loop;
  for (const std::string name : {"%s", "%t", "%one", "%a", "%y"})
    for (size_t at = 0; (at = renamed.find(name, at)) != std::string::npos; at += name.size() + 1)
      if (std::isalnum(renamed[at + name.size()]) == 0)
        renamed.insert(at + name.size(), "q");
  CHECK(key_of(renamed) == key_of(loop));
}

TEST_CASE("random programs: each op has a number of its own, and most keys differ") {
  std::set<WideHash> keys;
  size_t programs = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    test::Dice dice(seed);
    const Plan plan(test::random_program(dice).graph, *sharding::Mesh::parse("a=2"));
    const auto key = search::key_of(plan);
    CHECK(search::key_of(plan).hash == key.hash);
    for (graph::OpId op = 0; op < plan.graph().ops().size(); ++op) {
      if (key.numbers[op] != graph::kNone)
        CHECK(key.ops[key.numbers[op]] == op);
      else
        CHECK(plan.graph().uses(plan.graph().result(op)).empty());
    }
    keys.insert(key.hash);
    ++programs;
  }
  CHECK(keys.size() * 10 >= programs * 9); // small ones may be equal
}

TEST_CASE("any digit of a system changes the key") {
  const auto shipped = system::load("a100-40g");
  REQUIRE(shipped.has_value());
  Asked asked(letters("xy", "p+xyq-xyr*pq", "r"));
  for (const std::string &text : {test::small_machine_text(), shipped->text}) {
    asked.system = machine_of(text);
    std::set<WideHash> keys{asked.key()};
    bool in_comment = false;
    size_t changed = 0;
    for (size_t i = 0; i < text.size(); ++i) {
      in_comment = text[i] == '#' || (in_comment && text[i] != '\n');
      if (in_comment || std::isdigit(text[i]) == 0)
        continue;
      std::string other = text;
      other[i] = text[i] == '9' ? '1' : static_cast<char>(text[i] + 1);
      auto parsed = system::parse(other, "test.conf");
      if (!parsed) // of a name, or not ascending any more
        continue;
      CAPTURE(other);
      asked.system = *std::move(parsed);
      CHECK(keys.insert(asked.key()).second);
      ++changed;
    }
    CHECK(changed > 20);
  }
}

TEST_CASE("each field of a system, and each option, changes the key") {
  const std::vector<std::function<void(Asked &)>> changes{
      [](Asked &a) { a.system.device.name = "other"; },
      [](Asked &a) { a.system.device.flops["f32"] *= 2; },
      [](Asked &a) { a.system.device.flops["bf16"] = 1e12; },
      [](Asked &a) { a.system.device.hbm_bytes += 1; },
      [](Asked &a) { a.system.device.hbm_bytes_per_s += 1e6; },
      [](Asked &a) { a.system.device.reserve_bytes = 1; },
      [](Asked &a) { a.system.device.library_bytes = 1; },
      [](Asked &a) { a.system.device.round_bytes = 512; },
      [](Asked &a) { a.system.device.launch_s *= 2; },
      [](Asked &a) { a.system.device.at_once = 1; },
      [](Asked &a) { a.system.device.shared_memory = true; },
      [](Asked &a) { a.system.matmul.points.emplace_back(256, 0.95); },
      [](Asked &a) { a.system.hbm.points.emplace_back(1e6, 0.9); },
      [](Asked &a) { a.system.matmul_of["bf16"]; },
      [](Asked &a) { a.system.other = 0.5; },
      [](Asked &a) { a.system.functions = 0.5; },
      [](Asked &a) { a.system.matmul_by_min_dim = true; },
      [](Asked &a) { a.system.axes["*"].bytes_per_s *= 2; },
      [](Asked &a) { a.system.axes["*"].topology = system::Link::Topology::switched; },
      [](Asked &a) { a.system.axes["*"].step_s *= 2; },
      [](Asked &a) { a.system.axes["*"].base_s *= 2; },
      [](Asked &a) { a.system.axes["a"] = a.system.axes["*"]; },
      [](Asked &a) { a.system.levels["node"]; },
      [](Asked &a) { a.system.overlaps = !a.system.overlaps; },
      [](Asked &a) { a.system.slowdown = 1.2; },
      [](Asked &a) { a.system.chains = !a.system.chains; },
      [](Asked &a) { a.system.trip_count = 7; },
      [](Asked &a) { a.options.without = {"fuse_moves"}; },
      [](Asked &a) { a.options.gather_per_use = true; },
      [](Asked &a) { a.options.bucket_bytes = 1; },
      [](Asked &a) { a.options.levels = "node=2"; },
      [](Asked &a) { a.options.keep_sum_order = true; },
      [](Asked &a) { a.options.scratch_bytes = 0; },
      [](Asked &a) { a.options.hoist_limit = 0; },
      [](Asked &a) { a.limits.cap_bytes = 1000; },
      [](Asked &a) { a.limits.episodes = 61; },
      [](Asked &a) { a.limits.seconds = 1; },
      [](Asked &a) { a.limits.seconds = 2; },
      [](Asked &a) { a.limits.seed = 1; },
      [](Asked &a) { a.limits.exact = true; },
      [](Asked &a) { a.scope.even_only = true; },
      [](Asked &a) { a.scope.axes = {0}; },
      [](Asked &a) {
        a.scope.axes = {0, 1};
      },
      [](Asked &a) { a.estimate.trip_count = 3; },
      [](Asked &a) { a.estimate.donate = true; },
      [](Asked &a) { a.estimate.without = {"record_runs"}; },
      [](Asked &a) { a.plan.set_policy(partition::Policy::shardy); },
      [](Asked &a) { a.plan = Plan(a.plan.graph_ptr(), *sharding::Mesh::parse("a=2,b=4")); },
      [](Asked &a) { a.plan = Plan(a.plan.graph_ptr(), *sharding::Mesh::parse("b=2,a=2")); },
      [](Asked &a) { a.plan = Plan(a.plan.graph_ptr(), *sharding::Mesh::parse("a=2,c=2")); },
      [](Asked &a) { REQUIRE(partition::apply_spec(a.plan, "tile(arg=x, dim=0, axis=\"a\")", "t")); },
      [](Asked &a) { REQUIRE(partition::apply_spec(a.plan, "tile(arg=x, dim=1, axis=\"a\")", "t")); },
      [](Asked &a) { REQUIRE(partition::apply_spec(a.plan, "tile(arg=x, dim=0, axis=\"b\")", "t")); },
      [](Asked &a) { REQUIRE(partition::apply_spec(a.plan, "atomic(arg=x, axis=\"b\")", "t")); },
      [](Asked &a) { REQUIRE(partition::apply_spec(a.plan, "tile(value=\"%v3\", dim=0, axis=\"b\")", "t")); },
  };
  std::set<WideHash> keys{Asked(tower_text()).key()};
  for (size_t i = 0; i < changes.size(); ++i) {
    CAPTURE(i);
    Asked asked(tower_text());
    changes[i](asked);
    CHECK(keys.insert(asked.key()).second);
  }
  // What is fixed has no names either.
  std::mt19937 random(49);
  Asked one(tower_text()), other(tower_text(&random, true, "b"));
  REQUIRE(partition::apply_spec(one.plan, "tile(arg=\"a1_up\", dim=1, axis=\"a\"); infer-propagate", "t"));
  REQUIRE(partition::apply_spec(other.plan, "tile(arg=\"b1_up\", dim=1, axis=\"a\"); infer-propagate", "t"));
  CHECK(one.key() == other.key());
}

} // namespace tw::test_program_key
