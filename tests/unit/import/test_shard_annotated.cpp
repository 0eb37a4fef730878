// SPDX-License-Identifier: Apache-2.0
// Annotated programs of the shard dialect: whatever random annotations say, of makers and of users, with
// offsets, with halos and without, the partitioned program gives what the whole one gives. 5,000 programs, or
// as many as TW_SHARD_PROGRAMS says, from the seed TW_SEED.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "grid_devices.hpp"
#include "kernels/ref/evaluate.hpp"
#include "planned_text.hpp"
#include "support/compare.hpp"
#include "support/number_of.hpp"
#include "support/random_program.hpp"

namespace tw::test_shard_annotated {

using namespace tw::test;

namespace {

class Writer {
public:
  explicit Writer(Dice &random) : random_(random) {
    for (int64_t i = 0, rank = random.between(1, 3); i < rank; ++i)
      devices_.sizes.push_back(random.between(1, 3));
  }

  std::string write() {
    std::string arguments;
    for (int i = 0; i < 2; ++i) {
      arguments += fmt::format("{}%arg{}: {}", i == 0 ? "" : ", ", i, type(rows_, columns_));
      values_.push_back({fmt::format("%arg{}", i), rows_, columns_});
      annotate();
    }
    for (int64_t i = 0, n = random_.between(2, 8); i < n; ++i) {
      add_op();
      annotate();
    }
    const Value &last = values_.back();
    return fmt::format("shard.grid @g(shape = {})\nfunc.func @main({}) -> {} {{\n"
                       "  %zero = stablehlo.constant dense<0.0> : tensor<f32>\n{}  return {} : {}\n}}\n",
                       fmt::join(devices_.sizes, "x"), arguments, type(last.rows, last.columns), body_,
                       last.name, type(last.rows, last.columns));
  }

private:
  struct Value {
    std::string name;
    int64_t rows, columns;
  };

  static std::string type(int64_t rows, int64_t columns) {
    return fmt::format("tensor<{}x{}xf32>", rows, columns);
  }
  const Value &pick() { return values_[static_cast<size_t>(random_.below(std::ssize(values_)))]; }
  std::string fresh() { return fmt::format("%{}", next_++); }

  void add_op() {
    const Value a = pick(), b = pick();
    const std::string name = fresh(), of_a = type(a.rows, a.columns), of_b = type(b.rows, b.columns);
    if (random_.chance(4)) { // what lies around an element
      const int64_t down = random_.between(-2, 2), right = random_.between(-2, 2);
      body_ +=
          fmt::format("  {} = stablehlo.pad {}, %zero, low = [{}, {}], high = [{}, {}], interior = [0, 0] "
                      ": ({}, tensor<f32>) -> {}\n",
                      name, a.name, down, right, -down, -right, of_a, of_a);
      values_.push_back({name, a.rows, a.columns});
    } else if (a.rows == b.rows && a.columns == b.columns && !random_.chance(4)) {
      body_ += fmt::format("  {} = stablehlo.{} {}, {} : {}\n", name, random_.chance(2) ? "add" : "maximum",
                           a.name, b.name, of_a);
      values_.push_back({name, a.rows, a.columns});
    } else if (a.columns == b.rows) {
      body_ +=
          fmt::format("  {} = stablehlo.dot_general {}, {}, contracting_dims = [1] x [0] : ({}, {}) -> {}\n",
                      name, a.name, b.name, of_a, of_b, type(a.rows, b.columns));
      values_.push_back({name, a.rows, b.columns});
    } else {
      body_ += fmt::format("  {} = stablehlo.transpose {}, dims = [1, 0] : ({}) -> {}\n", name, a.name, of_a,
                           type(a.columns, a.rows));
      values_.push_back({name, a.columns, a.rows});
    }
  }

