// SPDX-License-Identifier: Apache-2.0
// tw_runtime.h: tensors and executables.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>

#include <fmt/format.h>

#include "base/watch.hpp"
#include "capi/call.hpp"
#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "comm/remote/remote.hpp"
#include "device/gpu_list.hpp"
#include "runtime/fill.hpp"

using namespace tw;
using namespace tw::capi;

namespace {

// What an executable is, for the log of its context.
void log_creation(const tw_executable &made) {
  const Log log = log_of(made.context.get());
  const runtime::Executable &e = *made.executable;
  log.print(LogLevel::info, "runtime", "{}: {} devices of {}, {} workers, {} steps, {} bytes of arenas",
            e.program().graph().module_name(), e.local_positions().size(), e.program().mesh().num_devices(),
            e.workers(), e.num_steps(), e.arena_bytes());
  if (!e.exchange().empty())
    log.print(LogLevel::info, "runtime", "{}: processes exchange by {}", e.program().graph().module_name(),
              e.exchange());
}

// Tensors of a call against the types the graph states.
Status check_tensors(const char *what, const char *array, const tw_tensor_t *const *tensors, size_t given,
                     std::span<const graph::TensorType *const> types, const std::vector<std::string> &names) {
  if (given != types.size())
    return fail(
        Code::invalid_argument, "TW-714",
        fmt::format("{} {}{} given, the program has {}", given, what, given == 1 ? "" : "s", types.size()));
  if (given)
    TW_TRY(require(tensors, array));
  for (size_t i = 0; i < given; ++i) {
    TW_TRY(require_at(tensors[i], array, i));
    if (!(tensors[i]->tensor.type() == *types[i]))
      return fail(Code::invalid_argument, "TW-715",
                  fmt::format("{} {} ({}) is {}, the program wants {}", what, i, names[i],
                              graph::to_short_text(tensors[i]->tensor.type()),
                              graph::to_short_text(*types[i])));
  }
  return {};
}

struct Signature {
  std::vector<const graph::TensorType *> inputs, outputs;
  std::vector<std::string> input_names, output_names;
  explicit Signature(const graph::Graph &g) {
    for (size_t i = 0; i < g.arguments().size(); ++i) {
      inputs.push_back(&g.type(g.result(g.arguments()[i])));
      input_names.push_back(g.argument_name(i));
    }
    for (size_t i = 0; i < g.results().size(); ++i) {
      outputs.push_back(&g.type(g.operands(g.results()[i])[0]));
      output_names.push_back(g.result_name(i));
    }
  }
};

// What an executable's devices are.
Status take_device(const tw_executable_options_t *options, runtime::Options &into) {
  if (has_field(options, &tw_executable_options_t::device) && options->device) {
    TW_ASSIGN(into.device, device::find_kind(options->device));
  }
  if (has_field(options, &tw_executable_options_t::deadline)) {
    TW_ASSIGN(into.deadline, checked_deadline(options->deadline));
  }
  if (has_field(options, &tw_executable_options_t::delays))
    into.delays = options->delays;
  if (has_field(options, &tw_executable_options_t::gpus) && options->gpus) {
    TW_ASSIGN(into.units, device::parse_gpus("gpus", options->gpus));
  }
  if (has_field(options, &tw_executable_options_t::in_place))
    into.in_place = options->in_place != 0;
  if (has_field(options, &tw_executable_options_t::exchange) && options->exchange) {
    const std::string_view way = options->exchange;
    using Exchange = runtime::Options::Exchange;
    if (way != "auto" && way != "host" && way != "direct")
      return fail(Code::invalid_argument, "TW-722",
                  fmt::format("exchange is \"{}\"; it is \"auto\", \"host\" or \"direct\"", way));
    into.exchange = way == "host" ? Exchange::host : way == "direct" ? Exchange::direct : Exchange::automatic;
  }
  if (has_field(options, &tw_executable_options_t::fast_sums))
    into.fast_sums = options->fast_sums != 0;
  if (has_field(options, &tw_executable_options_t::tf32))
    into.tf32 = options->tf32 != 0;
  if (has_field(options, &tw_executable_options_t::same_bits))
    into.same_bits = options->same_bits != 0;
  return {};
}

} // namespace

