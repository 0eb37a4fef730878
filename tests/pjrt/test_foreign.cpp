// SPDX-License-Identifier: Apache-2.0
// Foreign functions through the extension of the table: what handlers are given and may call, how often they
// are called, and what goes wrong.
#include <doctest/doctest.h>

#include <atomic>
#include <cstring>
#include <string>
#include <thread>

#include "pjrt/abi_ffi.hpp"
#include "pjrt/plugin.hpp"

using namespace tw::test::plugin;
namespace pjrt = tw::pjrt;

namespace {

const abi::FfiTable &foreign_functions() {
  for (const abi::Extension *at = table().extensions; at != nullptr; at = at->next)
    if (at->type == abi::kFfiExtension)
      return *reinterpret_cast<const abi::FfiTable *>(at);
  FAIL("the table has no extension for foreign functions");
  std::abort();
}

Said add(const std::string &target, abi::FfiHandler handler) {
  abi::FfiRegister args{sizeof args, target.data(), target.size(), handler, "tilewright", 10, 0};
  return take(foreign_functions().handler_register(&args));
}

// Says what a handler is made for where it is asked: true.
bool answers_version(abi::FfiCall *call, int major = 0, int minor = 3, int64_t state = 0) {
  if (call->extensions == nullptr)
    return false;
  REQUIRE(call->extensions->type == abi::kFfiMetadataExtension);
  abi::FfiMetadata &about = *reinterpret_cast<abi::FfiMetadataExtension *>(call->extensions)->metadata;
  about.version.major = major;
  about.version.minor = minor;
  about.state_type = state;
  return true;
}

pjrt::FfiError *failed(const abi::FfiCall *call, abi::Code code, const char *message) {
  abi::FfiErrorCreate args{{sizeof args, nullptr}, message, code};
  return call->api->error_create(&args);
}

abi::FfiBuffer &array(const abi::FfiBuffers &buffers, size_t i) {
  return *static_cast<abi::FfiBuffer *>(buffers.buffers[i]);
}
size_t elements(const abi::FfiBuffer &buffer) {
  size_t count = 1;
  for (int64_t d = 0; d < buffer.rank; ++d)
    count *= static_cast<size_t>(buffer.dims[d]);
  return count;
}

std::atomic<int> calls, called_elements;

// y = x + amount; `amount` is an attribute of f32.
pjrt::FfiError *add_amount(abi::FfiCall *call) {
  if (answers_version(call))
    return nullptr;
  if (call->attributes.size != 1 || std::string(call->attributes.names[0]->text) != "amount" ||
      call->attributes.kinds[0] != abi::FfiAttr::scalar)
    return failed(call, abi::Code::invalid_argument, "the attribute amount is missing");
  float amount = 0;
  std::memcpy(&amount, static_cast<abi::FfiScalar *>(call->attributes.values[0])->value, sizeof amount);
  const abi::FfiBuffer &x = array(call->operands, 0);
  REQUIRE(x.type == abi::FfiType::f32);
  for (size_t i = 0; i < elements(x); ++i)
    static_cast<float *>(array(call->results, 0).data)[i] = static_cast<const float *>(x.data)[i] + amount;
  ++calls;
  called_elements += static_cast<int>(elements(x));
  return nullptr;
}

// Ends in another thread, after it has returned.
pjrt::FfiError *later(abi::FfiCall *call) {
  if (answers_version(call))
    return nullptr;
  abi::FfiFutureCreate made{{sizeof made, nullptr}, nullptr};
  REQUIRE(call->api->future_create(&made) == nullptr);
  call->future = made.future;
  const abi::FfiApi *api = call->api;
  const abi::FfiBuffer x = array(call->operands, 0);
  auto *y = static_cast<float *>(array(call->results, 0).data);
  const abi::FfiCall at = *call;
  std::thread([=] {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    const float first = static_cast<const float *>(x.data)[0];
    std::memcpy(y, x.data, elements(x) * sizeof(float));
    if (first < 0) {
      abi::FfiFutureSetError set{{{sizeof set, nullptr}, made.future},
                                 failed(&at, abi::Code::unavailable, "nobody is there")};
      api->future_set_error(&set);
    } else {
      abi::FfiFutureSet set{{sizeof set, nullptr}, made.future};
      api->future_set(&set);
    }
  }).detach();
  return nullptr;
}

// Tries what handlers may call, and what there is nothing for.
pjrt::FfiError *asks(abi::FfiCall *call) {
  if (answers_version(call))
    return nullptr;
  const abi::FfiApi &api = *call->api;
  CHECK(api.struct_size == sizeof(abi::FfiApi));
  abi::FfiMemoryAllocate memory{{sizeof memory, nullptr}, call->context, 100, 256, nullptr};
  CHECK(api.memory_allocate(&memory) == nullptr);
  CHECK(reinterpret_cast<uintptr_t>(memory.data) % 256 == 0);
  std::memset(memory.data, 1, 100);
  abi::FfiMemoryFree freed{{sizeof freed, nullptr}, call->context, 100, memory.data};
  CHECK(api.memory_free(&freed) == nullptr);
  for (const size_t size : {SIZE_MAX, SIZE_MAX / 2}) {
    memory.size = size;
    pjrt::FfiError *error = api.memory_allocate(&memory);
    REQUIRE(error != nullptr);
    abi::FfiErrorDestroy destroy{{sizeof destroy, nullptr}, error};
    api.error_destroy(&destroy);
  }
  bool ran = false;
  abi::FfiTask task{
      {sizeof task, nullptr}, call->context, [](void *data) { *static_cast<bool *>(data) = true; }, &ran};
  CHECK(api.schedule(&task) == nullptr);
  CHECK(ran);
  int64_t threads = 0;
  abi::FfiNumThreads number{{sizeof number, nullptr}, call->context, &threads};
  CHECK(api.num_threads(&number) == nullptr);
  CHECK(threads == 1);
  for (auto function : {api.stream_get, api.state_set, api.state_get, api.context_get, api.run_id,
                        api.device_ordinal, api.type_register, api.handler_register}) {
    abi::Header args{sizeof args, nullptr};
    pjrt::FfiError *error = function(&args);
    REQUIRE(error != nullptr);
    abi::FfiErrorMessage said{{sizeof said, nullptr}, error, nullptr};
    api.error_message(&said);
    CHECK(std::string(said.message).find("there is nothing for") != std::string::npos);
    abi::FfiErrorDestroy destroy{{sizeof destroy, nullptr}, error};
    api.error_destroy(&destroy);
  }
  return failed(call, abi::Code::not_found, "all tried");
}

std::string program(const std::string &call, int partitions = 1) {
  const std::string where = partitions == 1 ? "" : " {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>}";
  return "module @jit_f attributes {mhlo.num_partitions = " + std::to_string(partitions) +
         " : i32, mhlo.num_replicas = 1 : i32} {\n" +
         (partitions == 1 ? "" : "  sdy.mesh @mesh = <[\"x\"=" + std::to_string(partitions) + "]>\n") +
         "  func.func public @main(%arg0: tensor<8xf32>" + where + ") -> (tensor<8xf32>" + where + ") {\n" +
         call + "    return %0 : tensor<8xf32>\n  }\n}";
}
std::string call_of(const std::string &target, const std::string &config) {
  return "    %0 = stablehlo.custom_call @" + target + "(%arg0) {api_version = 4 : i32, backend_config = {" +
         config + "}} : (tensor<8xf32>) -> tensor<8xf32>\n";
}

std::vector<float> run_on_one(const Client &client, const std::string &code, std::vector<float> x,
                              Said *said = nullptr) {
  auto *executable = client.compile(code, options_for({0}));
  auto *argument = client.floats(x, {8});
  const auto results = execute(executable, {{argument}}, 1, said);
  const bool is_there = said == nullptr || said->code == abi::Code::ok;
  std::vector<float> y = is_there ? floats_of(results[0][0]) : std::vector<float>();
  if (is_there)
    destroy(results[0][0]);
  destroy(argument);
  end(executable);
  return y;
}

const std::vector<float> kX = {0, 1, 2, 3, 4, 5, 6, 7}, kMore = {2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5};

} // namespace

