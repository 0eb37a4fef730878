// SPDX-License-Identifier: Apache-2.0
// Rooted collectives of the shard dialect move from or to the root alone: each device receives what it lacks,
// the root of a broadcast or scatter nothing, and a group that does not run the op nothing either.
#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "grid_devices.hpp"
#include "kernels/ref/evaluate.hpp"
#include "planned_text.hpp"
#include "redistribute/exchange.hpp"
#include "redistribute/problem.hpp"
#include "redistribute/received.hpp"
#include "support/number_of.hpp"
#include "support/random_program.hpp"

namespace tw::test_shard_roots {

using namespace tw::test;

namespace {

constexpr int64_t kRows = 216, kBytes = kRows * int64_t{sizeof(int32_t)}; // of what each device holds

// One op, for groups along some axes of a grid; in a branch only those groups run it whose devices have a
// coordinate along another axis.
struct Program {
  Devices devices;
  std::string op;
  Ints axes, root;
  int64_t axis_of_root = -1;   // whose coordinate along this axis is the root, where there is one axis
  int64_t axis_of_branch = -1; // along which devices at coordinate 0 run it

  explicit Program(Dice &random) {
    for (int64_t rank = random.between(1, 3); rank > 0; --rank)
      devices.sizes.push_back(random.between(1, 3));
    op = random.pick(std::vector<std::string>{"broadcast", "gather", "reduce", "scatter"});
    Ints all(devices.sizes.size());
    for (size_t i = 0; i < all.size(); ++i)
      std::swap(all[i] = static_cast<int64_t>(i),
                all[static_cast<size_t>(random.below(static_cast<int64_t>(i) + 1))]);
    axes.assign(all.begin(), all.begin() + random.between(1, std::ssize(all)));
    for (const int64_t axis : axes)
      root.push_back(random.below(devices.sizes[static_cast<size_t>(axis)]));
    for (const int64_t axis : all)
      if (std::ranges::count(axes, axis) == 0 && random.chance(2)) {
        const bool fits = axes.size() == 1 && devices.sizes[static_cast<size_t>(axis)] <=
                                                  devices.sizes[static_cast<size_t>(axes[0])];
        (fits && axis_of_root < 0 ? axis_of_root : axis_of_branch) = axis;
      }
  }

  int64_t size() const { return devices.group_size(axes); }
  int64_t rows() const { return op == "gather" ? kRows * size() : op == "scatter" ? kRows / size() : kRows; }
  bool runs(int64_t device) const {
    return axis_of_branch < 0 || devices.coordinates(device)[static_cast<size_t>(axis_of_branch)] == 0;
  }
  int64_t root_of(int64_t device) const {
    const Ints at =
        axis_of_root < 0 ? root : Ints{devices.coordinates(device)[static_cast<size_t>(axis_of_root)]};
    return devices.member(device, axes, at);
  }
  int64_t received(int64_t device) const {
    const bool is_root = root_of(device) == device;
    if (!runs(device) || is_root == (op == "broadcast" || op == "scatter"))
      return 0;
    return op == "broadcast" ? kBytes : op == "scatter" ? kBytes / size() : kBytes * (size() - 1);
  }

  std::string text() const {
    const auto type = [](int64_t n) { return fmt::format("tensor<{}xi32>", n); };
    std::string body, root_text = fmt::format("{}", fmt::join(root, ", ")), operands = type(kRows);
    const auto index = [&](const char *name, int64_t axis) {
      body += fmt::format("  {} = shard.process_multi_index on @g axes = [{}] : index\n", name, axis);
    };
    if (axis_of_root >= 0) {
      index("%at", axis_of_root);
      root_text = "%at";
      operands += ", index";
    }
    const char *clause = op == "gather" ? "gather_axis = 0 " : op == "scatter" ? "scatter_axis = 0 " : "";
    const std::string line =
        fmt::format("shard.{} %x on @g grid_axes = [{}] {}root = [{}] : ({}) -> {}\n", op,
                    fmt::join(axes, ", "), clause, root_text, operands, type(rows()));
    if (axis_of_branch < 0) {
      body += "  %r = " + line;
    } else {
      index("%place", axis_of_branch);
      body +=
          fmt::format("  %first = arith.constant 0 : index\n"
                      "  %here = arith.cmpi eq, %place, %first : index\n"
                      "  %none = stablehlo.constant dense<0> : {1}\n"
                      "  %r = \"stablehlo.if\"(%here) ({{\n    %made = {0}    stablehlo.return %made : {1}\n"
                      "  }}, {{\n    stablehlo.return %none : {1}\n  }}) : (i1) -> {1}\n",
                      line, type(rows()));
    }
    return fmt::format(
        "shard.grid @g(shape = {})\nfunc.func @main(%x: {}) -> {} {{\n{}  return %r : {}\n}}\n",
        fmt::join(devices.sizes, "x"), type(kRows), type(rows()), body, type(rows()));
  }