namespace tw::capi {

Allocator allocator_of(const tw_context_t *context) {
  if (!context || !context->options.alloc)
    return {};
  return {context->options.alloc, context->options.free, context->options.alloc_user};
}

Result<std::chrono::nanoseconds> checked_deadline(double seconds) {
  constexpr double kMost = 1e9; // nanoseconds of more are no int64_t
  if (!(seconds >= 0 && seconds <= kMost))
    return fail(seconds > kMost ? Code::out_of_range : Code::invalid_argument, "TW-722",
                fmt::format("deadline is {}; it is 0 or up to {} seconds", seconds, kMost));
  return std::chrono::nanoseconds(static_cast<int64_t>(seconds * 1e9));
}

Result<std::chrono::nanoseconds> checked_comm_deadline(double seconds) {
  constexpr double kUsual = 30;
  return checked_deadline(seconds == 0 ? kUsual : seconds);
}

Status check_writable(const tw_tensor_t *tensor, const char *what, std::optional<size_t> number) {
  if (!tensor->read_only)
    return {};
  return fail(
      Code::failed_precondition, "TW-719",
      fmt::format("{}{} may only be read: tw_tensor_wrap_const made it, or a DLPack struct that says so",
                  what, number ? fmt::format(" {}", *number) : ""));
}

Status check_memory(const graph::TensorType &type, const void *data, const char *name) {
  if (type.bytes() == 0)
    return {};
  TW_TRY(require(data, name));
  const size_t alignment = std::min<size_t>(8, graph::byte_size(type.dtype)); // of the widest float in it
  if (reinterpret_cast<uintptr_t>(data) % alignment == 0)
    return {};
  return fail(Code::invalid_argument, "TW-722",
              fmt::format("{} {} is not aligned to {} bytes, as elements of {} are: copy it first", name,
                          fmt::ptr(data), alignment, graph::name(type.dtype)));
}

Status check_inputs(const graph::Graph &g, const tw_tensor_t *const *inputs, size_t num_inputs) {
  const Signature signature(g);
  return check_tensors("input", "inputs", inputs, num_inputs, signature.inputs, signature.input_names);
}

Status check_outputs(const graph::Graph &g, const tw_tensor_t *const *outputs, size_t num_outputs) {
  const Signature signature(g);
  return check_tensors("output", "outputs", outputs, num_outputs, signature.outputs, signature.output_names);
}

Status check_call(const graph::Graph &g, const tw_tensor_t *const *inputs, size_t num_inputs,
                  tw_tensor_t *const *outputs, size_t num_outputs) {
  TW_TRY(check_inputs(g, inputs, num_inputs));
  TW_TRY(check_outputs(g, outputs, num_outputs));
  for (size_t i = 0; i < num_outputs; ++i)
    TW_TRY(check_writable(outputs[i], "output", i));
  return {};
}

Status check_call(const runtime::Executable &executable, const tw_tensor_t *const *inputs, size_t num_inputs,
                  tw_tensor_t *const *outputs, size_t num_outputs) {
  if (!executable.takes_tiles()) {
    TW_TRY(check_call(executable.program().graph(), inputs, num_inputs, outputs, num_outputs));
    for (size_t i = 0; i < num_inputs; ++i)
      if (executable.donated_to(i) != graph::kNone)
        TW_TRY(check_writable(inputs[i], "donated input", i));
    return {};
  }
  // Their types are the executable's to check.
  if (num_inputs)
    TW_TRY(require(inputs, "inputs"));
  if (num_outputs)
    TW_TRY(require(outputs, "outputs"));
  for (size_t i = 0; i < num_inputs; ++i)
    TW_TRY(require_at(inputs[i], "inputs", i));
  for (size_t i = 0; i < num_outputs; ++i) {
    TW_TRY(require_at(outputs[i], "outputs", i));
    TW_TRY(check_writable(outputs[i], "output", i));
  }
  return {};
}

Log log_of(const tw_context_t *context) { return context ? context->log() : Log(); }

void log_failure(const tw_executable &executable, const Error &error) {
  log_of(executable.context.get())
      .print(LogLevel::warning, "runtime", "a run of {} failed: {}",
             executable.executable->program().graph().module_name(), error.message());
}

std::vector<runtime::TensorView> views_of(const tw_tensor_t *const *tensors, size_t count) {
  std::vector<runtime::TensorView> views;
  for (size_t i = 0; i < count; ++i)
    views.push_back(tensors[i]->tensor.view());
  return views;
}

Views::Views(const tw_tensor_t *const *in, size_t num_inputs, tw_tensor_t *const *out, size_t num_outputs)
    : inputs(views_of(in, num_inputs)), outputs(views_of(out, num_outputs)) {}

} // namespace tw::capi

