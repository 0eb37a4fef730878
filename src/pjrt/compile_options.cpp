// SPDX-License-Identifier: Apache-2.0
// CompileOptionsProto and DeviceAssignmentProto of xla/pjrt/proto, by the numbers of their fields.
#include "pjrt/compile_options.hpp"

#include <algorithm>

#include "pjrt/error.hpp"
#include "pjrt/proto.hpp"

namespace tw::pjrt {

namespace {

constexpr int64_t kMaxPartitions = 65536;

// The device of every partition. Partitions are the computations of the message, each with a device for each
// replica.
std::vector<int64_t> read_assignment(std::string_view bytes) {
  std::vector<int64_t> devices;
  ProtoReader assignment(bytes, "DeviceAssignmentProto");
  while (assignment.next()) {
    if (assignment.field() == 1 && assignment.integer() != 1)
      throw Failure{abi::Code::unimplemented,
                    std::to_string(assignment.integer()) + " replicas: programs have one, and partitions"};
    if (assignment.field() != 3)
      continue;
    ProtoReader computation(assignment.bytes(), "DeviceAssignmentProto.ComputationDevice");
    while (computation.next())
      if (computation.field() == 1)
        computation.append(devices);
  }
  return devices;
}

void read_build_options(std::string_view bytes, CompileOptions &options) {
  ProtoReader build(bytes, "ExecutableBuildOptionsProto");
  while (build.next())
    switch (build.field()) {
    case 4:
      if (build.integer() > 1)
        throw Failure{abi::Code::unimplemented,
                      std::to_string(build.integer()) + " replicas: programs have one, and partitions"};
      break;
    case 5: options.partitions = build.integer(); break;
    case 9: options.devices = read_assignment(build.bytes()); break;
    default: break;
    }
}

// One of the options that `compiler_options` of JAX's jit give: OptionOverrideProto has strings in field 1.
void read_override(std::string_view bytes, CompileOptions &options) {
  std::string_view name, value;
  ProtoReader entry(bytes, "CompileOptionsProto.EnvOptionOverridesEntry");
  while (entry.next())
    if (entry.field() == 1)
      name = entry.bytes();
    else if (entry.field() == 2)
      value = entry.bytes();
  if (name == "policy") {
    ProtoReader text(value, "OptionOverrideProto");
    while (text.next())
      if (text.field() == 1)
        options.policy = text.bytes();
    return;
  }
  // What XLA's compiler is told, and how hard it should try, says nothing here.
  constexpr std::string_view efforts[] = {"exec_time_optimization_effort", "memory_fitting_effort",
                                          "memory_fitting_level", "optimization_level"};
  if (!name.starts_with("xla_") && std::ranges::find(efforts, name) == std::end(efforts))
    throw Failure{abi::Code::invalid_argument,
                  "No such compile option: '" + std::string(name) + "'; there is policy, and those of XLA"};
}

} // namespace

CompileOptions read_compile_options(std::string_view bytes, int64_t num_devices, int64_t own) {
  CompileOptions options;
  ProtoReader message(bytes, "CompileOptionsProto");
  while (message.next())
    switch (message.field()) {
    case 2:
      if (message.integer() != 0)
        throw Failure{abi::Code::unimplemented, "arguments in one tuple (parameter_is_tupled_arguments)"};
      break;
    case 3: read_build_options(message.bytes(), options); break;
    case 4: options.is_portable = message.integer() != 0; break;
    case 7: read_override(message.bytes(), options); break;
    default: break;
    }
  if (options.partitions < 1 || options.partitions > kMaxPartitions)
    throw Failure{abi::Code::invalid_argument,
                  "a program for " + std::to_string(options.partitions) + " partitions"};
  if (options.devices.empty())
    for (int64_t id = 0; id < options.partitions; ++id)
      options.devices.push_back(options.partitions == 1 ? own : id);
  if (static_cast<int64_t>(options.devices.size()) != options.partitions)
    throw Failure{abi::Code::invalid_argument, std::to_string(options.devices.size()) + " devices for " +
                                                   std::to_string(options.partitions) + " partitions"};
  std::vector<int64_t> sorted = options.devices;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end())
    throw Failure{abi::Code::invalid_argument, "one device for two partitions"};
  for (const int64_t id : options.devices)
    if (id < 0 || id >= num_devices)
      throw Failure{abi::Code::invalid_argument, "the program is for device " + std::to_string(id) +
                                                     ": the client has " + std::to_string(num_devices) +
                                                     " (option devices, TW_PJRT_DEVICES)"};
  return options;
}

std::string device_assignment(const std::vector<int64_t> &devices) {
  ProtoWriter message;
  message.integer(1, 1);
  message.integer(2, static_cast<int64_t>(devices.size()));
  for (const int64_t id : devices) {
    ProtoWriter computation;
    computation.integers(1, {id});
    message.bytes(3, computation.take());
  }
  return message.take();
}

} // namespace tw::pjrt
