// SPDX-License-Identifier: Apache-2.0
// What MLIR's shard dialect demands of several ops, broken once for each of them. Where its documentation
// says what holds, and which test breaks it:
// - a grid is a symbol that resolves, axes are those of the grid and no axis stands twice ("must be
//   non-negative and less than the total number of grid axes"): here, for every op that names some;
// - operands and results "non-0-ranked": here; SameOperandsAndResultElementType, -Rank and -Shape: here, and
//   by sizes in test_shard_constraints.cpp;
// - roots, ends of messages and devices have a coordinate for each axis, within the grid: here where they are
//   values, else in test_shard_constraints.cpp, as are shift_axis ("must be one of grid_axes"), the size of
//   what is split, the attributes that must stand, reductions and their kinds;
// - split_axes has at most as many lists as the array has dimensions, and "at least one"; halo_sizes has two
//   values and sharded_dims_offsets one more than tiles for each sharded dimension, and only one of both may
//   stand: test_shard_constraints.cpp; numbers that no constant decides: here;
// - the four undefined patterns of annotations: test_shard.cpp; unmatched messages: there.
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "one_op_text.hpp"
#include "run_text.hpp"

namespace tw::test_shard_each_op {

using namespace tw::test;

namespace {

struct Op {
  const char *clauses; // of a correct statement, without its name and operand; {} stands for the axes
  const char *name;
  const char *in, *out; // "": takes, or gives, no array
  const char *axes;     // the clause with its axes
  bool function_type;
};

const std::vector<Op> &all_ops() {
  static const std::vector<Op> all = {
      {"on @grid0 grid_axes = {} gather_axis = 1", "all_gather", "6x6xf32", "6x12xf32", "grid_axes", false},
      {"on @grid0 grid_axes = {}", "all_reduce", "6x6xf32", "6x6xf32", "grid_axes", false},
      {"on @grid0 grid_axes = {} slice_axis = 1", "all_slice", "6x6xf32", "6x3xf32", "grid_axes", false},
      {"on @grid0 grid_axes = {} split_axis = 0 concat_axis = 1", "all_to_all", "6x6xf32", "3x12xf32",
       "grid_axes", false},
      {"on @grid0 grid_axes = {} root = [0]", "broadcast", "6x6xf32", "6x6xf32", "grid_axes", true},
      {"on @grid0 grid_axes = {} gather_axis = 1 root = [0]", "gather", "6x6xf32", "6x12xf32", "grid_axes",
       true},
      {"on @grid0 grid_axes = {} source = [0]", "recv", "6x6xf32", "6x6xf32", "grid_axes", true},
      {"on @grid0 grid_axes = {} root = [0]", "reduce", "6x6xf32", "6x6xf32", "grid_axes", true},
      {"on @grid0 grid_axes = {} scatter_axis = 0", "reduce_scatter", "6x6xf32", "3x6xf32", "grid_axes",
       false},
      {"on @grid0 grid_axes = {} scatter_axis = 0 root = [0]", "scatter", "6x6xf32", "3x6xf32", "grid_axes",
       true},
      {"on @grid0 grid_axes = {} destination = [0]", "send", "6x6xf32", "6x6xf32", "grid_axes", true},
      {"on @grid0 grid_axes = {} shift_axis = 0 offset = 1", "shift", "6x6xf32", "6x6xf32", "grid_axes",
       false},
      {"on @grid0 split_axes = [{}] halo_sizes = [1, 1]", "update_halo", "6x6xf32", "6x6xf32", "split_axes",
       false},
      {"on @grid0 axes = {}", "process_multi_index", "", "index", "axes", false},
      {"on @grid0", "process_linear_index", "", "index", "", false},
      {"@grid0 axes = {}", "grid_shape", "", "index", "axes", false},
      {"on @grid0[0, 0] split_axes = {}", "neighbors_linear_indices", "", "index", "split_axes", false},
  };
  return all;
}

std::string tensor(std::string_view type) {
  return type == "index" ? "index" : fmt::format("tensor<{}>", type);
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  const size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

// A program of one op; `stated` is what the op says that it takes, `out` what it gives.
std::string program(const Op &op, const std::string &clauses, std::string_view in, std::string_view stated,
                    std::string_view out) {
  std::string types = tensor(out);
  if (*op.in != '\0' && std::string_view(op.name) != "update_halo")
    types = fmt::format("{} -> {}", op.function_type ? fmt::format("({})", tensor(stated)) : tensor(stated),
                        tensor(out));
  const std::string text =
      fmt::format("shard.{}{} {} : {}", op.name, *op.in == '\0' ? "" : " %0", clauses, types);
  return one_op({2, 3}, text, tensor(in.empty() ? "6x6xf32" : in), tensor(out));
}
std::string program(const Op &op, const std::string &clauses) {
  return program(op, clauses, op.in, op.in, op.out);
}
std::string with_axes(const Op &op, std::string_view axes) {
  return *op.axes == '\0' ? op.clauses : replaced(op.clauses, "{}", axes);
}

// Of the statement, which is on line 3.
std::string refusal(const std::string &text) {
  const std::string error = error_of(text);
  CAPTURE(text);
  CAPTURE(error);
  REQUIRE(error.starts_with("3:"));
  return error;
}
// At `what`, where the statement has it last.
void check_refusal(const std::string &text, std::string_view what, std::string_view error) {
  CAPTURE(text);
  const size_t line = text.find("  %1 = ");
  const size_t at = text.rfind(what, text.find('\n', line));
  REQUIRE(at != std::string::npos);
  CHECK(error_of(text) == fmt::format("3:{}: {}", at - line + 1, error));
}

} // namespace

TEST_CASE("correct statements of every op are read") {
  for (const Op &op : all_ops()) {
    const std::string_view name = op.name;
    if (name == "neighbors_linear_indices")
      continue; // which has two results: test_shard.cpp reads it
    const std::string error = error_of(program(op, with_axes(op, "[0]")));
    CAPTURE(error);
    CHECK((error.empty() || error.find("TW-119") != std::string::npos)); // a message has no other end here
    CHECK((name == "send" || name == "recv") == !error.empty());
  }
}

TEST_CASE("grids and axes of every op") {
  for (const Op &op : all_ops()) {
    const std::string good = with_axes(op, "[0]"), name = fmt::format("shard.{}", op.name);
    check_refusal(program(op, replaced(good, "@grid0", "@other")), "@other",
                  "TW-115: the grid @other is not defined");
    const std::string_view grid = std::string_view(op.name) == "grid_shape" ? "@grid0"
                                  : std::string_view(op.name) == "neighbors_linear_indices"
                                      ? "on @grid0[0, 0]"
                                      : "on @grid0";
    check_refusal(program(op, replaced(good, grid, "")), name,
                  fmt::format("TW-118: {}: the grid is missing: on @grid", name));
    if (*op.axes == '\0')
      continue;
    for (const char *axis : {"2", "-1"})
      check_refusal(program(op, with_axes(op, fmt::format("[{}]", axis))), op.axes,
                    fmt::format("TW-115: {}: the grid @grid0 of shape 2x3 has no axis {}: they are 0 to 1",
                                name, axis));
    check_refusal(program(op, with_axes(op, "[0, 0]")), op.axes,
                  fmt::format("TW-115: {}: axis 0 is named twice", name));
  }
}

TEST_CASE("what every op takes and gives") {
  for (const Op &op : all_ops()) {
    const std::string_view name = op.name;
    const std::string good = with_axes(op, "[0]"), full = fmt::format("shard.{}", name);
    if (*op.in == '\0')
      continue;
    if (name != "update_halo") // which states one type
      check_refusal(program(op, good, op.in, "6x7xf32", op.out), "%0",
                    fmt::format("TW-110: {}: operand 0 has type tensor<6x6xf32>, but tensor<6x7xf32> is "
                                "stated",
                                full));
    // An array without dimensions.
    const bool reduces = name == "all_reduce" || name == "reduce";
    if (reduces || name == "broadcast") {
      CHECK(error_of(program(op, good, "f32", "f32", "f32")).empty());
    } else {
      const std::string error = refusal(program(op, good, "f32", "f32", "f32"));
      CHECK(error.find(fmt::format("{}: ", full)) != std::string::npos);
      CHECK((error.find("tensor<f32> has no dimensions, and the op takes arrays of at least one") !=
                 std::string::npos ||
             error.find("and tensor<f32> has 0 dimensions") != std::string::npos));
    }
    // Another element type, which reductions alone convert to.
    const std::string other = replaced(op.out, "f32", "f64");
    if (reduces || name == "reduce_scatter") {
      CHECK(error_of(program(op, good, op.in, op.in, other)).empty());
    } else {
      const std::string error = refusal(program(op, good, op.in, op.in, other));
      CHECK(error.starts_with("3:8: TW-11")); // at the op
      CHECK(
          (error.find(fmt::format("{}: tensor<6x6xf32> becomes {}: the element types differ", full,
                                  tensor(other))) != std::string::npos ||
           error.find(fmt::format("{}: its result has the type of its operand", full)) != std::string::npos ||
           error.find(fmt::format("{}: result 0 is tensor<6x6xf32>, but tensor<6x6xf64> is stated", full)) !=
               std::string::npos));
    }
  }
}

TEST_CASE("the attributes of every op") {
  constexpr std::string_view kDims[] = {"gather_axis", "slice_axis", "split_axis", "concat_axis",
                                        "scatter_axis"};
  constexpr std::string_view kOthers[] = {"root", "destination", "shift_axis", "offset"};
  for (const Op &op : all_ops()) {
    const std::string good = with_axes(op, "[0]"), full = fmt::format("shard.{}", op.name);
    const auto without = [&](std::string_view clause) {
      const size_t at = good.find(fmt::format(" {} = ", clause));
      return good.substr(0, at) + good.substr(std::min(good.find(' ', at + clause.size() + 4), good.size()));
    };
    for (const std::string_view dim : kDims) {
      const size_t at = good.find(fmt::format("{} = ", dim));
      if (at == std::string::npos)
        continue;
      check_refusal(program(op, without(dim)), full, fmt::format("TW-118: {}: {} is missing", full, dim));
      for (const char *wrong : {"-1", "2"}) {
        std::string text = good;
        text.replace(at + dim.size() + 3, 1, wrong);
        check_refusal(
            program(op, text), dim,
            fmt::format("TW-118: {}: {} is {}, and tensor<6x6xf32> has 2 dimensions", full, dim, wrong));
      }
      check_refusal(program(op, fmt::format("{} {} = 0", good, dim)), dim, // at the second one
                    fmt::format("TW-118: {}: {} is said twice", full, dim));
    }
    for (const std::string_view name : kOthers)
      if (good.find(fmt::format(" {} = ", name)) != std::string::npos)
        check_refusal(program(op, without(name)), full, fmt::format("TW-118: {}: {} is missing", full, name));
    if (std::string_view(op.name) != "neighbors_linear_indices")
      check_refusal(program(op, good + " sort_axis = 0"), "sort_axis",
                    fmt::format("TW-118: {}: it has no sort_axis", full));
    if (full.find("reduce") == std::string::npos)
      continue;
    check_refusal(program(op, good + " reduction = <generic>"), "<generic>",
                  fmt::format("TW-118: {}: a generic reduction says no function: choose sum, max, min, "
                              "product, average, bitwise_and, bitwise_or or bitwise_xor",
                              full));
    check_refusal(program(op, good + " reduction = <most>"), "<most>",
                  fmt::format("TW-118: {}: there is no reduction 'most': sum, max, min, product, average, "
                              "bitwise_and, bitwise_or and bitwise_xor are known",
                              full));
    check_refusal(program(op, good + " reduction = <bitwise_or>"), full,
                  fmt::format("TW-118: {}: the reduction bitwise_or has no meaning for f32", full));
  }
}

namespace {

std::string about_shardings(std::string_view body) {
  return fmt::format("shard.grid @g(shape = 4)\n"
                     "func.func @main(%0: tensor<8x6xf32>, %n: i64, %f: f32) -> tensor<8x6xf32> {{\n"
                     "  %c9 = arith.constant 9 : index\n{}  return %0 : tensor<8x6xf32>\n}}\n",
                     body);
}

} // namespace

TEST_CASE("numbers that are values, and what shardings are asked") {
  const auto refused = [](std::string_view body, std::string_view error) {
    const std::string text = about_shardings(body);
    CAPTURE(text);
    CHECK(error_of(text) == error);
  };
  refused(
      "  %s = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, 1, %n, 3, 8] : "
      "!shard.sharding\n",
      "4:45: TW-116: shard.sharding: number 2 of sharded_dims_offsets is not known: constants must decide "
      "it");
  refused("  %s = shard.sharding @g split_axes = [[0]] halo_sizes = [1, %f] : !shard.sharding\n",
          "4:62: TW-118: shard.sharding: halo_sizes takes whole numbers, and this is tensor<f32>");
  refused("  %s = shard.sharding @g split_axes = [[-1]] : !shard.sharding\n",
          "4:26: TW-115: shard.sharding: the grid @g of shape 4 has no axis -1: they are 0 to 0");
  refused("  %s = shard.sharding @g split_axes = [0] : !shard.sharding\n",
          "4:40: TW-118: shard.sharding: split_axes is a list of lists, such as [[0], [1, 2]]");
  refused("  %s = shard.sharding @g : !shard.sharding\n",
          "4:8: TW-118: shard.sharding: split_axes is missing");
  refused("  %s = shard.sharding @g split_axes = [[0]] halo_sizes = [1, 1, 1, 1] : !shard.sharding\n",
          "4:45: TW-116: shard.sharding: 4 halo sizes, and there are two for each of 1 sharded dimensions");
  const std::string sharding = "  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding\n";
  refused(sharding + "  %1 = shard.shard %0 : tensor<8x6xf32>\n",
          "5:8: TW-118: shard.shard: the sharding is missing");
  refused(sharding + "  %1 = shard.shard %s to %s : tensor<8x6xf32>\n",
          "5:20: TW-116: %s is a sharding, and an array is expected here");
  refused(sharding + "  %1 = shard.shard %0 to %0 : tensor<8x6xf32>\n",
          "5:26: TW-116: this is no sharding: a value of shard.sharding or shard.get_sharding is expected");
  refused("  %t = shard.get_sharding %0 : tensor<8x7xf32> -> !shard.sharding\n",
          "4:27: TW-110: shard.get_sharding: operand 0 has type tensor<8x6xf32>, but tensor<8x7xf32> is "
          "stated");
  refused(sharding + "  %e = shard.shard_shape dims = [8] sharding = %s device = [0] : index\n",
          "5:26: TW-116: shard.shard_shape: 1 dimensions, and the sharding @g split_axes = [[], [0]] speaks "
          "of 2");
  refused(sharding + "  %e:2 = shard.shard_shape dims = [8, 6] sharding = %s device = [%c9] : index, index\n",
          "5:56: TW-115: shard.shard_shape: coordinate 0 is 9, and axis 0 of @g has size 4");
  refused(sharding + "  %e:2 = shard.shard_shape dims = [8, 6] sharding = %s : index, index\n",
          "5:10: TW-118: shard.shard_shape: device is missing");
}

TEST_CASE("roots and ends of messages that are values") {
  for (const Op &op : all_ops())
    for (const char *end : {"root", "destination", "source"}) {
      const std::string good = with_axes(op, "[0]"), full = fmt::format("shard.{}", op.name);
      if (good.find(fmt::format(" {} = ", end)) == std::string::npos)
        continue;
      const std::string text =
          fmt::format("shard.grid @grid0(shape = 2x3)\n"
                      "func.func @main(%0: {0}, %n: index) -> {1} {{\n  %c5 = arith.constant 5 : index\n"
                      "  %1 = {2} %0 {3} : ({0}, index) -> {1}\n  return %1 : {1}\n}}\n",
                      tensor(op.in), tensor(op.out), full, good);
      const std::string far = error_of(replaced(text, "[0] :", "[%c5] :")),
                        open = error_of(replaced(text, "[0] :", "[%n] :"));
      CAPTURE(far);
      CAPTURE(open);
      const bool is_root = std::string_view(end) == "root";
      CHECK(far.find(is_root ? fmt::format("TW-118: {}: coordinate 0 of the root is 5, and axis 0 of @grid0 "
                                           "has size 2",
                                           full)
                             : fmt::format("TW-118: {}: coordinate 0 of {} is 5 on device (0, 0), and axis 0 "
                                           "of @grid0 has size 2",
                                           full, end)) != std::string::npos);
      // Who sends to whom is decided while the text is read.
      CHECK(open.find(fmt::format("{}: {}: coordinate 0 of {} is not known", is_root ? "TW-118" : "TW-119",
                                  full, end)) != std::string::npos);
    }
}

namespace {

// On a grid of 2x3; %i and %j are a device's coordinates.
std::string on_devices(std::string_view body) {
  return fmt::format("shard.grid @g(shape = 2x3)\n"
                     "func.func @main(%0: tensor<6x6xi32>, %p: tensor<i1>) -> tensor<6x6xi32> {{\n"
                     "  %i, %j = shard.process_multi_index on @g : index, index\n"
                     "  %c0 = arith.constant 0 : index\n{}  return %r : tensor<6x6xi32>\n}}\n",
                     body);
}

std::string in_branch(std::string_view decision, std::string_view axes) {
  return on_devices(fmt::format(
      "{}  %r = \"stablehlo.if\"(%d) ({{\n"
      "    %a = shard.all_reduce %0 on @g grid_axes = [{}] : tensor<6x6xi32> -> tensor<6x6xi32>\n"
      "    stablehlo.return %a : tensor<6x6xi32>\n  }}, {{\n    stablehlo.return %0 : tensor<6x6xi32>\n  "
      "}}) : (tensor<i1>) -> tensor<6x6xi32>\n",
      decision, axes));
}

} // namespace

TEST_CASE("all members of a group mean one root, which is one of them") {
  const auto rooted = [](std::string_view before, std::string_view root) {
    return error_of(on_devices(fmt::format(
        "{}  %r = shard.broadcast %0 on @g grid_axes = [0] root = [{}] : (tensor<6x6xi32>, index) -> "
        "tensor<6x6xi32>\n",
        before, root)));
  };
  CHECK(rooted("", "%i") ==
        "5:49: TW-118: shard.broadcast: the root is device (1, 0) on device (1, 0), and device (0, 0) on "
        "device (0, 0) of its group: all devices of a group must mean the same one");
  CHECK(rooted("", "%j") == "5:49: TW-118: shard.broadcast: coordinate 0 of the root is 2 on device (0, 2), "
                            "and axis 0 of @g has size 2");
  CHECK(
      rooted("  %n = arith.subi %c0, %j : index\n", "%n") ==
      "6:49: TW-118: shard.broadcast: coordinate 0 of the root is -1 on device (0, 1), and axis 0 of @g has "
      "size 2");
  const std::string half = "  %c2 = arith.constant 2 : index\n  %h = arith.remui %j, %c2 : index\n";
  CHECK(rooted(half, "%h") == ""); // another one for each group
}

TEST_CASE("a collective in a branch is run by all devices of a group or by none") {
  const std::string by_row = "  %d = arith.cmpi eq, %i, %c0 : index\n",
                    of_data = "  %d = stablehlo.not %p : tensor<i1>\n";
  CHECK(error_of(in_branch(by_row, "1")) == "");
  CHECK(
      error_of(in_branch(by_row, "0")) ==
      "7:10: TW-118: shard.all_reduce stands in a branch that device (0, 0) takes, and device (1, 0) of its "
      "group does not: all devices of a group run it, or none");
  CHECK(error_of(in_branch(of_data, "1")) == ""); // each runs both branches
  // What was folded along the rows is the same on all devices of a row.
  const std::string folded = "  %q = stablehlo.reshape %p : (tensor<i1>) -> tensor<1xi1>\n"
                             "  %f = shard.all_reduce %q on @g grid_axes = [1] reduction = <max> : "
                             "tensor<1xi1> -> tensor<1xi1>\n"
                             "  %d = stablehlo.reshape %f : (tensor<1xi1>) -> tensor<i1>\n";
  CHECK(error_of(in_branch(folded, "1")) == "");
}

TEST_CASE("halos have two sizes for each sharded dimension, and indices of devices make device-local code") {
  CHECK(error_of(about_shardings(
            "  %s = shard.sharding @g split_axes = [[0]] halo_sizes = [1] : !shard.sharding\n")) ==
        "4:45: TW-116: shard.sharding: 1 halo sizes, and there are two for each of 1 sharded dimensions");
  CHECK(error_of(on_devices("  %r = shard.update_halo %0 on @g split_axes = [[0], [1]] halo_sizes = [1, 1] : "
                            "tensor<6x6xi32>\n")) ==
        "5:59: TW-116: shard.update_halo: 2 halo sizes, and there are two for each of 2 sharded dimensions");
  const auto neighbours = import::import_text(
      "shard.grid @g(shape = 4)\nfunc.func @main(%i: index) -> (index, index) {\n"
      "  %c1 = arith.constant 1 : index\n"
      "  %d, %u = shard.neighbors_linear_indices on @g[%c1] split_axes = [0] : index, index\n"
      "  return %d, %u : index, index\n}\n",
      {});
  REQUIRE(neighbours.has_value());
  CHECK(neighbours->grid_rank == 1);
}

} // namespace tw::test_shard_each_op