tw_status_t tw_tensor_create(const tw_context_t *context, tw_dtype_t dtype, const int64_t *dims, size_t ndims,
                             tw_tensor_t **out_tensor) {
  return guard([&]() -> Status {
    TW_TRY(require(out_tensor, "out_tensor"));
    graph::TensorType type{graph::DType::token, {}};
    if (dtype != TW_TOKEN || ndims != 0) {
      TW_ASSIGN(type, checked_type(dtype, dims, ndims));
    }
    TW_ASSIGN(auto tensor, runtime::Tensor::create(std::move(type), allocator_of(context)));
    auto handle = make_ref<tw_tensor>(std::move(tensor));
    handle->context = Ref<const tw_context>::share(context);
    *out_tensor = handle.leak();
    return {};
  });
}

tw_status_t tw_tensor_wrap(tw_dtype_t dtype, const int64_t *dims, size_t ndims, void *data,
                           tw_destroy_fn destroy, void *user, tw_tensor_t **out_tensor) {
  return guard([&]() -> Status {
    TW_TRY(require(out_tensor, "out_tensor"));
    TW_ASSIGN(auto type, checked_type(dtype, dims, ndims));
    TW_TRY(check_memory(type, data, "data"));
    *out_tensor = new tw_tensor(runtime::Tensor::wrap(std::move(type), data, destroy, user));
    return {};
  });
}

tw_status_t tw_tensor_wrap_const(tw_dtype_t dtype, const int64_t *dims, size_t ndims, const void *data,
                                 tw_destroy_fn destroy, void *user, tw_tensor_t **out_tensor) {
  const tw_status_t status =
      tw_tensor_wrap(dtype, dims, ndims, const_cast<void *>(data), destroy, user, out_tensor);
  if (status == TW_OK)
    (*out_tensor)->read_only = true;
  return status;
}

tw_tensor_t *tw_tensor_retain(tw_tensor_t *tensor) {
  if (tensor)
    tensor->retain();
  return tensor;
}
void tw_tensor_release(tw_tensor_t *tensor) {
  if (tensor)
    tensor->release();
}

tw_dtype_t tw_tensor_dtype(const tw_tensor_t *tensor) {
  return tensor ? static_cast<tw_dtype_t>(tensor->tensor.type().dtype)
                : static_cast<tw_dtype_t>(TW_DTYPE_INVALID);
}
const int64_t *tw_tensor_dims(const tw_tensor_t *tensor, size_t *out_ndims) {
  if (out_ndims)
    *out_ndims = tensor ? tensor->tensor.type().rank() : 0;
  return tensor ? tensor->tensor.type().dims.data() : nullptr;
}
size_t tw_tensor_bytes(const tw_tensor_t *tensor) {
  return tensor ? static_cast<size_t>(tensor->tensor.type().bytes()) : 0;
}
void *tw_tensor_data(tw_tensor_t *tensor) {
  return tensor && !tensor->read_only && tensor->tensor.where().is_host() ? tensor->tensor.data() : nullptr;
}
const void *tw_tensor_const_data(const tw_tensor_t *tensor) {
  return tensor && tensor->tensor.where().is_host() ? tensor->tensor.data() : nullptr;
}

