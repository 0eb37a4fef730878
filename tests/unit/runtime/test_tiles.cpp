// SPDX-License-Identifier: Apache-2.0
// Runs that take and give tiles: the caller's tiles are read where they lie, results are made in those that
// are donated, and all is as with whole arrays.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "kernels/cpu/copy.hpp"
#include "ops/strided.hpp"
#include "partition/plan.hpp"
#include "runtime/executable.hpp"
#include "spmd/program.hpp"
#include "support/donating.hpp"
#include "support/number_of.hpp"
#include "support/random_program.hpp"
#include "unit/runtime/step_program.hpp"

namespace tw::test_tiles {

using namespace tw::test;
using runtime::Executable;
using runtime::Tensor;
using runtime::TensorView;

namespace {

Tensor cut(const Tensor &whole, const sharding::Box &box) {
  Tensor tile({whole.type().dtype, box.extent});
  const auto size = static_cast<int64_t>(graph::byte_size(whole.type().dtype));
  const auto strides = ops::dense_strides(whole.type().dims);
  int64_t offset = 0;
  for (size_t d = 0; d < box.rank(); ++d)
    offset += box.offset[d] * strides[d];
  if (!box.empty())
    kernels::cpu::CopyPlan(box.extent, strides, ops::dense_strides(box.extent), size)
        .run(whole.data() + offset * size, tile.data());
  return tile;
}

bool same_bytes(const Tensor &a, const Tensor &b) {
  return a.type() == b.type() && std::memcmp(a.data(), b.data(), static_cast<size_t>(a.type().bytes())) == 0;
}

std::shared_ptr<Executable> executable_of(const std::shared_ptr<const spmd::Program> &program, bool tiles,
                                          bool donate, unsigned workers) {
  runtime::Options options;
  options.tiles = tiles;
  options.donate = donate;
  options.workers = workers;
  auto made = Executable::create(program, std::move(options));
  return made ? *made : nullptr; // not every random program can be run
}

struct Counts {
  size_t runs = 0, donated = 0, shared_donated = 0, one_memory = 0;
};

// Runs with whole arrays, and with tiles of which some are donated.
void compare(const std::shared_ptr<const spmd::Program> &program, Dice &random, Counts &counts) {
  const graph::Graph &graph = program->graph();
  const auto whole = executable_of(program, false, false, 1);
  const auto tiled = executable_of(program, true, true, static_cast<unsigned>(1 + random.below(2)));
  if (whole == nullptr || tiled == nullptr)
    return;
  std::vector<Tensor> arguments, results;
  std::vector<TensorView> inputs, outputs;
  for (const auto &array : random_inputs(graph, -3, 3, random)) {
    arguments.emplace_back(array.type);
    std::ranges::copy(array.bytes, arguments.back().data());
  }
  for (const graph::OpId op : graph.results())
    results.emplace_back(graph.type(graph.operands(op)[0]));
  for (Tensor &t : arguments)
    inputs.push_back(t.view());
  for (Tensor &t : results)
    outputs.push_back(t.view());
  if (!whole->run(inputs, outputs))
    return;

  const auto n = static_cast<size_t>(program->mesh().num_devices());
  std::vector<Tensor> given, made;
  for (size_t i = 0; i < tiled->argument_tiles().size(); ++i)
    given.push_back(cut(arguments[i / n], tiled->argument_tiles()[i]));
  for (size_t i = 0; i < tiled->result_tiles().size(); ++i)
    made.emplace_back(graph::TensorType{results[i / n].type().dtype, tiled->result_tiles()[i].extent});
  std::vector<TensorView> takes, gives;
  for (Tensor &t : given)
    takes.push_back(t.view());
  for (Tensor &t : made)
    gives.push_back(t.view());
  // Others than the owner's are not read: they may hold anything, or be the owner's.
  std::vector<bool> is_read(given.size(), true);
  for (size_t i = 0; i < given.size(); ++i)
    if (const uint32_t owner = tiled->argument_owners()[i]; owner != i && random.chance(2)) {
      takes[i] = takes[owner];
    } else if (owner != i) {
      is_read[i] = false;
      std::memset(given[i].data(), 0x5a, static_cast<size_t>(given[i].type().bytes()));
    }
  for (size_t a = 0; a < arguments.size(); ++a) {
    const uint32_t result = tiled->donated_to(a);
    if (result == graph::kNone)
      continue;
    ++counts.donated;
    if (n > 1 && tiled->argument_tiles()[a * n] == tiled->argument_tiles()[a * n + n - 1])
      ++counts.shared_donated;
    for (size_t k = 0; k < n; ++k)
      if (const uint32_t owner = tiled->argument_owners()[a * n + k];
          owner != a * n + k && takes[owner].data == takes[a * n + k].data)
        gives[result * n + k] = gives[result * n + owner % n];
      else if (random.chance(2)) // else it is copied out of there
        gives[result * n + k] = takes[a * n + k];
  }
  for (size_t i = 0; i < gives.size(); ++i)
    if (const uint32_t owner = tiled->result_owners()[i]; owner != i && random.chance(2)) {
      ++counts.one_memory;
      gives[i] = gives[owner];
    }
  const Status status = tiled->run(takes, gives);
  REQUIRE_MESSAGE(status.has_value(), status.error().message());
  ++counts.runs;
  for (size_t i = 0; i < gives.size(); ++i) {
    const Tensor wanted = cut(results[i / n], tiled->result_tiles()[i]);
    CHECK_MESSAGE(std::memcmp(gives[i].data, wanted.data(), static_cast<size_t>(wanted.type().bytes())) == 0,
                  graph.result_name(static_cast<uint32_t>(i / n)), " on device ", i % n);
  }
  for (size_t i = 0; i < given.size(); ++i)
    if (is_read[i] && tiled->donated_to(i / n) == graph::kNone)
      CHECK(same_bytes(given[i], cut(arguments[i / n], tiled->argument_tiles()[i])));
}

} // namespace

TEST_CASE("runs on tiles, some of them donated, give what runs on whole arrays give") {
  Counts counts;
  for (uint64_t seed = 1; seed <= slice_of(4000, 500); ++seed) {
    CAPTURE(seed);
    Dice random(seed);
    const auto graph = donating(*random_program(random).graph, random);
    sharding::Mesh mesh = random_mesh(random);
    if (random.chance(4))
      mesh = with_random_loops(mesh, random);
    partition::Plan plan(graph, mesh);
    static_cast<void>(random_actions(plan, random));
    if (const auto program = spmd::lower(plan, {}))
      compare(*program, random, counts);
  }
  CHECK(counts.runs > 300);
  CHECK(counts.donated > 20);
  CHECK(counts.shared_donated > 5);
  CHECK(counts.one_memory > 100);
}

TEST_CASE("tiles of a state are updated where they lie") {
  const auto graph = descent(kFirst, kSecond);
  for (const char *spec : {"tile(arg=x, dim=0, axis=d); infer-propagate", // p and q whole, and shared
                           "tile(arg=p, dim=1, axis=d); infer-propagate"}) {
    partition::Plan plan(graph, mesh("d=4"));
    act(plan, spec);
    const auto program = spmd::lower(plan, {});
    REQUIRE(program.has_value());
    const auto plain = executable_of(*program, true, false, 2),
               donates = executable_of(*program, true, true, 2);
    CHECK(plain->donated_to(0) == graph::kNone);
    CHECK(donates->donated_to(0) == 0);
    CHECK(donates->donated_to(1) == 1);
    CHECK(donates->peak_bytes({}) <= plain->peak_bytes({}));
    Dice random(1);
    Counts counts;
    compare(*program, random, counts);
    CHECK(counts.donated == 2);
  }
}

TEST_CASE("memory of a donated tile is nobody else's") {
  partition::Plan plan(descent(kFirst, ""), mesh("d=2"));
  act(plan, "tile(arg=p, dim=1, axis=d); infer-propagate");
  const auto program = spmd::lower(plan, {});
  REQUIRE(program.has_value());
  const auto executable = executable_of(*program, true, true, 1);
  std::vector<Tensor> tensors;
  std::vector<TensorView> inputs, outputs;
  for (const bool is_result : {false, true})
    for (const sharding::Box &box : is_result ? executable->result_tiles() : executable->argument_tiles())
      tensors.emplace_back(graph::TensorType{graph::DType::f32, box.extent});
  const size_t takes = executable->argument_tiles().size();
  for (size_t i = 0; i < tensors.size(); ++i)
    (i < takes ? inputs : outputs).push_back(tensors[i].view());
  const auto refused = [&] {
    const Status status = executable->run(inputs, outputs);
    REQUIRE(!status.has_value());
    return std::string(status.error().info().id) + " " + status.error().message();
  };
  const auto good = outputs;
  outputs[1] = inputs[0];
  CHECK(
      refused() ==
      "TW-628 the tile of p on device 0 is donated, and the tile of out0 on device 1 has some of its memory");
  outputs = good;
  outputs[0] = inputs[0]; // its own
  CHECK(executable->run(inputs, outputs).has_value());
}

TEST_CASE("tiles of one owner may be one array, others may not") {
  partition::Plan plan(descent(kFirst, ""), mesh("c=2,d=2"));
  act(plan, "tile(arg=p, dim=1, axis=d); infer-propagate");
  const auto program = spmd::lower(plan, {});
  REQUIRE(program.has_value());
  const auto executable = executable_of(*program, true, true, 1);
  CHECK(std::ranges::equal(executable->result_owners().first(4), std::vector<uint32_t>{0, 1, 0, 1}));
  std::vector<Tensor> tensors;
  std::vector<TensorView> inputs, outputs;
  for (const bool is_result : {false, true})
    for (const sharding::Box &box : is_result ? executable->result_tiles() : executable->argument_tiles())
      tensors.emplace_back(graph::TensorType{graph::DType::f32, box.extent});
  const size_t takes = executable->argument_tiles().size();
  for (size_t i = 0; i < tensors.size(); ++i)
    (i < takes ? inputs : outputs).push_back(tensors[i].view());
  for (const size_t k : {0, 1, 2, 3})
    inputs[k] = outputs[k] = tensors[k % 2].view();
  const Status shared = executable->run(inputs, outputs);
  CHECK_MESSAGE(shared.has_value(), shared.error().message());
  inputs[1] = inputs[0]; // another tile
  const Status mixed = executable->run(inputs, outputs);
  REQUIRE(!mixed.has_value());
  CHECK(mixed.error().info().id == std::string("TW-628"));
}

} // namespace tw::test_tiles
