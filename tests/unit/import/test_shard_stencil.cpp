// SPDX-License-Identifier: Apache-2.0
// Stencils with explicit halos, in loops of 100 steps: an annotated program over tiles of several sizes, and
// the code of one device. Both give what the whole program gives, and move nothing but halos.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "grid_devices.hpp"
#include "kernels/ref/evaluate.hpp"
#include "planned_text.hpp"
#include "support/halo_text.hpp"
#include "support/stencil_text.hpp"

namespace tw::test_shard_stencil {

using namespace tw::test;

namespace {

using stencil::annotated;
using stencil::cuts_of;
using stencil::given;
using stencil::local_code;
using stencil::more;
using stencil::whole_code;

// One move a step, of as many bytes as a device has in its halo inside the array.
void check_moves(const spmd::Program &program, const Ints &dims, int64_t width) {
  const sharding::Mesh &mesh = program.mesh();
  int64_t most = 0;
  for (sharding::Position p; p < mesh.num_devices(); ++p) {
    int64_t tile = 1, wide = 1;
    for (size_t d = 0; d < dims.size(); ++d) {
      const auto axis = static_cast<sharding::AxisId>(d);
      const Ints cuts = cuts_of(dims[d], mesh.size(axis));
      const auto t = static_cast<size_t>(mesh.coordinate(p, axis));
      tile *= cuts[t + 1] - cuts[t];
      wide *= std::min(cuts[t + 1] + width, dims[d]) - std::max<int64_t>(cuts[t] - width, 0);
    }
    most = std::max(most, (wide - tile) * int64_t{sizeof(int32_t)});
  }
  int moves = 0;
  for (const spmd::Collective &c : program.collectives())
    if (c.summary.kind != redistribute::Kind::copy) {
      ++moves;
      CHECK(c.summary.kind == redistribute::Kind::exchange);
      CHECK(c.summary.bytes_received_max == most);
    }
  CHECK(moves == 1);
}

struct Case {
  Ints grid, dims;
};

} // namespace

TEST_CASE("an annotated stencil on uneven tiles moves halos alone") {
  Dice random(1);
  for (const Case &c : {Case{{3, 2}, {13, 11}}, Case{{2, 2, 2}, {11, 8, 9}}})
    for (int64_t width = 1; width <= 3; ++width) {
      const Ints &grid = c.grid, &dims = c.dims;
      const std::string text = annotated(grid, dims, width);
      CAPTURE(text);
      const import::Imported imported = imported_text(text);
      const std::vector<kernels::ref::Array> arguments{
          random_array({graph::DType::s32, dims}, -9, 9, random)};
      const auto whole = kernels::ref::evaluate(*imported.graph, arguments);
      REQUIRE(whole.has_value());
      const auto program = planned(imported);
      CAPTURE(to_text(*program));
      check_moves(*program, dims, width);
      CHECK(run_on_devices(*program, arguments)[0].bytes == (*whole)[0].bytes);
    }
}

TEST_CASE("an argument is handed out with its halos, and reading inside them moves nothing") {
  Dice random(3);
  for (const Case &c : {Case{{4}, {16}}, Case{{3}, {13}}, Case{{5}, {7}}, Case{{9}, {7}},
                        Case{{3, 2}, {13, 11}}, Case{{2, 9}, {8, 7}}, Case{{2, 2, 2}, {11, 8, 9}}})
    for (int64_t width = 1; width <= 3; ++width) {
      const Ints &grid = c.grid, &dims = c.dims;
      if (std::ranges::min(dims) < 2 * width + 2)
        continue; // what is read at one known place is sent from there
      const std::string text = given(grid, dims, width);
      CAPTURE(text);
      const import::Imported imported = imported_text(text);
      const std::vector<kernels::ref::Array> arguments{
          random_array({graph::DType::s32, dims}, -9, 9, random)};
      const auto whole = kernels::ref::evaluate(*imported.graph, arguments);
      REQUIRE(whole.has_value());
      const auto program = planned(imported);
      CAPTURE(to_text(*program));
      CHECK(spmd::find_statistics(*program).bytes_received_max == 0);
      CHECK(run_on_devices(*program, arguments)[0].bytes == (*whole)[0].bytes);

      const spmd::Instr &argument = program->instrs()[0];
      REQUIRE(argument.kind == spmd::InstrKind::argument);
      for (sharding::Position p; p < program->mesh().num_devices(); ++p)
        for (size_t d = 0; d < dims.size(); ++d) {
          const Ints cuts = cuts_of(dims[d], grid[d]);
          const auto t = static_cast<size_t>(program->mesh().coordinate(p, static_cast<sharding::AxisId>(d)));
          const sharding::Box box = box_of(program->handed_out(argument), dims, program->mesh(), p);
          CHECK(box.offset[d] == cuts[t] - width);
          CHECK(box.offset[d] + box.extent[d] == cuts[t + 1] + width);
        }
    }
}

TEST_CASE("the stencil of one device's code is one exchange a step") {
  Dice random(2);
  for (const Case &c : {Case{{3, 2}, {4, 3}}, Case{{2, 2, 2}, {2, 3, 2}}})
    for (int64_t width = 1; width <= 3; ++width) {
      const Ints &grid = c.grid, &dims = c.dims;
      Ints all = dims;
      for (size_t d = 0; d < dims.size(); ++d)
        all[d] *= grid[d];
      const std::vector<kernels::ref::Array> whole{random_array({graph::DType::s32, all}, -9, 9, random)};
      const auto expected = kernels::ref::evaluate(*imported_text(whole_code(all, width)).graph, whole);
      REQUIRE(expected.has_value());
      // Each element of a device's tile, with its place in the whole array; -1 in the halo.
      const Devices devices{grid};
      std::vector<int64_t> places;
      for (int64_t device = 0; device < devices.count(); ++device) {
        const TextPiece tile = make_piece(more(dims, 2 * width), [&](Ints index) {
          int64_t place = 0;
          for (size_t d = 0; d < dims.size(); ++d) {
            const int64_t i = index[d] - width;
            if (i < 0 || i >= dims[d])
              return int64_t{-1};
            place = place * all[d] + devices.coordinates(device)[d] * dims[d] + i;
          }
          return place;
        });
        places.insert(places.end(), tile.at.begin(), tile.at.end());
      }
      const std::string text = local_code(grid, dims, width);
      CAPTURE(text);
      const import::Imported imported = imported_text(text);
      const graph::OpId argument = imported.graph->arguments()[0];
      kernels::ref::Array tiles =
          random_array(imported.graph->type(imported.graph->result(argument)), -9, 9, random);
      REQUIRE(tiles.type.elements() == std::ssize(places));
      const auto element = [](auto &bytes, int64_t at) {
        return bytes.data() + at * int64_t{sizeof(int32_t)};
      };
      for (int64_t i = 0; i < std::ssize(places); ++i)
        if (places[static_cast<size_t>(i)] >= 0)
          std::memcpy(element(tiles.bytes, i), element(whole[0].bytes, places[static_cast<size_t>(i)]),
                      sizeof(int32_t));
      const auto program = planned(imported);
      CAPTURE(to_text(*program));
      check_moves(*program, all, width);
      const kernels::ref::Array made = run_on_devices(*program, {tiles})[0];
      for (int64_t i = 0; i < std::ssize(places); ++i)
        if (const int64_t place = places[static_cast<size_t>(i)]; place >= 0)
          REQUIRE(std::memcmp(element(made.bytes, i), element((*expected)[0].bytes, place),
                              sizeof(int32_t)) == 0);
    }
}

// Halos are kept of dimensions that devices share, whatever steps and threads do with others.
TEST_CASE("random programs that keep halos, over axes of devices, steps and threads") {
  size_t kept = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    Dice random(seed);
    const std::string text = HaloText(random).make();
    const import::Imported imported = imported_text(text);
    auto mesh = partition::mesh_for(imported.annotations, std::nullopt);
    REQUIRE(mesh.has_value());
    partition::Plan plan(imported.graph, with_random_loops(*mesh, random));
    REQUIRE(partition::apply_annotations(plan, imported.annotations).has_value());
    CAPTURE(seed);
    CAPTURE(text);
    CAPTURE(plan.mesh().text());
    const auto program = spmd::lower(plan, {});
    REQUIRE_MESSAGE(program.has_value(), program.error().message());
    CAPTURE(to_text(**program));
    const graph::OpId argument = imported.graph->arguments()[0];
    const std::vector<kernels::ref::Array> inputs{
        random_array(imported.graph->type(imported.graph->result(argument)), -9, 9, random)};
    const auto whole = kernels::ref::evaluate(*imported.graph, inputs);
    REQUIRE(whole.has_value());
    CHECK(run_on_devices(**program, inputs)[0].bytes == (*whole)[0].bytes);
    kept +=
        !plan.mesh().loop_axes().empty() && to_text(**program).find(":halo=[") != std::string::npos ? 1 : 0;
  }
  MESSAGE(kept << " keep halos beside steps or threads");
  CHECK(kept > 20);
}

} // namespace tw::test_shard_stencil