tw_status_t tw_tensor_fill(tw_tensor_t *tensor, const char *pattern, uint64_t seed, uint64_t stream) {
  return guard([&]() -> Status {
    TW_TRY(require(tensor, "tensor"));
    TW_TRY(require(pattern, "pattern"));
    TW_TRY(check_writable(tensor));
    TW_TRY(check_on_host(tensor, "the tensor"));
    return runtime::fill(tensor->tensor.view(), pattern, seed, stream);
  });
}

tw_status_t tw_tensor_fill_part(tw_tensor_t *tensor, const int64_t *whole, const int64_t *offset,
                                const char *pattern, uint64_t seed, uint64_t stream) {
  return guard([&]() -> Status {
    TW_TRY(require(tensor, "tensor"));
    TW_TRY(require(pattern, "pattern"));
    TW_TRY(check_writable(tensor));
    TW_TRY(check_on_host(tensor, "the tensor"));
    const std::vector<int64_t> &dims = tensor->tensor.type().dims;
    if (!dims.empty()) {
      TW_TRY(require(whole, "whole"));
      TW_TRY(require(offset, "offset"));
    }
    for (size_t d = 0; d < dims.size(); ++d)
      if (offset[d] < 0 || whole[d] < 0 || offset[d] > whole[d] - dims[d])
        return fail(Code::out_of_range, "TW-722",
                    fmt::format("dimension {}: {} elements from {} on are no part of {}", d, dims[d],
                                offset[d], whole[d]));
    return runtime::fill_part(tensor->tensor.view(), {whole, dims.size()}, {offset, dims.size()}, pattern,
                              seed, stream);
  });
}

tw_status_t tw_executable_create(const tw_program_t *program, const tw_executable_options_t *options,
                                 tw_executable_t **out_executable) {
  return guard([&]() -> Status {
    TW_TRY(require(program, "program"));
    TW_TRY(require(out_executable, "out_executable"));
    TW_TRY(check_options(options));
    runtime::Options o;
    const tw_context_t *context =
        has_field(options, &tw_executable_options_t::context) ? options->context : nullptr;
    o.allocator = allocator_of(context);
    if (has_field(options, &tw_executable_options_t::workers)) {
      TW_TRY(check_workers(options->workers));
      o.workers = static_cast<unsigned>(options->workers);
    }
    if (context && o.workers == 0)
      o.pool = context->pool();
    else if (context)
      o.pool = std::make_shared<WorkerPool>(o.workers, context->host());
    if (has_field(options, &tw_executable_options_t::memory_limit)) {
      TW_TRY(check_at_least_0(options->memory_limit, "memory_limit"));
      o.max_bytes = options->memory_limit;
    }
    if (has_field(options, &tw_executable_options_t::comm) && options->comm)
      o.communicator = comm::make_remote(options->comm->processes);
    if (has_field(options, &tw_executable_options_t::whole_outputs))
      o.whole_outputs = options->whole_outputs != 0;
    int32_t observe = 0;
    if (has_field(options, &tw_executable_options_t::observe))
      observe = options->observe;
    if ((observe & ~(TW_OBSERVE_PROFILE | TW_OBSERVE_TRACE)) != 0)
      return fail(Code::out_of_range, "TW-722",
                  fmt::format("observe is {}; the bits are TW_OBSERVE_*", observe));
    o.profile = (observe & TW_OBSERVE_PROFILE) != 0;
    o.trace = (observe & TW_OBSERVE_TRACE) != 0;
    if (has_field(options, &tw_executable_options_t::tiles))
      o.tiles = options->tiles != 0;
    if (has_field(options, &tw_executable_options_t::donate))
      o.donate = options->donate != 0;
    TW_TRY(take_device(options, o));
    o.custom_calls = program->custom_calls;
    o.without = program->subject.steps_without;
    const LongCall call;
    TW_ASSIGN(auto executable, runtime::Executable::create(program->subject.program, std::move(o)));
    auto handle = make_ref<tw_executable>(Ref<const tw_context>::share(context), std::move(executable));
    handle->observe = observe;
    log_creation(*handle);
    *out_executable = handle.leak();
    return {};
  });
}

