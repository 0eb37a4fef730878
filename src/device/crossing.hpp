// SPDX-License-Identifier: Apache-2.0
// A way between processes that a kind of device has itself, so that what moves there does not go through
// memory of the host.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "comm/comm.hpp"
#include "device/queue.hpp"

namespace tw::device {

// What an executable asks for. All of its processes call with the same, each for the unit that all its
// devices are on.
struct CrossingWish {
  std::shared_ptr<comm::Processes> processes;
  int32_t unit = 0;
  bool fast_sums = false;   // sums of floats may add in any order
  bool is_required = false; // then it is an error that there is none
};

struct Crossing {
  // Null: there is none, which all processes come to alike. Its collectives read and write tiles on the unit,
  // and staging there. They are put into `queue` when a group is sent, by one thread, and all of one is there
  // when Collective::is_issued says so. Nobody asks for their stages: events of the queue tell how far it is,
  // and Communicator::poll what went wrong.
  std::shared_ptr<comm::Communicator> communicator;
  std::shared_ptr<Queue> queue;
  std::string how; // "NCCL 2.28.9"; or why there is none
};

} // namespace tw::device
