// SPDX-License-Identifier: Apache-2.0
// Execution: a run is made of the caller's lists, handed over or run at once, and its results become buffers.
#include <utility>

#include "pjrt/ffi.hpp"
#include "pjrt/run.hpp"
#include "pjrt/slots.hpp"

namespace tw::pjrt {

namespace {

void check_devices(const LoadedExecutable &loaded, const abi::Execute &args) {
  if (loaded.is_deleted)
    throw Failure{abi::Code::invalid_argument, "the executable was deleted"};
  if (args.num_devices != loaded.devices.size())
    throw Failure{abi::Code::invalid_argument,
                  loaded.compiled->name + " runs on " + std::to_string(loaded.devices.size()) +
                      " devices at once, arguments are for " + std::to_string(args.num_devices)};
  if (args.device != nullptr && !loaded.is_portable && args.device != loaded.devices.front())
    throw Failure{abi::Code::invalid_argument, loaded.compiled->name +
                                                   " was compiled for other devices than " +
                                                   std::to_string(args.device->description.id)};
  if (args.options != nullptr && (args.options->num_send != 0 || args.options->num_recv != 0))
    throw Failure{abi::Code::unimplemented, "callbacks of send and recv"};
}

} // namespace

void loaded_executable_execute(abi::Execute &args) {
  LoadedExecutable &loaded = *args.object;
  check_devices(loaded, args);
  const size_t partitions = loaded.devices.size(), num_results = loaded.compiled->results.size();
  auto run = std::make_shared<Run>(loaded.compiled);
  run->take_arguments(args);
  run->make_results();
  std::vector<std::unique_ptr<Buffer>> buffers;
  buffers.reserve(partitions * num_results);
  for (size_t p = 0; p < partitions; ++p)
    for (size_t i = 0; i < num_results; ++i) {
      const ArraySpec &spec = loaded.compiled->results[i];
      Memory &memory = args.device != nullptr ? loaded.client->memory(*args.device, spec.memory_kind)
                                              : *loaded.result_memories[p * num_results + i];
      buffers.push_back(std::make_unique<Buffer>(memory, spec.type, spec.local, run->result(p, i)));
    }
  const std::shared_ptr<Completion> done = run->done();
  // A foreign function that runs a program waits for it: the queue waits for the function.
  if (run->is_at_once() || is_in_foreign_call()) {
    run->run();
    if (done->failure() != nullptr)
      throw *done->failure();
  } else {
    Queue &queue = loaded.compiled->team == nullptr ? loaded.client->queue : loaded.client->team_queue;
    queue.push([run]() mutable { std::exchange(run, nullptr)->run(); });
  }
  for (size_t p = 0; p < partitions; ++p) {
    for (size_t i = 0; i < num_results; ++i)
      args.outputs[p][i] = buffers[p * num_results + i].release();
    if (args.complete != nullptr)
      args.complete[p] = new Event{done};
  }
}

} // namespace tw::pjrt