tw_executable_t *tw_executable_retain(tw_executable_t *executable) {
  if (executable)
    executable->retain();
  return executable;
}
void tw_executable_release(tw_executable_t *executable) {
  if (executable)
    executable->release();
}

tw_status_t tw_executable_run(tw_executable_t *executable, const tw_tensor_t *const *inputs,
                              size_t num_inputs, tw_tensor_t *const *outputs, size_t num_outputs) {
  return guard([&]() -> Status {
    TW_TRY(require(executable, "executable"));
    TW_TRY(check_call(*executable->executable, inputs, num_inputs, outputs, num_outputs));
    const Views views(inputs, num_inputs, outputs, num_outputs);
    TW_ASSIGN(auto order, order_of(inputs, num_inputs, outputs, num_outputs));
    Status status = executable->executable->run(views.inputs, views.outputs, std::move(order));
    if (status)
      for (size_t i = 0; i < num_outputs; ++i)
        if (outputs[i]->ready() != nullptr)
          outputs[i]->set_ready(nullptr);
    if (!status)
      log_failure(*executable, status.error());
    return status;
  });
}

int64_t tw_executable_donated_to(const tw_executable_t *executable, size_t argument) {
  if (!executable || argument >= executable->executable->program().graph().arguments().size())
    return -1;
  const uint32_t result = executable->executable->donated_to(argument);
  return result == graph::kNone ? -1 : static_cast<int64_t>(result);
}

size_t tw_executable_num_devices(const tw_executable_t *executable) {
  return executable ? executable->executable->local_positions().size() : 0;
}

int64_t tw_executable_tile_owner(const tw_executable_t *executable, int32_t is_result, size_t index,
                                 size_t device) {
  if (executable == nullptr)
    return -1;
  const runtime::Executable &e = *executable->executable;
  const size_t n = e.local_positions().size();
  const auto owners = is_result ? e.result_owners() : e.argument_owners();
  return device < n && index < owners.size() / n ? owners[index * n + device] % n : -1;
}

tw_status_t tw_executable_tile(const tw_executable_t *executable, int32_t is_result, size_t index,
                               size_t device, int64_t *out_offset, int64_t *out_extent) {
  return guard([&]() -> Status {
    TW_TRY(require(executable, "executable"));
    const runtime::Executable &e = *executable->executable;
    const size_t n = e.local_positions().size();
    const auto tiles = is_result ? e.result_tiles() : e.argument_tiles();
    if (!e.takes_tiles())
      return fail(Code::failed_precondition, "TW-723", "the executable was made without option tiles");
    if (device >= n)
      return fail(Code::out_of_range, "TW-722",
                  fmt::format("device {}: this process has {} of them", device, n));
    if (index >= tiles.size() / n)
      return fail(
          Code::out_of_range, "TW-722",
          fmt::format("{} {}: there are {}", is_result ? "result" : "argument", index, tiles.size() / n));
    const sharding::Box &box = tiles[index * n + device];
    if (box.rank() > 0) {
      TW_TRY(require(out_offset, "out_offset"));
      TW_TRY(require(out_extent, "out_extent"));
    }
    std::ranges::copy(box.offset, out_offset);
    std::ranges::copy(box.extent, out_extent);
    return {};
  });
}

int64_t tw_executable_arena_bytes(const tw_executable_t *executable) {
  return executable ? executable->executable->arena_bytes() : 0;
}
int64_t tw_executable_peak_bytes(const tw_executable_t *executable, size_t device) {
  if (!executable || device >= executable->executable->local_positions().size())
    return -1;
  const runtime::Executable &e = *executable->executable;
  return e.peak_bytes(e.program().mesh().device_of(e.local_positions()[device]));
}
int32_t tw_executable_workers(const tw_executable_t *executable) {
  return executable ? static_cast<int32_t>(executable->executable->workers()) : 0;
}
