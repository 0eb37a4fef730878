// SPDX-License-Identifier: Apache-2.0
// A device for NCCL's communicator in tests: its memory is the host's, and its stream is a thread that runs
// what is put there some time later, with delays drawn by a seed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "comm/nccl/device.hpp"

namespace tw::test {

std::shared_ptr<comm::nccl::Device> make_thread_device(std::string id, uint64_t seed);

} // namespace tw::test
