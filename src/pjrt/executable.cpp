// SPDX-License-Identifier: Apache-2.0
// Executables made, asked for what they are, kept as bytes and read again.
#include "pjrt/executable.hpp"

#include <cstring>

#include "pjrt/answer.hpp"
#include "pjrt/cache.hpp"
#include "pjrt/compile_options.hpp"
#include "pjrt/proto.hpp"
#include "pjrt/slots.hpp"

namespace tw::pjrt {

namespace {

// Fields of an executable as bytes: what it was made of. Reading it compiles again.
enum Field : uint32_t { kMagic = 1, kVersion = 2, kCode = 3, kOptions = 4 };
constexpr std::string_view kMagicText = "tilewright executable";

CompileOptions options_for(const Client &client, std::string_view bytes) {
  return read_compile_options(bytes, std::ssize(client.devices), client.addressable.front()->description.id);
}

std::shared_ptr<const Compiled> compiled_with(Client &client, std::string_view code,
                                              const CompileOptions &options) {
  return client.programs->get(
      client, code, options.partitions, options.policy.empty() ? client.options.policy : options.policy,
      client.processes == nullptr ? nullptr
                                  : client.processes->team_for(options.devices, client.context.get()));
}

void check_format(const abi::Program &program) {
  if (const std::string_view format(program.format, program.format_size); format != "mlir")
    throw Failure{abi::Code::unimplemented,
                  "a program in format '" + std::string(format) + "': StableHLO is read, format 'mlir'"};
}

LoadedExecutable *load(Client &client, std::string_view code, std::string_view options_bytes) {
  const CompileOptions options = options_for(client, options_bytes);
  auto loaded = std::make_unique<LoadedExecutable>();
  loaded->client = client.shared_from_this();
  loaded->compiled = compiled_with(client, code, options);
  loaded->options = options_bytes;
  loaded->is_portable = options.is_portable && options.partitions == 1;
  loaded->assignment = options.devices;
  for (int64_t p = 0; p < options.partitions; ++p) {
    Device &device = client.device(options.devices[static_cast<size_t>(p)]);
    if (!device.is_addressable)
      continue;
    loaded->devices.push_back(&device);
    loaded->logical_ids.push_back({0, static_cast<int>(p)});
    for (const ArraySpec &result : loaded->compiled->results)
      loaded->result_memories.push_back(&client.memory(device, result.memory_kind));
  }
  return loaded.release();
}

const Compiled &of(const Executable *executable) { return *executable->compiled; }

void answer(abi::ExecutableMemoryKinds &args, const Compiled::Texts &texts) {
  args.count = texts.data.size();
  args.kinds = texts.data.data();
  args.sizes = texts.sizes.data();
}

void answer(abi::ExecutableShardings &args, const Compiled::Texts &texts) {
  args.count = texts.data.size();
  args.shardings = texts.data.empty() ? nullptr : texts.data.data();
  args.sizes = texts.sizes.empty() ? nullptr : texts.sizes.data();
}

} // namespace

void client_compile(abi::ClientCompile &args) {
  check_format(*args.program);
  args.executable =
      load(*args.object, {args.program->code, args.program->code_size}, {args.options, args.options_size});
}

void compile_for_topology(abi::TopologyCompile &args) {
  check_format(*args.program);
  Client &client = args.client != nullptr ? *args.client : *args.topology->client;
  const std::string_view bytes(args.options, args.options_size);
  const CompileOptions options = options_for(client, bytes);
  args.executable = new Executable{
      compiled_with(client, {args.program->code, args.program->code_size}, options), std::string(bytes)};
}

void client_load(abi::ClientLoad &args) {
  const std::string_view options(args.options, args.options_size);
  args.loaded = load(*args.object, args.executable->compiled->code,
                     options.empty() ? std::string_view(args.executable->options) : options);
}

void execute_context_create(abi::Of<ExecuteContext> &args) { args.object = new ExecuteContext; }
void execute_context_destroy(abi::Of<ExecuteContext> &args) { delete args.object; }

void executable_serialize(abi::GetBytes<Executable> &args) {
  ProtoWriter message;
  message.bytes(kMagic, kMagicText);
  message.bytes(kVersion, tw_version());
  message.bytes(kCode, of(args.object).code);
  message.bytes(kOptions, args.object->options);
  answer(args, message.take());
}

void executable_deserialize_and_load(abi::ExecutableLoad &args) {
  std::string_view magic, version, code, options;
  ProtoReader message({args.bytes, args.size}, "serialised executable");
  while (message.next())
    switch (message.field()) {
    case kMagic: magic = message.bytes(); break;
    case kVersion: version = message.bytes(); break;
    case kCode: code = message.bytes(); break;
    case kOptions: options = message.bytes(); break;
    default: break;
    }
  if (magic != kMagicText)
    throw Failure{abi::Code::invalid_argument, "these bytes are no executable of tilewright"};
  if (version != tw_version())
    throw Failure{abi::Code::invalid_argument,
                  "an executable of tilewright " + std::string(version) + ": this is " + tw_version()};
  if (abi::has(args, args.options_size) && args.options_size != 0)
    options = {args.options, args.options_size};
  args.executable = load(*args.object, code, options);
}

void executable_destroy(abi::Of<Executable> &args) { delete args.object; }
void executable_name(abi::GetText<Executable> &args) { answer(args, of(args.object).name); }
void executable_num_replicas(abi::Get<Executable, size_t> &args) { args.value = 1; }
void executable_num_partitions(abi::Get<Executable, size_t> &args) {
  args.value = static_cast<size_t>(of(args.object).num_partitions);
}
void executable_num_outputs(abi::Get<Executable, size_t> &args) {
  args.value = of(args.object).results.size();
}
void executable_code_size(abi::Get<Executable, int64_t> &args) { args.value = 0; } // none is generated
void executable_cost_analysis(abi::GetCounted<Executable, abi::NamedValue> &args) {
  args.items = of(args.object).costs().data();
  args.count = of(args.object).costs().size();
}
void executable_output_memory_kinds(abi::ExecutableMemoryKinds &args) {
  answer(args, of(args.object).result_kinds);
}
void executable_parameter_memory_kinds(abi::ExecutableMemoryKinds &args) {
  answer(args, of(args.object).argument_kinds);
}
void executable_parameter_shardings(abi::ExecutableShardings &args) {
  answer(args, of(args.object).argument_shardings);
}
void executable_output_shardings(abi::ExecutableShardings &args) {
  answer(args, of(args.object).result_shardings);
}

// What every device runs, as StableHLO. Called once for the size, then with memory of the caller.
void executable_optimized_program(abi::Get<Executable, abi::Program *> &args) {
  const std::string text = text_of(
      [&](tw_blob_t **out) { return tw_program_emit(of(args.object).program.get(), "stablehlo", out); });
  abi::Program &program = *args.value;
  program.format = "mlir";
  program.format_size = 4;
  if (program.code != nullptr) {
    if (program.code_size < text.size())
      throw Failure{abi::Code::invalid_argument, "a program of " + std::to_string(text.size()) +
                                                     " bytes does not fit into " +
                                                     std::to_string(program.code_size)};
    std::memcpy(program.code, text.data(), text.size());
  }
  program.code_size = text.size();
}

void executable_output_types(abi::GetList<Executable, abi::Type> &args) {
  args.items = of(args.object).result_types.data();
  args.count = of(args.object).result_types.size();
}
void executable_output_dimensions(abi::ExecutableDims &args) {
  args.count = of(args.object).result_ranks.size();
  args.dims = of(args.object).result_dims.data();
  args.ndims = of(args.object).result_ranks.data();
}
void executable_fingerprint(abi::GetText<Executable> &args) { answer(args, of(args.object).fingerprint); }
void executable_memory_stats(abi::ExecutableMemoryStats &args) {
  args.device = of(args.object).bytes;
  args.host = {};
  args.peak = of(args.object).peak_bytes;
  if (abi::has(args, args.peak_unpadded_heap)) {
    args.total = args.total_allocation = args.peak_unpadded_heap = args.peak;
    args.indefinite_allocations = 0;
  }
}
void executable_compile_options(abi::GetBytes<Executable> &args) { answer(args, args.object->options); }

void loaded_executable_destroy(abi::Of<LoadedExecutable> &args) { delete args.object; }
void loaded_executable_get_executable(abi::Get<LoadedExecutable, Executable *> &args) {
  args.value = new Executable{args.object->compiled, args.object->options};
}
void loaded_executable_addressable_devices(abi::GetList<LoadedExecutable, Device *> &args) {
  args.items = args.object->devices.data();
  args.count = args.object->devices.size();
}
void loaded_executable_logical_ids(abi::GetList<LoadedExecutable, abi::LogicalId> &args) {
  args.items = args.object->logical_ids.data();
  args.count = args.object->logical_ids.size();
}
void loaded_executable_delete(abi::Of<LoadedExecutable> &args) { args.object->is_deleted = true; }
void loaded_executable_is_deleted(abi::Get<LoadedExecutable, bool> &args) {
  args.value = args.object->is_deleted;
}
void loaded_executable_fingerprint(abi::GetText<LoadedExecutable> &args) {
  answer(args, args.object->compiled->fingerprint);
}
void loaded_executable_device_assignment(abi::GetBytes<LoadedExecutable> &args) {
  answer(args, args.object->is_portable ? std::string() : device_assignment(args.object->assignment));
}

} // namespace tw::pjrt
