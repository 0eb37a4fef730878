// SPDX-License-Identifier: Apache-2.0
// Layers: found whatever names and orders are, and always an isomorphism from each to the next.
#include "search/layers.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "import/import.hpp"
#include "support/random_program.hpp"
#include "support/towers.hpp"
#include "support/unit.hpp"

namespace tw::test_layers {

using search::Role;
using search::Stack;
using test::graph_of;
using test::Tower;
using Text = test::TowerText;

namespace {

// By names of the arguments: the roles of each stack.
using Names = std::multiset<std::vector<std::string>>;

Names names_of(const graph::Graph &graph, const Stack &stack) {
  std::map<graph::OpId, std::string> names;
  for (size_t i = 0; i < graph.arguments().size(); ++i)
    names[graph.arguments()[i]] = graph.argument_name(i);
  Names all;
  for (const Role &role : stack.roles)
    if (names.contains(role[0])) {
      std::vector<std::string> row;
      for (const graph::OpId op : role)
        row.push_back(names.at(op));
      all.insert(row);
    }
  return all;
}

// In all layers a role is the same op; each of its operands is one value, or comes from one role at one
// distance of layers, with the same result of it, but for what comes in at the ends.
void check_isomorphic(const graph::Graph &graph, const Stack &stack) {
  std::map<graph::OpId, std::pair<size_t, int64_t>> places; // role, layer
  const auto layers = static_cast<int64_t>(stack.num_layers);
  for (size_t r = 0; r < stack.roles.size(); ++r) {
    REQUIRE(stack.roles[r].size() == stack.num_layers);
    for (int64_t k = 0; k < layers; ++k)
      REQUIRE(places.emplace(stack.roles[r][static_cast<size_t>(k)], std::pair(r, k)).second);
  }
  for (const Role &role : stack.roles) {
    const graph::Op &first = graph.op(role[0]);
    for (const graph::OpId op : role) {
      REQUIRE(graph.op(op).code == first.code);
      REQUIRE(graph.op(op).num_operands == first.num_operands);
      REQUIRE(graph.op(op).num_results == first.num_results);
      for (uint32_t i = 0; i < first.num_results; ++i)
        REQUIRE(graph.type(graph.result(op, i)) == graph.type(graph.result(role[0], i)));
    }
    for (uint32_t i = 0; i < first.num_operands; ++i) {
      std::set<graph::ValueId> values;
      std::set<std::tuple<size_t, int64_t, uint32_t>> sources; // role, distance, which result
      for (int64_t k = 0; k < layers; ++k) {
        const graph::ValueId v = graph.operands(role[static_cast<size_t>(k)])[i];
        values.insert(v);
        if (const auto at = places.find(graph.value(v).def); at != places.end())
          sources.emplace(at->second.first, at->second.second - k, graph.value(v).index);
      }
      if (values.size() == 1)
        continue;
      // All but those at an end say the same, and an end may be anything.
      REQUIRE(!sources.empty());
      bool one = false;
      for (const auto &[from, distance, index] : sources) {
        bool fits = true;
        for (int64_t k = 0; k < layers; ++k)
          if (k + distance >= 0 && k + distance < layers) {
            const graph::ValueId v = graph.operands(role[static_cast<size_t>(k)])[i];
            fits = fits && graph.value(v).index == index &&
                   graph.value(v).def == stack.roles[from][static_cast<size_t>(k + distance)];
          }
        one = one || (fits && std::abs(distance) < layers);
      }
      CHECK(one);
    }
  }
}

std::set<Names> found(const std::string &text) {
  const auto graph = graph_of(text);
  std::set<Names> all;
  for (const Stack &stack : search::find_stacks(*graph)) {
    check_isomorphic(*graph, stack);
    all.insert(names_of(*graph, stack));
  }
  return all;
}

Names expected(const Tower &tower) {
  Names names;
  for (const char *what : {"scale", "q", "k", "up", "down"}) {
    std::vector<std::string> row;
    for (int i = 0; i < tower.layers; ++i)
      row.push_back(fmt::format("{}{}_{}", tower.prefix, i, what));
    names.insert(row);
  }
  return names;
}

} // namespace

TEST_CASE("the layers of a tower, in whatever order its arguments come") {
  std::mt19937 random(46);
  for (const int layers : {2, 3, 4, 9, 24}) {
    const Tower tower{.layers = layers};
    CAPTURE(layers);
    CHECK(found(Text::of({tower}, nullptr)) == std::set<Names>{expected(tower)});
    for (int i = 0; i < 10; ++i)
      CHECK(found(Text::of({tower}, &random, i % 2 == 0)) == std::set<Names>{expected(tower)});
  }
}

TEST_CASE("layers whose arguments are converted before anything is computed") {
  std::mt19937 random(46);
  for (const int layers : {2, 3, 8, 24}) {
    const Tower tower{.layers = layers, .converted = true};
    CAPTURE(layers);
    CHECK(found(Text::of({tower}, nullptr)) == std::set<Names>{expected(tower)});
    CHECK(found(Text::of({tower}, &random)) == std::set<Names>{expected(tower)});
  }
}

TEST_CASE("layers of which the last ones have more") {
  for (const bool converted : {false, true})
    for (const auto &sizes : {std::pair(8, 3), std::pair(12, 2), std::pair(24, 3)}) {
      const int layers = sizes.first, plain = sizes.second;
      CAPTURE(layers);
      CAPTURE(converted);
      size_t most = 0;
      for (const Names &names :
           found(Text::of({Tower{.layers = layers, .converted = converted, .plain = plain}}, nullptr)))
        if (names.size() == 7) // with "in" and "out"
          most = std::max(most, names.begin()->size());
      CHECK(most == static_cast<size_t>(layers - plain));
    }
}

TEST_CASE("two towers are two stacks, and one layer is none") {
  const Tower wide{.layers = 3, .width = 16, .inside = 48, .prefix = "wide"},
      narrow{.layers = 5, .width = 16, .inside = 8, .prefix = "narrow"};
  CHECK(found(Text::of({wide, narrow}, nullptr)) == std::set<Names>{expected(wide), expected(narrow)});
  CHECK(found(Text::of({Tower{.layers = 1}}, nullptr)).empty());
  // A layer of another shape between them keeps them apart.
  const Tower odd{.layers = 1, .width = 16, .inside = 24, .prefix = "odd"};
  CHECK(found(Text::of({wide, odd, narrow}, nullptr)) == std::set<Names>{expected(wide), expected(narrow)});
}

namespace {

// Layers of a product and of elementwise ops, by layer.
std::string chain(const std::vector<std::vector<std::string>> &layers) {
  std::string arguments = "%x: tensor<8x8xf32>", body, at = "%x";
  int count = 0;
  for (size_t i = 0; i < layers.size(); ++i) {
    arguments += fmt::format(", %w{0}: tensor<8x8xf32> loc(\"w{0}\")", i);
    const auto add = [&](const std::string &form) {
      body += fmt::format("  %v{} = {}\n", count, form);
      at = fmt::format("%v{}", count++);
    };
    add(fmt::format("stablehlo.dot_general {}, %w{}, contracting_dims = [1] x [0] : (tensor<8x8xf32>, "
                    "tensor<8x8xf32>) -> tensor<8x8xf32>",
                    at, i));
    for (const std::string &op : layers[i])
      add(fmt::format("stablehlo.{} {} : tensor<8x8xf32>", op, at));
  }
  return fmt::format("func.func @main({}) -> tensor<8x8xf32> {{\n{}  return {} : tensor<8x8xf32>\n}}\n",
                     arguments, body, at);
}

} // namespace

TEST_CASE("layers that differ far from their arguments are not alike") {
  std::vector<std::vector<std::string>> layers;
  for (int i = 0; i < 6; ++i)
    layers.push_back(
        {"negate", "abs", "negate", "abs", i % 2 == 0 ? "tanh" : "exponential", "negate", "abs"});
  found(chain(layers)); // isomorphic, whatever is found
}

TEST_CASE("a tower behind another whose front looks alike") {
  std::vector<std::vector<std::string>> layers(12, {"negate", "abs", "tanh", "negate", "abs", "negate"});
  layers.insert(layers.end(), 9, {"negate", "abs", "exponential", "negate", "abs", "negate"});
  std::set<size_t> lengths;
  for (const Names &names : found(chain(layers)))
    lengths.insert(names.begin()->size());
  CHECK(lengths.contains(12));
  CHECK(lengths.size() >= 2);
}

TEST_CASE("a training step: parameters and both moments, forward, backward and update") {
  std::ifstream file(test::source_path("examples/models/gpt_step.mlir"));
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  REQUIRE(!text.empty());
  const auto graph = graph_of(text);
  const std::vector<Stack> stacks = search::find_stacks(*graph);
  REQUIRE(stacks.size() == 1);
  CHECK(stacks[0].num_layers == 4);
  check_isomorphic(*graph, stacks[0]);
  const Names names = names_of(*graph, stacks[0]);
  CHECK(names.size() == 48);
  for (const auto &role : names)
    for (size_t k = 0; k < role.size(); ++k) {
      std::string of_first = role[k];
      const size_t at = of_first.find(fmt::format("layer{}", k));
      REQUIRE(at != std::string::npos);
      of_first[at + 5] = '0';
      CHECK(of_first == role[0]);
    }
}

TEST_CASE("in random programs what is found is an isomorphism") {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    test::Dice random(seed);
    const test::RandomProgram made = test::random_program(random);
    for (const Stack &stack : search::find_stacks(*made.graph))
      check_isomorphic(*made.graph, stack);
  }
}

} // namespace tw::test_layers
