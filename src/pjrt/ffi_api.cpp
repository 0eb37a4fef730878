// SPDX-License-Identifier: Apache-2.0
// The functions that a handler may call while it runs. There is no stream, no state and nothing that a caller
// has put into the context of a run.
#include <cstdlib>
#include <future>
#include <memory>

#include "pjrt/ffi.hpp"
#include "pjrt/name.hpp"

namespace tw::pjrt {

// A handler that ends later sets it, maybe before the handler has returned. Who sets it holds the promise
// too, so it may be destroyed as soon as it is set.
struct FfiFuture {
  std::shared_ptr<std::promise<FfiError *>> promise = std::make_shared<std::promise<FfiError *>>();
};

FfiError *await_future(FfiFuture *future) {
  FfiError *const error = future->promise->get_future().get();
  delete future;
  return error;
}

namespace {

FfiError *error_create(abi::FfiErrorCreate *args) {
  return new FfiError{{args->code, args->message == nullptr ? "" : args->message}};
}
void error_message(abi::FfiErrorMessage *args) { args->message = args->error->message.c_str(); }
void error_destroy(abi::FfiErrorDestroy *args) { delete args->error; }

template <Name name> FfiError *no_function(abi::Header *) {
  return new FfiError{{abi::Code::unimplemented, std::string("a handler calls ") + name.text +
                                                     ", which there is nothing for on these devices"}};
}

FfiError *memory_allocate(abi::FfiMemoryAllocate *args) {
  const size_t alignment = std::max(args->alignment, alignof(std::max_align_t));
  if ((alignment & (alignment - 1)) != 0)
    return new FfiError{{abi::Code::invalid_argument, "an alignment of " + std::to_string(alignment) +
                                                          " bytes, which is no power of two"}};
  args->data = args->size > SIZE_MAX - alignment
                   ? nullptr
                   : std::aligned_alloc(alignment, (args->size + alignment - 1) / alignment * alignment);
  if (args->data == nullptr && args->size != 0)
    return new FfiError{{abi::Code::resource_exhausted,
                         "no memory for " + std::to_string(args->size) + " bytes that a handler asks for"}};
  return nullptr;
}
FfiError *memory_free(abi::FfiMemoryFree *args) {
  std::free(args->data);
  return nullptr;
}

// The workers run the program: a task runs in the thread of its handler.
FfiError *schedule(abi::FfiTask *args) {
  args->task(args->data);
  return nullptr;
}
FfiError *num_threads(abi::FfiNumThreads *args) {
  *args->num_threads = 1;
  return nullptr;
}

FfiError *future_create(abi::FfiFutureCreate *args) {
  args->future = new FfiFuture;
  return nullptr;
}
FfiError *set(FfiFuture &future, FfiError *error) {
  const auto promise = future.promise;
  promise->set_value(error);
  return nullptr;
}
FfiError *future_set(abi::FfiFutureSet *args) { return set(*args->future, nullptr); }
FfiError *future_set_error(abi::FfiFutureSetError *args) { return set(*args->future, args->error); }

} // namespace

const abi::FfiApi &ffi_api() {
  static const abi::FfiApi api = [] {
    abi::FfiApi table{};
    table.struct_size = sizeof table;
    table.version.struct_size = sizeof table.version;
    table.version.major = abi::kFfiMajor;
    table.version.minor = abi::kFfiMinor;
    table.error_create = error_create;
    table.error_message = error_message;
    table.error_destroy = error_destroy;
    table.handler_register = no_function<named("Handler_Register")>;
    table.stream_get = no_function<named("Stream_Get")>;
    table.type_register = no_function<named("Type_Register")>;
    table.context_get = no_function<named("ExecutionContext_Get")>;
    table.state_set = no_function<named("State_Set")>;
    table.state_get = no_function<named("State_Get")>;
    table.memory_allocate = memory_allocate;
    table.memory_free = memory_free;
    table.schedule = schedule;
    table.num_threads = num_threads;
    table.future_create = future_create;
    table.future_set = future_set;
    table.future_set_error = future_set_error;
    table.run_id = no_function<named("RunId_Get")>;
    table.device_ordinal = no_function<named("DeviceOrdinal_Get")>;
    return table;
  }();
  return api;
}

} // namespace tw::pjrt
