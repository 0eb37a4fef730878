// SPDX-License-Identifier: Apache-2.0
// The communicator of processes that each have a device which NCCL reaches. Data goes over NCCL; what
// processes tell each other besides, they tell over another transport: facts, failures, who is still there.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "comm/comm.hpp"
#include "comm/nccl/device.hpp"
#include "comm/remote/processes.hpp"

namespace tw::comm::nccl {

struct Options {
  std::string library = {}; // as Library::open takes it
  // How long a process waits for another. When it is over, the wait is an error on all.
  std::chrono::nanoseconds deadline = std::chrono::seconds(30);
  bool fast_sums = false; // sums of floats may add in any order: then they are NCCL's
  // One thread puts collectives into the device's queue, with the steps of all loops and the threads of a
  // device one after the other, and goes on when they are issued. Whoever polls looks after what is in the
  // queue.
  bool in_queue = false;
};

// Of one executable. All processes call, each with a device of its own, which all mesh devices of the process
// share.
Result<std::shared_ptr<Communicator>> make_nccl(std::shared_ptr<Processes> processes,
                                                std::shared_ptr<Device> device, const Options &options = {});

} // namespace tw::comm::nccl
