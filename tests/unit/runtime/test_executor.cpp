// SPDX-License-Identifier: Apache-2.0
// The scheduler alone, with kernels and collectives made up here: random programs of small steps in many
// parts, on random groups of devices, and steps that one device runs for all, must leave what running them
// one after the other leaves.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <vector>

#include "runtime/worker_executor.hpp"

namespace tw::test_executor {

using runtime::BoundStep;
using runtime::Executor;
using runtime::Location;
using runtime::WorkerExecutor;

namespace {

constexpr int64_t kElements =
    64; // of a device's array; an arena holds two of them, and the first device's one for all

constexpr int64_t kShared = 2 * kElements * 8; // where that lies

uint64_t mix(uint64_t a, uint64_t b) { return (a ^ b) * 0x9e3779b97f4a7c15u + (a >> 29); }

// result[i] = mix(operand[i], salt), in parts; works in place. Some salts are the sum of what other parts
// have prepared, of other elements.
class Mix final : public kernels::Kernel {
public:
  Mix(int64_t parts, uint64_t salt) : parts_(parts), salt_(salt) {}
  const char *name() const override { return "test:mix"; }
  int64_t parts() const override { return parts_; }
  int64_t scratch_bytes() const override { return 64; }
  int64_t prepare_parts() const override { return static_cast<int64_t>(salt_ % 4); }
  int64_t shared_bytes() const override { return 64; }
  Status prepare(int64_t part, std::span<const void *const> operands, void *shared) const override {
    static_cast<uint64_t *>(shared)[part] =
        salt_ + static_cast<const uint64_t *>(operands[0])[kElements - 1 - part];
    return {};
  }
  Status run(int64_t part, std::span<const void *const> operands, std::span<void *const> results,
             void *scratch) const override {
    const auto *in = static_cast<const uint64_t *>(operands[0]);
    auto *out = static_cast<uint64_t *>(results[0]), *own = static_cast<uint64_t *>(scratch);
    const auto *const prepared = static_cast<const uint64_t *>(operands.back());
    const uint64_t salt = std::accumulate(prepared, prepared + prepare_parts(), salt_);
    for (int64_t i = kElements * part / parts_; i < kElements * (part + 1) / parts_; ++i) {
      own[0] = mix(in[i], salt);
      out[i] = own[0];
    }
    return {};
  }

private:
  int64_t parts_;
  uint64_t salt_;
};

// Every member of a group gets the elementwise fold of the group's arrays, in order.
class RegionReduce final : public comm::Collective {
public:
  RegionReduce(int64_t devices, size_t groups, int64_t parts) : parts_(parts) {
    groups_.resize(groups);
    for (sharding::Position d; d < devices; ++d) {
      group_of_.push_back(static_cast<size_t>(d) % groups);
      groups_[group_of_.back()].push_back(d);
    }
  }
  int64_t parts(size_t, size_t) const override { return parts_; }
  void run(size_t group, size_t, int64_t part, comm::SourceTiles src, comm::TargetTiles dst) const override {
    for (int64_t i = kElements * part / parts_; i < kElements * (part + 1) / parts_; ++i) {
      uint64_t sum = 1;
      for (const sharding::Position d : members(group))
        sum = mix(sum, static_cast<const uint64_t *>(src[static_cast<size_t>(d)])[i]);
      for (const sharding::Position d : members(group))
        static_cast<uint64_t *>(dst[static_cast<size_t>(d)])[i] = sum;
    }
  }

private:
  int64_t parts_;
};

struct Case {
  int64_t devices;
  std::vector<std::unique_ptr<kernels::Kernel>> kernels;
  std::vector<BoundStep> steps;