TEST_CASE("a foreign function is called once for each part that devices hold") {
  const Client client(4);
  expect_ok(add("test.add", add_amount));
  expect_ok(add("test.add", add_amount)); // once more
  CHECK(add("test.add", later).message.find("another handler is registered as test.add") !=
        std::string::npos);
  calls = called_elements = 0;
  CHECK(run_on_one(client, program(call_of("test.add", "amount = 2.5 : f32")), kX) == kMore);
  CHECK(calls == 1);

  calls = called_elements = 0;
  auto *executable =
      client.compile(program(call_of("test.add", "amount = 2.5 : f32"), 4), options_for({0, 1, 2, 3}));
  std::vector<std::vector<pjrt::Buffer *>> arguments;
  for (int p = 0; p < 4; ++p)
    arguments.push_back({client.floats({kX[2 * p], kX[2 * p + 1]}, {2}, p)});
  const auto results = execute(executable, arguments, 1);
  for (size_t p = 0; p < 4; ++p) {
    CHECK(floats_of(results[p][0]) == std::vector<float>{kMore[2 * p], kMore[2 * p + 1]});
    destroy(results[p][0]);
    destroy(arguments[p][0]);
  }
  CHECK(calls == 1); // of the whole array, that all need
  CHECK(called_elements == 8);
  end(executable);
}

