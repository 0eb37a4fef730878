// SPDX-License-Identifier: Apache-2.0
// Redistributions between random meshes have the bits of one process on the host, wherever their devices are:
// in several processes, which are threads here, and on devices with queues.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "comm/remote/remote.hpp"
#include "redistribute/lost.hpp"
#include "redistribute/planner.hpp"
#include "runtime/redistributor.hpp"
#include "support/machine_pace.hpp"
#include "support/number_of.hpp"
#include "support/random_halos.hpp"
#include "support/random_sharding.hpp"
#include "support/thread_transport.hpp"
#include "unit/runtime/placed_tiles.hpp"

namespace tw::test_redistributor_places {

using namespace tw::redistribute;
using namespace tw::sharding;
using graph::DType;
using graph::TensorType;
using runtime::Redistributor;
using namespace tw::test::placed;
using tw::test::draw;
using tw::test::Random;

namespace {

// The tiles that each of so many processes has, put together.
std::string run_in(int64_t processes, const Plans &plans, const Bytes &source,
                   const Redistributor::Options &how, Bytes &target) {
  if (processes == 1)
    return run_plans(plans, source, how, target);
  const auto all = tw::test::thread_processes(processes);
  std::vector<std::string> told(all.size());
  std::vector<Bytes> targets(all.size());
  std::vector<std::thread> threads;
  for (size_t p = 0; p < all.size(); ++p)
    threads.emplace_back([&, p] {
      Redistributor::Options own = how;
      own.communicator = comm::make_remote(all[p]);
      told[p] = run_plans(plans, source, std::move(own), targets[p]);
    });
  for (std::thread &t : threads)
    t.join();
  const auto devices = static_cast<int64_t>(plans[0]->problem->num_devices());
  target = targets[0];
  for (size_t i = 0; i < target.size(); ++i)
    target[i] = targets[static_cast<size_t>(static_cast<int64_t>(i) % devices * processes / devices)][i];
  for (const std::string &error : told)
    if (!error.empty())
      return error;
  return "";
}

// What nobody has any more may be anything.
void blank_missing(const Plans &plans, Bytes &target) {
  for (size_t p = 0; p < plans.size(); ++p) {
    const Problem &problem = *plans[p]->problem;
    const auto size = static_cast<size_t>(problem.item_size());
    for (const Missing &part : find_missing(problem)) {
      const Box tile = problem.dst_box(part.device);
      auto &bytes = target[p * problem.num_devices() + static_cast<size_t>(part.device)];
      test::each_element(part.box, [&](std::span<const int64_t> at) {
        std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(test::position_in(tile, at) * size), size,
                    kNotWritten);
      });
    }
  }
}

void check_everywhere(const Plans &plans, uint64_t seed, std::map<std::string, int> &ran) {
  for (const auto &plan : plans) {
    CAPTURE(name(plan->method));
    INFO(to_text(plan->problem->src().sharding, plan->problem->src().halos, plan->problem->src().mesh),
         " of ", plan->problem->src().mesh.text(), " to ",
         to_text(plan->problem->dst().sharding, plan->problem->dst().halos, plan->problem->dst().mesh),
         " of ", plan->problem->dst().mesh.text(), " ", graph::to_short_text(plan->problem->type()));
    ++ran[std::string(name(plan->method))];
  }
  const Bytes source = source_of(plans);
  Bytes want, got;
  REQUIRE(run_in(1, plans, source, {}, want) == "");
  blank_missing(plans, want);
  for (const bool donate : {false, true})
    for (const char *kind : {"host", "detached"})
      for (const int64_t processes : {1, 2, 3}) {
        CAPTURE(donate);
        CAPTURE(kind);
        CAPTURE(processes);
        Redistributor::Options how;
        how.donate = donate;
        how.device = *device::find_kind(kind);
        how.delays = how.device->as_queues() == nullptr ? 0 : seed;
        CHECK(run_in(processes, plans, source, how, got) == "");
        blank_missing(plans, got);
        CHECK(got == want);
      }
}

Mesh some_mesh(Random &random, int64_t most) {
  const Mesh shape = test::random_mesh(random, most);
  std::vector<int64_t> ids(static_cast<size_t>(most) + 2);
  std::iota(ids.begin(), ids.end(), 0);
  std::ranges::shuffle(ids, random);
  ids.resize(static_cast<size_t>(shape.num_devices()));
  return *Mesh::create({shape.axes().begin(), shape.axes().end()}, ids);
}

std::vector<Costed> plans_of(const std::shared_ptr<const Problem> &problem) {
  PlanOptions options;
  if (problem->num_devices() % 2 == 0)
    options.topology = *Topology::parse("node=2", problem->device_ids());
  auto plans = make_plans(problem, options);
  REQUIRE(plans.has_value());
  return *std::move(plans);
}

} // namespace

