// SPDX-License-Identifier: Apache-2.0
// Calls of the table in the forms that tests want.
#include "pjrt/plugin.hpp"

#include <cstdlib>
#include <stdexcept>

#include <dlfcn.h>
#include <doctest/doctest.h>

#include "pjrt/proto.hpp"

namespace tw::test::plugin {

namespace {

void *opened = nullptr;

}

const Table &table() {
  static const Table *const found = [] {
    opened = dlopen(std::getenv("TW_PJRT_PLUGIN"), RTLD_NOW | RTLD_LOCAL);
    if (opened == nullptr)
      throw std::runtime_error(dlerror());
    return reinterpret_cast<const Table *(*)()>(dlsym(opened, "GetPjrtApi"))();
  }();
  return *found;
}

void unload() {
  if (dlclose(opened) != 0)
    throw std::runtime_error(dlerror());
}

Said take(pjrt::Error *error) {
  if (error == nullptr)
    return {};
  abi::ErrorCode code{};
  code.object = error;
  if (reinterpret_cast<pjrt::Error *(*)(abi::ErrorCode *)>(table().slots[error_code])(&code) != nullptr)
    throw std::runtime_error("an error without a code");
  abi::ErrorMessage message{};
  message.object = error;
  reinterpret_cast<void (*)(abi::ErrorMessage *)>(table().slots[error_message])(&message);
  Said said{code.value, std::string(message.text, message.size)};
  abi::Of<pjrt::Error> end{};
  end.object = error;
  reinterpret_cast<void (*)(abi::Of<pjrt::Error> *)>(table().slots[error_destroy])(&end);
  return said;
}

void expect_ok(const Said &said) {
  if (said.code != abi::Code::ok)
    throw std::runtime_error(said.message);
}

abi::NamedValue option_of(std::string_view name, int64_t value) {
  abi::NamedValue option{};
  option.struct_size = sizeof option;
  option.name = name.data();
  option.name_size = name.size();
  option.kind = abi::ValueKind::integer;
  option.integer = value;
  option.size = 1;
  return option;
}

Client::Client(abi::ClientCreate args, Said *said) {
  const Said answer = call(client_create, args);
  if (said == nullptr)
    expect_ok(answer);
  else
    *said = answer;
  client_ = args.client;
}

Client::Client(int64_t devices) {
  const abi::NamedValue option = option_of("devices", devices);
  abi::ClientCreate args{};
  args.options = &option;
  args.num_options = 1;
  client_ = done(client_create, args).client;
}

void Client::destroy() {
  if (client_ != nullptr)
    ask<abi::Of<pjrt::Client>>(client_destroy, client_);
  client_ = nullptr;
}

pjrt::Device *Client::device(int id) const {
  abi::ClientLookup args{};
  args.object = client_;
  args.id = id;
  return done(client_lookup_device, args).device;
}

pjrt::LoadedExecutable *Client::compile(std::string_view code, std::string_view options, Said *said) const {
  std::string text(code);
  abi::Program program{};
  program.code = text.data();
  program.code_size = text.size();
  program.format = "mlir";
  program.format_size = 4;
  abi::ClientCompile args{};
  args.object = client_;
  args.program = &program;
  args.options = options.data();
  args.options_size = options.size();
  const Said answer = call(client_compile, args);
  if (said == nullptr)
    expect_ok(answer);
  else
    *said = answer;
  return args.executable;
}

pjrt::Buffer *Client::buffer(abi::Type type, std::vector<int64_t> dims, const void *data, int id,
                             std::optional<std::vector<int64_t>> strides,
                             abi::HostSemantics semantics) const {
  abi::BufferFromHost args{};
  args.object = client_;
  args.data = data;
  args.type = type;
  args.dims = dims.data();
  args.ndims = dims.size();
  args.strides = strides ? strides->data() : nullptr;
  args.num_strides = strides ? strides->size() : 0;
  args.semantics = semantics;
  args.device = device(id);
  done(client_buffer_from_host_buffer, args);
  ask<abi::Of<pjrt::Event>>(event_destroy, args.done);
  return args.buffer;
}

pjrt::Buffer *Client::floats(const std::vector<float> &values, std::vector<int64_t> dims, int id) const {
  return buffer(abi::Type::f32, std::move(dims), values.data(), id);
}

std::string options_for(const std::vector<int64_t> &devices) {
  pjrt::ProtoWriter assignment, build, options;
  assignment.integer(1, 1);
  assignment.integer(2, static_cast<int64_t>(devices.size()));
  for (const int64_t id : devices) {
    pjrt::ProtoWriter computation;
    computation.integers(1, {id});
    assignment.bytes(3, computation.take());
  }
  build.integer(1, -1);
  build.integer(4, 1);
  build.integer(5, static_cast<int64_t>(devices.size()));
  build.bytes(9, assignment.take());
  options.bytes(3, build.take());
  return options.take();
}

void await_and_destroy(pjrt::Event *event) {
  ask<abi::Of<pjrt::Event>>(event_await, event);
  ask<abi::Of<pjrt::Event>>(event_destroy, event);
}

std::vector<int64_t> dims_of(pjrt::Buffer *buffer) {
  const auto args = ask<abi::GetList<pjrt::Buffer, int64_t>>(buffer_dimensions, buffer);
  return {args.items, args.items + args.count};
}

std::vector<float> floats_of(pjrt::Buffer *buffer) {
  abi::BufferToHost args{};
  args.object = buffer;
  const size_t bytes = done(buffer_to_host_buffer, args).size;
  std::vector<float> values(bytes / sizeof(float) + 1); // so that there is an address
  args.data = values.data();
  args.size = bytes;
  await_and_destroy(done(buffer_to_host_buffer, args).event);
  values.pop_back();
  return values;
}

void destroy(pjrt::Buffer *buffer) { ask<abi::Of<pjrt::Buffer>>(buffer_destroy, buffer); }

std::vector<std::vector<pjrt::Buffer *>> execute(pjrt::LoadedExecutable *executable,
                                                 const std::vector<std::vector<pjrt::Buffer *>> &arguments,
                                                 size_t num_results, Said *said,
                                                 const std::vector<int64_t> &not_donatable) {
  std::vector<std::vector<pjrt::Buffer *>> results(arguments.size(),
                                                   std::vector<pjrt::Buffer *>(num_results));
  std::vector<pjrt::Buffer *const *> in;
  std::vector<pjrt::Buffer **> out;
  std::vector<pjrt::Event *> complete(arguments.size());
  for (size_t d = 0; d < arguments.size(); ++d) {
    in.push_back(arguments[d].data());
    out.push_back(results[d].data());
  }
  abi::ExecuteOptions options{};
  options.struct_size = sizeof options;
  options.not_donatable = not_donatable.data();
  options.num_not_donatable = not_donatable.size();
  abi::Execute args{};
  args.object = executable;
  args.options = &options;
  args.arguments = in.data();
  args.num_devices = arguments.size();
  args.num_args = arguments.empty() ? 0 : arguments[0].size();
  args.outputs = out.data();
  args.complete = complete.data();
  Said answer = call(loaded_executable_execute, args);
  const bool is_started = answer.code == abi::Code::ok;
  for (size_t d = 0; is_started && d < complete.size(); ++d) {
    abi::Of<pjrt::Event> wait{};
    wait.object = complete[d];
    if (const Said ended = call(event_await, wait); ended.code != abi::Code::ok)
      answer = ended;
    ask<abi::Of<pjrt::Event>>(event_destroy, complete[d]);
  }
  if (answer.code != abi::Code::ok) {
    for (size_t d = 0; is_started && d < results.size(); ++d)
      for (pjrt::Buffer *result : results[d])
        destroy(result);
    results.clear();
  }
  if (said != nullptr)
    *said = answer;
  else
    expect_ok(answer);
  return results;
}

void *address(pjrt::Buffer *buffer) {
  return ask<abi::Get<pjrt::Buffer, void *>>(buffer_data_pointer, buffer).value;
}

bool is_deleted(pjrt::Buffer *buffer) {
  return ask<abi::Get<pjrt::Buffer, bool>>(buffer_is_deleted, buffer).value;
}

void end(pjrt::LoadedExecutable *executable) {
  ask<abi::Of<pjrt::LoadedExecutable>>(loaded_executable_destroy, executable);
}

} // namespace tw::test::plugin