TEST_CASE("attributes that handlers have no form for, and calls of nobody") {
  const Client client(1);
  expect_ok(add("test.add", add_amount));
  const auto fails = [&](const std::string &target, const std::string &config, abi::Code code,
                         const char *text) {
    Said said;
    client.compile(program(call_of(target, config)), options_for({0}), &said);
    CAPTURE(said.message);
    CHECK(said.code == code);
    CHECK(said.message.find(text) != std::string::npos);
  };
  fails("test.add", "amount = 2.5 : f16", abi::Code::unimplemented, "amount");
  fails("test.add", "amount = {a = 1 : i64}", abi::Code::unimplemented,
        "amount of a foreign function is a dictionary");
  fails("test.add", "amount = [1, 2]", abi::Code::unimplemented, "a list of attributes");
  fails("test.nobody", "", abi::Code::unimplemented, "@test.nobody has no kernel");
  Said said;
  run_on_one(client, program(call_of("test.add", "other = 1 : i64")), kX, &said);
  CHECK(said.code == abi::Code::invalid_argument);
  CHECK(said.message.find("the attribute amount is missing") != std::string::npos);
}

TEST_CASE("dimensions in front that arrays do not have are refused") {
  const Client client(1);
  expect_ok(add("test.add", add_amount));
  const std::string code =
      "module @jit_f {\n  func.func public @main(%arg0: tensor<8xf32>) -> (tensor<4xf32>) {\n"
      "    %0 = stablehlo.custom_call @test.add(%arg0) {api_version = 4 : i32, backend_config = {amount = "
      "1.0 : "
      "f32}, tw.dims_in_front = N : i64} : (tensor<8xf32>) -> tensor<4xf32>\n"
      "    return %0 : tensor<4xf32>\n  }\n}";
  for (const char *in_front : {"1", "2", "9223372036854775807"}) {
    std::string with = code;
    with.replace(with.find("= N") + 2, 1, in_front);
    Said said;
    run_on_one(client, with, kX, &said);
    CAPTURE(said.message);
    CHECK(said.code == abi::Code::invalid_argument);
    CHECK(said.message.find("tw.dims_in_front is") != std::string::npos);
  }
}

TEST_CASE("handlers that end later, and what they may call") {
  const Client client(1);
  expect_ok(add("test.later", later));
  expect_ok(add("test.asks", asks));
  for (int round = 0; round < 20; ++round)
    CHECK(run_on_one(client, program(call_of("test.later", "")), kX) == kX);
  Said said;
  run_on_one(client, program(call_of("test.later", "")), {-1, 0, 0, 0, 0, 0, 0, 0}, &said);
  CHECK(said.code == abi::Code::unavailable);
  CHECK(said.message.find("nobody is there") != std::string::npos);
  run_on_one(client, program(call_of("test.asks", "")), kX, &said);
  CHECK(said.code == abi::Code::not_found);
  CHECK(said.message.find("all tried") != std::string::npos);
}

TEST_CASE("handlers of another version, with a state, or without a name are refused") {
  const auto refused = [](const std::string &target, abi::FfiHandler handler, const char *text) {
    const Said said = add(target, handler);
    CAPTURE(said.message);
    CHECK(said.message.find(text) != std::string::npos);
  };
  refused("", add_amount, "without a target");
  refused("test.null", nullptr, "none for test.null");
  refused(
      "test.newer",
      [](abi::FfiCall *call) -> pjrt::FfiError * { return answers_version(call, 1, 0), nullptr; },
      "made for version 1.0");
  refused(
      "test.minor",
      [](abi::FfiCall *call) -> pjrt::FfiError * { return answers_version(call, 0, 99), nullptr; },
      "made for version 0.99");
  refused(
      "test.state",
      [](abi::FfiCall *call) -> pjrt::FfiError * { return answers_version(call, 0, 3, 7), nullptr; },
      "has a state");
  refused(
      "test.fails",
      [](abi::FfiCall *call) -> pjrt::FfiError * { return failed(call, abi::Code::internal, "my fault"); },
      "my fault");
}

TEST_CASE("types and data for the context of a run") {
  abi::FfiTypeRegister type{{sizeof type, nullptr}, "mine", 4, 0, nullptr};
  expect_ok(take(foreign_functions().type_register(&type)));
  const int64_t first = type.type;
  CHECK(first != 0);
  type.type = 0;
  expect_ok(take(foreign_functions().type_register(&type)));
  CHECK(type.type == first);
  type.type = first + 5;
  CHECK(take(foreign_functions().type_register(&type)).message.find("another number") != std::string::npos);
  abi::FfiUserData data{{sizeof data, nullptr}, nullptr, first, nullptr};
  CHECK(take(foreign_functions().user_data_add(&data)).code == abi::Code::invalid_argument);
}