  // Of the last value: what makes it, or some of those who use it, or first the one and then the other.
  void annotate() {
    if (random_.chance(2))
      return;
    const bool for_users = random_.chance(2);
    say(for_users);
    if (!for_users && random_.chance(2))
      say(true);
  }
  void say(bool for_users) {
    const Value of = values_.back();
    Ints axes;
    for (int64_t axis = 0; axis < std::ssize(devices_.sizes); ++axis)
      axes.push_back(axis);
    std::ranges::shuffle(axes, random_.engine());
    std::vector<Ints> split(2);
    for (const int64_t axis : axes)
      if (!random_.chance(3))
        split[static_cast<size_t>(random_.below(2))].push_back(axis);
    std::string offsets, halos;
    if (random_.chance(4))
      for (size_t d = 0; d < 2; ++d)
        if (!split[d].empty()) {
          const int64_t n = d == 0 ? of.rows : of.columns, tiles = devices_.group_size(split[d]);
          Ints cuts{0, n};
          while (std::ssize(cuts) < tiles + 1)
            cuts.push_back(random_.between(0, n));
          std::ranges::sort(cuts);
          offsets += fmt::format("{}{}", offsets.empty() ? "" : ", ", fmt::join(cuts, ", "));
        }
    if (offsets.empty() && random_.chance(3))
      for (const Ints &of_dim : split)
        if (!of_dim.empty())
          halos += fmt::format("{}{}, {}", halos.empty() ? "" : ", ", random_.below(4), random_.below(4));
    const std::string sharding = fresh(), name = fresh();
    body_ += fmt::format("  {} = shard.sharding @g split_axes = [[{}], [{}]] {}{}: !shard.sharding\n",
                         sharding, fmt::join(split[0], ", "), fmt::join(split[1], ", "),
                         offsets.empty() ? "" : fmt::format("sharded_dims_offsets = [{}] ", offsets),
                         halos.empty() ? "" : fmt::format("halo_sizes = [{}] ", halos));
    body_ += fmt::format("  {} = shard.shard {} to {} {}: {}\n", name, of.name, sharding,
                         for_users ? "annotate_for_users " : "", type(of.rows, of.columns));
    values_.push_back({name, of.rows, of.columns});
  }