TEST_CASE("between meshes of other devices and sizes") {
  Random random(51);
  std::map<std::string, int> ran;
  for (uint64_t i = 1; i <= test::slice_of(150, 20); ++i) {
    CAPTURE(i);
    const Mesh before = some_mesh(random, 8), after = draw(random, 0, 2) == 0 ? before : some_mesh(random, 8);
    const TensorType type{DType::f32, test::random_shape(random, 3, 9)};
    auto problem =
        Problem::create(type, {before, test::random_sharding(random, type.dims, before, i % 3 == 0)},
                        {after, test::random_sharding(random, type.dims, after)});
    REQUIRE(problem.has_value());
    const auto plans = plans_of(std::make_shared<const Problem>(std::move(*problem)));
    for (const Costed &made : plans)
      check_everywhere({made.plan}, i, ran);
  }
  CHECK(ran["direct"] >= 10);
  CHECK(ran["level"] >= 1);
  CHECK(ran["vector"] >= 1);
}

TEST_CASE("where devices are lost") {
  Random random(53);
  std::map<std::string, int> ran;
  int missing = 0;
  for (uint64_t i = 1; i <= test::slice_of(5000, 25); ++i) {
    CAPTURE(i);
    const Mesh before = some_mesh(random, 8), after = draw(random, 0, 2) == 0 ? before : some_mesh(random, 8);
    std::vector<int64_t> lost;
    for (Position p; p < before.num_devices(); ++p)
      if (draw(random, 0, 3) == 0)
        lost.push_back(before.device_id(p));
    const TensorType type{DType::f32, test::random_shape(random, 3, 9)};
    auto problem = Problem::create(type, {before, test::random_sharding(random, type.dims, before)},
                                   {after, test::random_sharding(random, type.dims, after)}, lost);
    REQUIRE(problem.has_value());
    missing += !find_missing(*problem).empty();
    for (const Costed &made : plans_of(std::make_shared<const Problem>(std::move(*problem))))
      check_everywhere({made.plan}, i, ran);
  }
  CHECK(ran["direct"] >= 10);
  CHECK(ran["level"] >= 1);
  CHECK(missing >= 5);
}

TEST_CASE("halos, of arrays that end and that wrap") {
  std::map<std::string, int> ran;
  for (const auto &[on, src, dst] : std::initializer_list<std::array<const char *, 3>>{
           {"x=4", "[{x}, {}]", "[{x}:halo=[1,2], {}]"},
           {"x=4", "[{x}, {}]", "[{}, {x}:halo=[2,1]]"},
           {"x=4", "[{x}, {}]", "[{x}:halo=[1,2]:wrap, {}]"},
           {"x=2,y=2", "[{x}, {y}]", "[{x}:halo=[1,1]:wrap, {y}:halo=[1,1]]"},
           {"x=2,y=2", "[{x}:halo=[1,1]:wrap, {y}]", "[{x}:halo=[2,2]:wrap, {}]"},
           {"x=2", "[{x}, {}]", "[{x}:halo=[9,9]:wrap, {}]"}}) {
    const Mesh mesh = *Mesh::parse(on);
    const auto layout = [&](const char *text) {
      const Distribution d = *parse_distribution(text, mesh);
      return Layout{mesh, d.sharding, d.halos};
    };
    auto problem = Problem::create({DType::f32, {8, 6}}, layout(src), layout(dst));
    REQUIRE(problem.has_value());
    for (const Costed &made : plans_of(std::make_shared<const Problem>(std::move(*problem))))
      check_everywhere({made.plan}, 7, ran);
  }
}

