// SPDX-License-Identifier: Apache-2.0
// Redistributions by themselves over the double of NCCL, between random meshes, some of whose devices are
// lost: the bits of one process. Processes are threads, each with a GPU on the double of the driver.
#include <doctest/doctest.h>

#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "comm/remote/remote.hpp"
#include "redistribute/lost.hpp"
#include "redistribute/planner.hpp"
#include "runtime/redistributor.hpp"
#include "support/nccl_double/control.hpp"
#include "support/number_of.hpp"
#include "support/random_sharding.hpp"
#include "support/thread_transport.hpp"
#include "unit/runtime/placed_tiles.hpp"

namespace tw::test_nccl_moves {

using namespace tw::redistribute;
using namespace tw::test::placed;
using nccl_double::control;
using runtime::Redistributor;
using sharding::Mesh;
using test::draw;
using test::Random;

namespace {

Mesh some_mesh(Random &random) {
  const Mesh shape = test::random_mesh(random, 8);
  std::vector<int64_t> ids(10);
  std::iota(ids.begin(), ids.end(), 0);
  std::ranges::shuffle(ids, random);
  ids.resize(static_cast<size_t>(shape.num_devices()));
  return *Mesh::create({shape.axes().begin(), shape.axes().end()}, ids);
}

// What nobody has any more may be anything, and the tiles of other processes are not there.
bool equal_where_known(const Problem &problem, const Bytes &got, const Bytes &want, comm::DeviceRange here) {
  const auto missing = find_missing(problem);
  for (Device d = 0; static_cast<size_t>(d) < problem.num_devices(); ++d) {
    if (!here.contains(sharding::DeviceIndex(d)))
      continue;
    const sharding::Box tile = problem.dst_box(d);
    bool is_equal = true;
    test::each_element(tile, [&](std::span<const int64_t> at) {
      const std::vector<int64_t> index(at.begin(), at.end());
      const bool is_missing = std::ranges::any_of(missing, [&](const Missing &part) {
        return part.device == d && part.box.contains({index, std::vector<int64_t>(index.size(), 1)});
      });
      const auto place = test::position_in(tile, at) * sizeof(float);
      is_equal = is_equal &&
                 (is_missing || std::memcmp(got[static_cast<size_t>(d)].data() + place,
                                            want[static_cast<size_t>(d)].data() + place, sizeof(float)) == 0);
    });
    if (!is_equal)
      return false;
  }
  return true;
}

} // namespace

TEST_CASE("redistributions over NCCL have the bits of one process") {
  Random random(test::number_of("TW_SEED", 71));
  int64_t lost_any = 0;
  control().reset(1);
  for (uint64_t i = 0; i < test::slice_of(1000, 30); ++i) {
    CAPTURE(i);
    const Mesh before = some_mesh(random), after = draw(random, 0, 2) == 0 ? before : some_mesh(random);
    std::vector<int64_t> lost;
    for (sharding::Position p; p < before.num_devices() && i % 2 == 0; ++p)
      if (draw(random, 0, 3) == 0)
        lost.push_back(before.device_id(p));
    const graph::TensorType type{graph::DType::f32, test::random_shape(random, 3, 9)};
    auto made =
        Problem::create(type, {before, test::random_sharding(random, type.dims, before, lost.empty())},
                        {after, test::random_sharding(random, type.dims, after)}, lost);
    REQUIRE(made.has_value());
    const auto problem = std::make_shared<const Problem>(*std::move(made));
    lost_any += !lost.empty();
    const Plans plans{make_plan(problem, {})->plan};
    const Bytes source = source_of(plans);
    Bytes want;
    REQUIRE(run_plans(plans, source, {}, want) == "");
    const int64_t ranks = draw(random, 2, 3);
    const auto processes = test::thread_processes(ranks, std::chrono::seconds(60));
    std::vector<std::string> told(static_cast<size_t>(ranks));
    std::vector<std::thread> threads;
    for (size_t p = 0; p < told.size(); ++p)
      threads.emplace_back([&, p] {
        Redistributor::Options options;
        options.communicator = comm::make_remote(processes[p]);
        options.device = *device::find_kind("cuda");
        const auto here = options.communicator->devices(static_cast<int64_t>(problem->num_devices()));
        Bytes got;
        told[p] = run_plans(plans, source, std::move(options), got);
        if (told[p].empty() && !equal_where_known(*problem, got, want, here))
          told[p] = "other bits";
      });
    for (std::thread &t : threads)
      t.join();
    for (const std::string &error : told)
      CHECK(error == "");
  }
  CHECK(lost_any > 5);
  CHECK(control().reports() == "");
  CHECK(control().live() == 0);
  CHECK(control().launched(0) > 0);
}

} // namespace tw::test_nccl_moves