  // Steps go to and fro between the two arrays of each arena; some read what one device made for all before
  // them.
  Case(std::mt19937 &random, int64_t devices) : devices(devices) {
    uint32_t collectives = 0;
    int64_t from = 0;
    for (size_t n = 5 + random() % 40; n > 0; --n) {
      BoundStep step;
      step.num_operands = step.num_results = 1;
      const int64_t to = kElements * 8 - from;
      const auto place = [](int64_t arena, int64_t offset) {
        return Location{0, static_cast<uint32_t>(arena), offset};
      };
      const bool shared = devices > 1 && random() % 3 == 0, reads_shared = random() % 3 == 0;
      for (sharding::Position d; d < devices; ++d) {
        step.places.push_back(reads_shared ? place(0, kShared) : place(shared ? 0 : int64_t{d}, from));
        step.places.push_back(shared ? place(0, kShared) : place(d, to));
      }
      step.leaders.assign(static_cast<size_t>(shared ? devices : 0), sharding::Position());
      from = shared ? from : to;
      if (!shared && random() % 4 == 0) {
        step.collective = std::make_unique<RegionReduce>(devices, 1 + random() % static_cast<size_t>(devices),
                                                         static_cast<int64_t>(1 + random() % 6));
        step.collective_index = collectives++;
      } else {
        step.kernels.resize(static_cast<size_t>(devices));
        for (size_t d = 0; d < (shared ? 1 : step.kernels.size()); ++d) {
          kernels.push_back(std::make_unique<Mix>(1 + random() % 9, random()));
          step.kernels[d] = kernels.back().get();
        }
      }
      steps.push_back(std::move(step));
    }
  }
};

std::vector<std::vector<uint64_t>> fresh(int64_t devices) {
  std::vector<std::vector<uint64_t>> arenas;
  for (int64_t d = 0; d < devices; ++d) {
    arenas.emplace_back(3 * kElements);
    std::iota(arenas.back().begin(), arenas.back().end(), static_cast<uint64_t>(d) << 32);
  }
  return arenas;
}

sharding::Mesh mesh_of(int64_t devices) { return *sharding::Mesh::create({{"d", devices, "d", 1}}); }

std::vector<std::byte *> pointers(std::vector<std::vector<uint64_t>> &arenas) {
  std::vector<std::byte *> all;
  for (auto &arena : arenas)
    all.push_back(reinterpret_cast<std::byte *>(arena.data()));
  return all;
}

std::optional<Executor::Failure> run(Executor &executor, std::vector<std::vector<uint64_t>> &arenas) {
  const auto places = pointers(arenas);
  return executor.run({places, {}});
}

// One step after the other, one device after the other.
void run_plainly(const Case &c, std::span<std::byte *const> arenas) {
  for (const BoundStep &step : c.steps) {
    std::vector<const void *> from;
    std::vector<void *> to;
    for (size_t d = 0; d < arenas.size(); ++d) {
      from.push_back(arenas[step.places[2 * d].arena] + step.places[2 * d].offset);
      to.push_back(arenas[step.places[2 * d + 1].arena] + step.places[2 * d + 1].offset);
    }
    uint64_t scratch[8], shared[8];
    for (size_t d = 0; d < step.kernels.size(); ++d)
      if (step.kernels[d] != nullptr) {
        const std::array<const void *, 2> operands{from[d], shared};
        CHECK(kernels::run_serially(*step.kernels[d], operands, {&to[d], 1}, scratch).has_value());
      }
    if (step.collective != nullptr)
      for (size_t g = 0; g < step.collective->num_groups(); ++g)
        for (int64_t p = 0; p < step.collective->parts(g, 0); ++p)
          step.collective->run(g, 0, p, from, to);
  }
}

} // namespace

TEST_CASE("whatever the schedule, the result is that of running one step after the other") {
  std::mt19937 random(11);
  std::vector<std::shared_ptr<WorkerPool>> pools;
  for (const unsigned workers : {1u, 2u, 3u, 4u, 8u})
    pools.push_back(std::make_shared<WorkerPool>(workers));
  int64_t wrong = 0, failed = 0;
  for (int round = 0; round < 60; ++round) {
    Case c(random, 1 + random() % 16);
    auto wanted = fresh(c.devices);
    run_plainly(c, pointers(wanted));
    WorkerExecutor executor(std::move(c.steps), mesh_of(c.devices),
                            pools[static_cast<size_t>(round) % pools.size()], {64, 64, 1}, round % 2 == 0);
    for (int repeat = 0; repeat < 20; ++repeat) {
      auto arenas = fresh(c.devices);
      failed += run(executor, arenas).has_value();
      wrong += arenas != wanted;
    }
  }
  CHECK(wrong == 0);
  CHECK(failed == 0);
}

TEST_CASE("faults at random places are found, and the next run is whole") {
  std::mt19937 random(12);
  auto pool = std::make_shared<WorkerPool>(4);
  for (int round = 0; round < 60; ++round) {
    Case c(random, 2 + random() % 8);
    auto wanted = fresh(c.devices);
    run_plainly(c, pointers(wanted));
    const auto steps = static_cast<uint32_t>(c.steps.size());
    WorkerExecutor executor(std::move(c.steps), mesh_of(c.devices), pool, {64, 64, 1}, false);
    for (int repeat = 0; repeat < 10; ++repeat) {
      runtime::Fault fault;
      fault.kind = random() % 2 == 0 ? runtime::Fault::Kind::error : runtime::Fault::Kind::absent;
      fault.position = sharding::Position(static_cast<int64_t>(random() % static_cast<uint64_t>(c.devices)));
      fault.step = static_cast<uint32_t>(random() % steps);
      auto arenas = fresh(c.devices);
      executor.set_hooks({{fault}});
      const auto failure = run(executor, arenas);
      executor.set_hooks({});
      REQUIRE(failure.has_value());
      CHECK(failure->position == fault.position);
      CHECK(failure->step == fault.step);
      auto again = fresh(c.devices);
      CHECK(!run(executor, again).has_value());
      CHECK(again == wanted);
    }
  }
}

} // namespace tw::test_executor