TEST_CASE("several arrays at once, and tiles that are shared") {
  Random random(52);
  for (uint64_t i = 1; i <= 12; ++i) {
    CAPTURE(i);
    const Mesh mesh = test::random_mesh(random, 8);
    Plans plans;
    for (int64_t n = draw(random, 2, 4); n > 0; --n) {
      const TensorType type{DType::f32, test::random_shape(random, 3, 9)};
      auto problem = Problem::create(type, {mesh, test::random_sharding(random, type.dims, mesh, n == 2)},
                                     {mesh, test::random_sharding(random, type.dims, mesh)});
      REQUIRE(problem.has_value());
      const auto made = plans_of(std::make_shared<const Problem>(std::move(*problem)));
      plans.push_back(made[static_cast<size_t>(draw(random, 0, std::ssize(made) - 1))].plan);
    }
    std::map<std::string, int> ran;
    check_everywhere(plans, i, ran);

    const Bytes source = source_of(plans);
    Bytes want, got;
    REQUIRE(run_in(1, plans, source, {}, want) == "");
    for (const char *kind : {"host", "detached"})
      for (const int64_t processes : {1, 2}) {
        CAPTURE(kind);
        CAPTURE(processes);
        Redistributor::Options how;
        how.share = true;
        how.device = *device::find_kind(kind);
        how.delays = how.device->as_queues() == nullptr ? 0 : i;
        CHECK(run_in(processes, plans, source, how, got) == "");
        for (size_t t = 0; t < got.size(); ++t) // those that have their own
          if (got[t].empty() || got[t][0] != kNotWritten)
            CHECK(got[t] == want[t]);
      }
  }
}

namespace {

std::shared_ptr<const Plan> gathering(const char *dst) {
  const Mesh mesh = *Mesh::parse("x=2");
  auto problem = Problem::create({DType::f32, {4, 4}}, {mesh, *parse_sharding("[{x}, {}]", mesh)},
                                 {mesh, *parse_sharding(dst, mesh)});
  REQUIRE(problem.has_value());
  return plans_of(std::make_shared<const Problem>(std::move(*problem)))[0].plan;
}

// What two processes say; `body` gets the number of each.
template <class Body>
std::vector<std::string> told_by_two(std::chrono::milliseconds deadline, const Body &body) {
  const auto all = tw::test::thread_processes(2, deadline);
  std::vector<std::string> told(2);
  std::vector<std::thread> threads;
  for (size_t p = 0; p < 2; ++p)
    threads.emplace_back([&, p] {
      Redistributor::Options how;
      how.communicator = comm::make_remote(all[p]);
      told[p] = body(p, std::move(how));
    });
  for (std::thread &t : threads)
    t.join();
  return told;
}

} // namespace

TEST_CASE("processes that do not do the same are told before anything moves") {
  const Plans one{gathering("[{}, {x}]")}, other{gathering("[{}, {}]")};
  for (const std::string &error :
       told_by_two(std::chrono::seconds(20), [&](size_t p, Redistributor::Options how) {
         Bytes target;
         return run_plans(p == 0 ? one : other, source_of(p == 0 ? one : other), std::move(how), target);
       }))
    CHECK_MESSAGE(error.find("redistribution") != std::string::npos, error);
}

TEST_CASE("an error of one process ends the run on all") {
  const Plans one{gathering("[{}, {x}]")};
  for (const std::string &error :
       told_by_two(std::chrono::seconds(20), [&](size_t p, Redistributor::Options how) {
         Bytes source = source_of(one), target = targets_of(one);
         auto mover = Redistributor::prepare(one, std::move(how));
         if (!mover)
           return mover.error().message();
         WorkerPool pool(1);
         auto to = pointers(target);
         if (p == 1)
           to[1] = nullptr;
         const Status status = (*mover)->run(read_only(pointers(source)), to, pool);
         return status ? std::string("went well") : status.error().message();
       }))
    CHECK_MESSAGE(error.find("device 1 has no target tile") != std::string::npos, error);
}

TEST_CASE("a process that never comes is named when the deadline is over") {
  const auto deadline = std::chrono::milliseconds(400) * test::machine_pace();
  const Plans one{gathering("[{}, {x}]")};
  for (const char *kind : {"host", "detached"}) {
    CAPTURE(kind);
    const auto told = told_by_two(deadline, [&](size_t p, Redistributor::Options how) {
      how.device = *device::find_kind(kind);
      Bytes source = source_of(one), target = targets_of(one);
      auto mover = Redistributor::prepare(one, std::move(how));
      if (!mover)
        return mover.error().message();
      if (p == 1)
        std::this_thread::sleep_for(4 * deadline);
      WorkerPool pool(1);
      Status status;
      if (kind == std::string_view("host")) {
        status = (*mover)->run(read_only(pointers(source)), pointers(target), pool);
      } else {
        const OnDevices before(detached_queues(), **mover, source), after(detached_queues(), **mover, target);
        status = (*mover)->run(read_only(before.tiles()), after.tiles(), pool);
      }
      return status ? std::string("went well") : status.error().message();
    });
    CHECK_MESSAGE(told[0].find("process 1") != std::string::npos, told[0]);
    CHECK_MESSAGE(told[1] != "went well", told[1]);
  }
}

} // namespace tw::test_redistributor_places
