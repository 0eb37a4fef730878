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
#include "redistribute/planner.hpp"
#include "runtime/redistributor.hpp"
#include "support/elements.hpp"
#include "support/machine_pace.hpp"
#include "support/number_of.hpp"
#include "support/random_halos.hpp"
#include "support/random_sharding.hpp"
#include "support/thread_transport.hpp"

namespace tw::test_redistributor_places {

using namespace tw::redistribute;
using namespace tw::sharding;
using graph::DType;
using graph::TensorType;
using runtime::Redistributor;
using tw::test::draw;
using tw::test::each_element;
using tw::test::Random;
using Plans = std::vector<std::shared_ptr<const Plan>>;
using Bytes = std::vector<std::vector<std::byte>>; // of the tiles of a call

namespace {

constexpr std::byte kUnwritten{0x5a};

const device::QueueKind &detached() { return *(*device::find_kind("detached"))->as_queues(); }

// Fractions whose sums depend on the order.
float held(std::span<const int64_t> index, std::span<const int64_t> coordinates) {
  uint64_t h = 17;
  for (const int64_t i : index)
    h = h * 6364136223846793005u + static_cast<uint64_t>(i) + 1442695040888963407u;
  for (const int64_t c : coordinates)
    h = h * 6364136223846793005u + static_cast<uint64_t>(c) + 1442695040888963407u;
  return 1.0f / static_cast<float>(1 + h % 1021) - 0.25f;
}

Bytes source_of(const Plans &plans) {
  Bytes all;
  for (const auto &plan : plans) {
    const Problem &p = *plan->problem;
    for (Device d = 0; d < static_cast<Device>(p.num_devices()); ++d) {
      auto &tile = all.emplace_back();
      if (p.src_position(d) < 0)
        continue;
      std::vector<int64_t> coordinates, element(p.rank());
      for (const Partial &s : p.src().sharding.partial)
        coordinates.push_back(p.src().mesh.coordinate(p.src_position(d), s.axis));
      each_element(p.src_box(d), [&](std::span<const int64_t> at) {
        for (size_t i = 0; i < element.size(); ++i)
          element[i] = sharding::element_at(p.src().halo(i), p.type().dims[i], at[i]);
        const float value = held(element, coordinates);
        const auto *bytes = reinterpret_cast<const std::byte *>(&value);
        tile.insert(tile.end(), bytes, bytes + sizeof value);
      });
    }
  }
  return all;
}

// Where tiles are when they are not on the host: memory of a device, written and read by a queue.
class OnDevices {
public:
  OnDevices(const Redistributor &mover, const Bytes &tiles, size_t room = 0) {
    for (size_t i = 0; i < tiles.size(); ++i) {
      const auto d = static_cast<Device>(i % mover.num_devices());
      bytes_.push_back(tiles[i].size());
      units_.push_back(mover.unit(d));
      const bool here = mover.devices().contains(DeviceIndex(d));
      const size_t size = std::max(tiles[i].size(), room);
      memory_.push_back(here && size != 0 ? *device::allocate(detached(), units_[i], size, {})
                                          : device::Memory());
      if (memory_[i] != nullptr)
        on_queue(units_[i], [&](device::Queue &queue) {
          queue.copy_in(memory_[i].get(), tiles[i].data(), tiles[i].size());
        });
    }
  }
  void read_into(Bytes &tiles) const {
    for (size_t i = 0; i < tiles.size(); ++i)
      if (memory_[i] != nullptr)
        on_queue(units_[i], [&](device::Queue &queue) {
          queue.copy_out(tiles[i].data(), memory_[i].get(), tiles[i].size());
        });
  }
  std::vector<void *> tiles() const {
    std::vector<void *> all;
    for (const device::Memory &memory : memory_)
      all.push_back(memory.get());
    return all;
  }

private:
  template <class Put> static void on_queue(int32_t unit, Put &&put) {
    auto queue = *detached().make_queue(unit);
    const auto event = detached().make_event(unit);
    put(*queue);
    queue->record(*event);
    while (!event->is_reached())
      std::this_thread::yield();
    REQUIRE(!queue->recover().has_value());
  }
  std::vector<device::Memory> memory_;
  std::vector<size_t> bytes_;
  std::vector<int32_t> units_;
};

std::vector<void *> pointers(Bytes &tiles) {
  std::vector<void *> all;
  for (auto &tile : tiles)
    all.push_back(tile.data());
  return all;
}
std::vector<const void *> read_only(const std::vector<void *> &tiles) { return {tiles.begin(), tiles.end()}; }

Bytes targets_of(const Plans &plans) {
  Bytes all;
  for (const auto &plan : plans)
    for (Device d = 0; d < static_cast<Device>(plan->problem->num_devices()); ++d)
      all.emplace_back(static_cast<size_t>(plan->buffers.back().elements(d) * plan->problem->item_size()),
                       kUnwritten);
  return all;
}

// What comes of a run by one process, or in one of several; twice, since nothing may be left of the first.
std::string run(const Plans &plans, const Bytes &source, Redistributor::Options how, Bytes &target) {
  const bool on_host = how.device->as_queues() == nullptr, in_place = how.donate;
  auto mover = Redistributor::prepare(plans, std::move(how));
  if (!mover)
    return mover.error().message();
  WorkerPool pool(2);
  for (int turn = 0; turn < 2; ++turn) {
    Bytes from = source;
    target = targets_of(plans);
    size_t room = 0;
    for (const Bytes *tiles : {&from, &target})
      for (const auto &tile : *tiles)
        room = std::max(room, tile.size());
    if (on_host) {
      for (auto &tile : from)
        tile.resize(in_place ? room : tile.size());
      std::vector<void *> at = pointers(from), to = in_place ? at : pointers(target);
      if (Status status = (*mover)->run(read_only(at), to, pool); !status)
        return status.error().message();
      for (size_t i = 0; in_place && i < target.size(); ++i)
        target[i].assign(from[i].begin(), from[i].begin() + static_cast<std::ptrdiff_t>(target[i].size()));
    } else {
      const OnDevices before(**mover, from, in_place ? room : 0), after(**mover, target);
      const auto at = before.tiles(), to = in_place ? at : after.tiles();
      if (Status status = (*mover)->run(read_only(at), to, pool); !status)
        return status.error().message();
      (in_place ? before : after).read_into(target);
    }
    for (size_t i = 0; i < target.size(); ++i) // others wrote it, or the tile is another's
      if (const auto d = static_cast<Device>(i % (*mover)->num_devices());
          !(*mover)->devices().contains(DeviceIndex(d)))
        std::ranges::fill(target[i], kUnwritten);
  }
  return "";
}

// The tiles that each of so many processes has, put together.
std::string run_in(int64_t processes, const Plans &plans, const Bytes &source,
                   const Redistributor::Options &how, Bytes &target) {
  if (processes == 1)
    return run(plans, source, how, target);
  const auto all = tw::test::thread_processes(processes);
  std::vector<std::string> told(all.size());
  std::vector<Bytes> targets(all.size());
  std::vector<std::thread> threads;
  for (size_t p = 0; p < all.size(); ++p)
    threads.emplace_back([&, p] {
      Redistributor::Options own = how;
      own.communicator = comm::make_remote(all[p]);
      told[p] = run(plans, source, std::move(own), targets[p]);
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
          if (got[t].empty() || got[t][0] != kUnwritten)
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
         return run(p == 0 ? one : other, source_of(p == 0 ? one : other), std::move(how), target);
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
        const OnDevices before(**mover, source), after(**mover, target);
        status = (*mover)->run(read_only(before.tiles()), after.tiles(), pool);
      }
      return status ? std::string("went well") : status.error().message();
    });
    CHECK_MESSAGE(told[0].find("process 1") != std::string::npos, told[0]);
    CHECK_MESSAGE(told[1] != "went well", told[1]);
  }
}

} // namespace tw::test_redistributor_places