  TextPiece made(const Pieces &pieces, int64_t device) const {
    const Ints group = devices.group(device, axes);
    const int64_t root = root_of(device);
    Pieces members;
    for (const int64_t member : group)
      members.push_back(pieces[static_cast<size_t>(member)]);
    if (!runs(device) || (root != device && (op == "gather" || op == "reduce")))
      return zeros_of({rows()});
    if (op == "broadcast")
      return pieces[static_cast<size_t>(root)];
    if (op == "scatter")
      return part_of(pieces[static_cast<size_t>(root)], 0, devices.number_in_group(device, axes), size());
    return op == "gather" ? join_parts(members, 0) : fold(members, std::plus<>());
  }
};

} // namespace

TEST_CASE("random rooted collectives, by what each device receives") {
  uint64_t in_branches = 0;
  const uint64_t programs = test::slice_of(600, 100);
  for (uint64_t seed = 1; seed <= programs; ++seed) {
    Dice random(seed);
    const Program drawn(random);
    const std::string text = drawn.text();
    CAPTURE(seed);
    CAPTURE(text);
    const import::Imported imported = imported_text(text);
    const auto program = planned(imported);
    CAPTURE(to_text(*program));

    std::vector<int64_t> received(static_cast<size_t>(drawn.devices.count()), 0);
    for (const spmd::Collective &c : program->collectives()) {
      const spmd::Instr &instr = program->instrs()[c.instr];
      for (uint32_t i = 0; i < instr.num_operands; ++i) {
        const spmd::Value &from = program->values()[program->operands(instr)[i]],
                          &to = program->values()[instr.first_result + i];
        const auto moved = redistribute::bytes_received(
            redistribute::Problem::within(program->mesh(), program->graph().type(from.origin),
                                          program->sharding(from.sharding), program->sharding(to.sharding)));
        for (size_t device = 0; device < moved.size(); ++device)
          received[device] += moved[device];
      }
    }
    for (int64_t device = 0; device < drawn.devices.count(); ++device) {
      CAPTURE(device);
      CHECK(received[static_cast<size_t>(device)] == drawn.received(device));
    }

    const graph::OpId argument = imported.graph->arguments()[0];
    const kernels::ref::Array input =
        random_array(imported.graph->type(imported.graph->result(argument)), -9, 9, random);
    Pieces pieces;
    for (int64_t device = 0; device < drawn.devices.count(); ++device)
      pieces.push_back(make_piece({kRows}, [&](const Ints &index) -> int64_t {
        int32_t element = 0;
        std::memcpy(&element, input.bytes.data() + device * kBytes + index[0] * 4, sizeof element);
        return element;
      }));
    const kernels::ref::Array made = run_on_devices(*program, {input})[0];
    for (int64_t device = 0; device < drawn.devices.count(); ++device)
      for (int64_t row = 0; row < drawn.rows(); ++row) {
        int32_t element = 0;
        std::memcpy(&element, made.bytes.data() + (device * drawn.rows() + row) * 4, sizeof element);
        REQUIRE(element == drawn.made(pieces, device)({row}));
      }
    in_branches += drawn.axis_of_branch >= 0 ? 1 : 0;
  }
  CHECK(in_branches * 12 > programs);
}

} // namespace tw::test_shard_roots
