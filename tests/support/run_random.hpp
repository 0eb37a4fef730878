// SPDX-License-Identifier: Apache-2.0
// Dices a program, a mesh and actions, runs what they lower to on 1, 2 and 4 workers, and compares it with
// the reference evaluator.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/worker_pool.hpp"
#include "device/kind.hpp"
#include "partition/plan.hpp"
#include "runtime/executable.hpp"
#include "spmd/program.hpp"
#include "support/random_program.hpp"

namespace tw::test {

// What a seed stands for. Two thirds of the programs run with axes of steps and threads among those of
// devices.
struct RandomCase {
  RandomProgram made;
  partition::Plan plan;
  std::string context; // for people
  spmd::Options lowering;

  explicit RandomCase(uint64_t seed, std::optional<sharding::Mesh> devices = std::nullopt); // or random ones

private:
  RandomCase(uint64_t seed, std::optional<sharding::Mesh> devices, Dice random);
};

// In every bit, except that zeros may differ in sign: 0 + -0 and max(0, -0) depend on the order.
bool equal_but_for_zeros(const graph::TensorType &type, const std::vector<std::byte> &want,
                         const std::vector<std::byte> &got);

struct RunCounts {
  std::atomic<int64_t> passed{0}, failed{0}, mistrusted{0}, ops{0}, steps{0}, devices{0}, collectives{0};
  std::atomic<int64_t> joined{0}; // products with what kernels make of them at once
  std::mutex mutex;               // of the rest
  // Steps that the host takes for other devices, and why.
  std::map<std::string, int64_t> on_host;
  std::map<std::string, int64_t> exchanges; // executables by how they exchange with other processes
};

struct Pools {
  std::vector<std::shared_ptr<WorkerPool>> of;
  std::vector<int64_t> processes; // each program also runs in so many, which are threads here
  const device::Kind *device = &device::host_kind();
  // How those processes exchange, where devices are not the host's; and what they say of it.
  runtime::Options::Exchange exchange = runtime::Options::Exchange::automatic;
  Pools();
};

// Empty: it passed. Otherwise what went wrong, and everything about it.
std::string run_random_program(uint64_t seed, Pools &pools, RunCounts &counts, bool print);

} // namespace tw::test
