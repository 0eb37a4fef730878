// SPDX-License-Identifier: Apache-2.0
// Brings the results of all processes to the first one: every part once, from the first device that holds it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/status.hpp"
#include "base/worker_pool.hpp"
#include "comm/comm.hpp"
#include "runtime/layout.hpp"
#include "runtime/memory.hpp"
#include "spmd/program.hpp"

namespace tw::runtime {

class Collector {
public:
  static Result<std::unique_ptr<Collector>> create(comm::Communicator &communicator,
                                                   const spmd::Program &program, const Layouts &layouts,
                                                   const Memory &memory);
  ~Collector();

  // `outputs`: the whole arrays, of which those of other processes are not looked at. Either all is written
  // or nothing.
  // `find`: where the host finds a tile of result number `result`.
  using Find = std::function<const void *(uint32_t result, const Location &place)>;
  Status run(const Find &find, std::span<void *const> outputs, WorkerPool &pool);

private:
  Collector() = default;

  std::unique_ptr<comm::Collective> collective_;
  size_t group_ = 0;
  std::vector<Position> local_positions_; // by device
  std::vector<Location> places_;          // by result, by device
  std::vector<const void *> src_;         // the same
  std::vector<void *> dst_;
  std::unique_ptr<std::byte[]> staging_;
};

} // namespace tw::runtime
