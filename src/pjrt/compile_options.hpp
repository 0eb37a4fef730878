// SPDX-License-Identifier: Apache-2.0
// What a CompileOptionsProto says that matters here: for how many partitions, and on which devices.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tw::pjrt {

struct CompileOptions {
  int64_t partitions = 1;
  std::string policy;           // of the plan; "": the client's
  std::vector<int64_t> devices; // by partition
  bool is_portable = false;     // for one device, whichever it runs on
};

// A Failure for what this plug-in cannot do: several replicas, layouts other than row-major. Where no devices
// are named, a program for one is on device `own`.
CompileOptions read_compile_options(std::string_view bytes, int64_t num_devices, int64_t own);

// xla.DeviceAssignmentProto of one replica.
std::string device_assignment(const std::vector<int64_t> &devices);

} // namespace tw::pjrt