  Dice &random_;
  Devices devices_;
  int64_t rows_ = random_.between(1, 9), columns_ = random_.between(1, 9);
  std::vector<Value> values_;
  std::string body_;
  int next_ = 0;
};

} // namespace

TEST_CASE("annotated programs give partitioned what they give whole") {
  const uint64_t seed = number_of("TW_SEED", 1), rounds = number_of("TW_SHARD_PROGRAMS", slice_of(5000, 500));
  for (uint64_t round = 0; round < rounds; ++round) {
    Dice random(seed + round);
    const std::string text = Writer(random).write();
    CAPTURE(seed + round); // again with TW_SEED=.. TW_SHARD_PROGRAMS=1
    CAPTURE(text);
    const import::Imported imported = imported_text(text);
    std::vector<kernels::ref::Array> arguments;
    for (const graph::OpId argument : imported.graph->arguments())
      arguments.push_back(
          random_array(imported.graph->type(imported.graph->result(argument)), -2, 2, random));
    const auto whole = kernels::ref::evaluate(*imported.graph, arguments);
    REQUIRE(whole.has_value());
    REQUIRE(same_values(run_on_devices(*planned(imported), arguments)[0], (*whole)[0]));
  }
}

namespace {

std::string program_of(std::string_view text) { return to_text(*planned(imported_text(std::string(text)))); }

} // namespace

TEST_CASE("cuts along two axes nest as they are annotated, though another value has one of the axes first") {
  const std::string text = program_of(
      "shard.grid @g(shape = 2x3)\n"
      "func.func @main(%a: tensor<8xf32>, %b: tensor<12xf32>) -> (tensor<8xf32>, tensor<12xf32>) {\n"
      "  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding\n"
      "  %t = shard.sharding @g split_axes = [[1, 0]] sharded_dims_offsets = "
      "[0, 1, 2, 3, 7, 11, 12] : !shard.sharding\n"
      "  %0 = shard.shard %a to %s : tensor<8xf32>\n"
      "  %1 = stablehlo.negate %b : tensor<12xf32>\n"
      "  %2 = shard.shard %1 to %t : tensor<12xf32>\n"
      "  return %0, %2 : tensor<8xf32>, tensor<12xf32>\n}\n");
  CAPTURE(text);
  CHECK(text.find("argument 1 \"b\" : f32[12] [{g.1,g.0}:cuts=[0,1,2,3,7,11,12]]") != std::string::npos);
  CHECK(text.find("//") == std::string::npos); // nothing moves
}

TEST_CASE("a value that its users want along another axis moves there from the tiles in which it is made") {
  const std::string text = program_of("shard.grid @g(shape = 4x2)\n"
                                      "func.func @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {\n"
                                      "  %s = shard.sharding @g split_axes = [[1]] : !shard.sharding\n"
                                      "  %t = shard.sharding @g split_axes = [[0]] "
                                      "sharded_dims_offsets = [0, 0, 2, 2, 2] : !shard.sharding\n"
                                      "  %0 = shard.shard %a to %s : tensor<2x3xf32>\n"
                                      "  %1 = shard.shard %0 to %t annotate_for_users : tensor<2x3xf32>\n"
                                      "  return %1 : tensor<2x3xf32>\n}\n");
  CAPTURE(text);
  CHECK(text.find("[{g.0}:cuts=[0,0,2,2,2], {}] local [0..2,3] // over g.0,g.1, 12 bytes") !=
        std::string::npos);
}

TEST_CASE("one reader takes what it needs from a halo, another from other devices, and nothing is joined") {
  const import::Imported imported =
      imported_text("shard.grid @g(shape = 2)\n"
                    "func.func @main(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {\n"
                    "  %zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
                    "  %s = shard.sharding @g split_axes = [[0]] halo_sizes = [0, 1] : !shard.sharding\n"
                    "  %0 = shard.shard %a to %s annotate_for_users : tensor<4xf32>\n"
                    "  %1 = stablehlo.pad %0, %zero, low = [-1], high = [1], interior = [0] "
                    ": (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>\n"
                    "  %2 = stablehlo.pad %0, %zero, low = [1], high = [-1], interior = [0] "
                    ": (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>\n"
                    "  return %1, %2 : tensor<4xf32>, tensor<4xf32>\n}\n");
  const auto program = planned(imported);
  const std::string text = to_text(*program);
  CAPTURE(text);
  CHECK(text.find("%1 = stablehlo.pad %0, ") != std::string::npos);
  CHECK(text.find("%0/1 = slice %0 : ") != std::string::npos);
  CHECK(text.find("%0/2 = exchange %0/1 : f32[4] [{g.0}:spans=[0,1,1,3]]") != std::string::npos);
  Dice random(1);
  const std::vector arguments{random_array(imported.graph->type(imported.graph->result(0)), -2, 2, random)};
  const auto whole = kernels::ref::evaluate(*imported.graph, arguments);
  REQUIRE(whole.has_value());
  const auto parts = run_on_devices(*program, arguments);
  CHECK(same_values(parts[0], (*whole)[0]));
  CHECK(same_values(parts[1], (*whole)[1]));
}

TEST_CASE("slices of a padded value find in its halo all that they read") {
  const import::Imported imported = imported_text(
      "shard.grid @g(shape = 4)\n"
      "func.func @main(%a0: tensor<16x4xi32>) -> tensor<16x4xi32> {\n"
      "  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding\n"
      "  %b = shard.shard %a0 to %s : tensor<16x4xi32>\n"
      "  %h = shard.sharding @g split_axes = [[0]] halo_sizes = [1, 1] : !shard.sharding\n"
      "  %c = shard.shard %b to %h annotate_for_users : tensor<16x4xi32>\n"
      "  %z = stablehlo.constant dense<0> : tensor<i32>\n"
      "  %p = stablehlo.pad %c, %z, low = [1, 0], high = [1, 0], interior = [0, 0] "
      ": (tensor<16x4xi32>, tensor<i32>) -> tensor<18x4xi32>\n"
      "  %l = stablehlo.slice %p [0:16:1, 0:4:1] : (tensor<18x4xi32>) -> tensor<16x4xi32>\n"
      "  %r = stablehlo.slice %p [2:18:1, 0:4:1] : (tensor<18x4xi32>) -> tensor<16x4xi32>\n"
      "  %u = stablehlo.subtract %l, %r : tensor<16x4xi32>\n"
      "  %v = shard.shard %u to %s : tensor<16x4xi32>\n"
      "  return %v : tensor<16x4xi32>\n}\n");
  const auto program = planned(imported);
  CAPTURE(to_text(*program));
  REQUIRE(program->collectives().size() == 1);
  CHECK(program->collectives()[0].summary.bytes_received_max == 32); // a row from each side
  Dice random(1);
  const std::vector arguments{random_array(imported.graph->type(imported.graph->result(0)), -9, 9, random)};
  const auto whole = kernels::ref::evaluate(*imported.graph, arguments);
  REQUIRE(whole.has_value());
  CHECK(same_values(run_on_devices(*program, arguments)[0], (*whole)[0]));
}

TEST_CASE("a convolution of a value with itself takes its kernel from tiles whose halos lack parts of it") {
  const import::Imported imported = imported_text(
      "shard.grid @g(shape = 2)\n"
      "func.func @main(%a: tensor<4x4x1x1xf32>) -> tensor<4x4x1x1xf32> {\n"
      "  %s = shard.sharding @g split_axes = [[0], [], [], []] halo_sizes = [0, 1] : !shard.sharding\n"
      "  %0 = shard.shard %a to %s annotate_for_users : tensor<4x4x1x1xf32>\n"
      "  %1 = stablehlo.convolution(%0, %0) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], "
      "window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} "
      ": (tensor<4x4x1x1xf32>, tensor<4x4x1x1xf32>) -> tensor<4x4x1x1xf32>\n"
      "  return %1 : tensor<4x4x1x1xf32>\n}\n");
  const auto program = planned(imported);
  const std::string text = to_text(*program);
  CAPTURE(text);
  CHECK(text.find("all_gather %0/1") != std::string::npos); // of the tiles without their halo
  Dice random(1);
  const std::vector arguments{random_array(imported.graph->type(imported.graph->result(0)), -2, 2, random)};
  const auto whole = kernels::ref::evaluate(*imported.graph, arguments);
  REQUIRE(whole.has_value());
  CHECK(same_values(run_on_devices(*program, arguments)[0], (*whole)[0]));
}

TEST_CASE("what a branch yields is moved where its users are annotated, in front of the return") {
  const std::string text =
      program_of("shard.grid @g(shape = 2)\n"
                 "func.func @main(%x: tensor<12xi32>, %p: tensor<i1>) -> tensor<12xi32> {\n"
                 "  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding\n"
                 "  %w = shard.sharding @g split_axes = [[]] : !shard.sharding\n"
                 "  %0 = shard.shard %x to %w : tensor<12xi32>\n"
                 "  %1 = \"stablehlo.if\"(%p) ({\n"
                 "    %2 = stablehlo.negate %0 : tensor<12xi32>\n"
                 "    %3 = shard.shard %2 to %s : tensor<12xi32>\n"
                 "    %4 = shard.shard %3 to %w annotate_for_users : tensor<12xi32>\n"
                 "    stablehlo.return %4 : tensor<12xi32>\n"
                 "  }, {\n"
                 "    stablehlo.return %0 : tensor<12xi32>\n"
                 "  }) : (tensor<i1>) -> tensor<12xi32>\n"
                 "  %5 = shard.shard %1 to %w : tensor<12xi32>\n"
                 "  return %5 : tensor<12xi32>\n}\n");
  CAPTURE(text);
  const size_t gather = text.find("all_gather");
  REQUIRE(gather != std::string::npos);
  CHECK(gather < text.find("  else ")); // in the branch that needs it
  CHECK(text.find("all_gather", gather + 1) == std::string::npos);
  CHECK(text.find("} -> %1 : i32[12] [{}]") != std::string::npos);
}

TEST_CASE("the op that makes a value follows its annotation where operands are tiled otherwise") {
  const std::string text =
      program_of("shard.grid @g(shape = 2)\n"
                 "func.func @main(%a: tensor<4xf32>, %b: tensor<8xf32>) -> tensor<12xf32> {\n"
                 "  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding\n"
                 "  %t = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, 3, 12] : "
                 "!shard.sharding\n"
                 "  %0 = shard.shard %a to %s : tensor<4xf32>\n"
                 "  %1 = shard.shard %b to %s : tensor<8xf32>\n"
                 "  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<4xf32>, tensor<8xf32>) -> "
                 "tensor<12xf32>\n"
                 "  %3 = shard.shard %2 to %t : tensor<12xf32>\n"
                 "  return %3 : tensor<12xf32>\n}\n");
  CAPTURE(text);
  CHECK(text.find("all_gather") == std::string::npos);
  CHECK(text.find("stablehlo.concatenate %a/1, %b/1 : f32[12] [{g.0}:cuts=[0,3,12]]") != std::string::npos);
}

TEST_CASE("what is annotated is laid out so") {
  const auto imported = import::import_text("shard.grid @grid1d_4(shape = 4)\n"
                                            "func.func @main(%arg0: tensor<4x14xf32>) -> tensor<4x14xf32> {\n"
                                            "  %s = shard.sharding @grid1d_4 split_axes = [[], [0]] "
                                            "sharded_dims_offsets = [0, 2, 5, 9, 14] : !shard.sharding\n"
                                            "  %0 = shard.shard %arg0 to %s : tensor<4x14xf32>\n"
                                            "  %1 = stablehlo.negate %0 : tensor<4x14xf32>\n"
                                            "  return %1 : tensor<4x14xf32>\n}\n",
                                            {});
  REQUIRE_MESSAGE(imported.has_value(), imported.error().message());
  auto mesh = partition::mesh_for(imported->annotations, std::nullopt);
  REQUIRE(mesh.has_value());
  partition::Plan plan(imported->graph, std::move(*mesh));
  const auto notes = partition::apply_annotations(plan, imported->annotations);
  REQUIRE(notes.has_value());
  CHECK(notes->empty());
  const auto program = spmd::lower(plan, {});
  REQUIRE(program.has_value());
  const std::string text = to_text(**program);
  CAPTURE(text);
  CHECK(text.find("cuts=[0,2,5,9,14]") != std::string::npos);
}

} // namespace tw::test_shard_annotated
