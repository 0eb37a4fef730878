// SPDX-License-Identifier: Apache-2.0
// Several processes, each a thread with a client of its own: they find each other through a store, run
// programs together, and are told when one goes away.
#include <doctest/doctest.h>

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>

#include "pjrt/plugin.hpp"

using namespace tw::test::plugin;
using tw::pjrt::LoadedExecutable;

namespace {

// Rows on x, columns on y; the second result is not stated, and lies in tiles of 2 and 1.
constexpr const char *kTransposed =
    R"(module @jit_f attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%arg0: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>})
      -> (tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<3x6xf32>) {
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
    %1 = stablehlo.slice %arg0 [0:3, 0:6] : (tensor<4x6xf32>) -> tensor<3x6xf32>
    return %0, %1 : tensor<6x4xf32>, tensor<3x6xf32>
  }
})";

// The sum of a line of 24, in a row of as many devices as there are.
std::string sum_of_line(int devices) {
  const std::string n = std::to_string(devices);
  return "module @jit_sum attributes {mhlo.num_partitions = " + n + R"( : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=)" +
         n + R"(]>
  func.func public @main(%arg0: tensor<24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
      -> (tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<24xf32>, tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
})";
}

// What the processes of a framework share.
class Store {
public:
  static tw::pjrt::Error *put(abi::StorePut *args) {
    auto &self = *static_cast<Store *>(args->user);
    const std::scoped_lock lock(self.mutex_);
    const bool is_new =
        self.values_.try_emplace({args->key, args->key_size}, args->value, args->value_size).second;
    self.changed_.notify_all();
    const std::string_view text = "it is there already";
    return is_new ? nullptr : (*args->make_error)(abi::Code::failed_precondition, text.data(), text.size());
  }
  static tw::pjrt::Error *get(abi::StoreGet *args) {
    auto &self = *static_cast<Store *>(args->user);
    const std::string key(args->key, args->key_size);
    std::unique_lock lock(self.mutex_);
    if (!self.changed_.wait_for(lock, std::chrono::milliseconds(args->timeout_ms),
                                [&] { return self.values_.contains(key); })) {
      const std::string text = "nobody has put " + key;
      return (*args->make_error)(abi::Code::deadline_exceeded, text.data(), text.size());
    }
    const std::string &value = self.values_[key];
    args->value = new char[value.size()];
    args->value_size = value.size();
    args->deleter = [](char *kept) { delete[] kept; };
    std::memcpy(args->value, value.data(), value.size());
    return nullptr;
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, std::string> values_;
};

std::unique_ptr<Client> process_of(Store &store, int process, int processes, int devices, int deadline = 60,
                                   Said *said = nullptr) {
  const abi::NamedValue options[] = {option_of("node_id", process), option_of("num_nodes", processes),
                                     option_of("devices", devices), option_of("deadline", deadline)};
  abi::ClientCreate args{};
  args.options = options;
  args.num_options = std::size(options);
  args.kv_get = Store::get;
  args.kv_put = Store::put;
  args.kv_get_user = args.kv_put_user = &store;
  return std::make_unique<Client>(args, said);
}

// Processes with so many devices, once they have met.
std::vector<std::unique_ptr<Client>> meet(Store &store, const std::vector<int> &devices) {
  std::vector<std::future<std::unique_ptr<Client>>> coming;
  for (size_t p = 0; p < devices.size(); ++p)
    coming.push_back(std::async(std::launch::async, [&, p] {
      return process_of(store, static_cast<int>(p), static_cast<int>(devices.size()), devices[p]);
    }));
  std::vector<std::unique_ptr<Client>> all;
  for (auto &one : coming)
    all.push_back(one.get());
  return all;
}

// What each process does, at once.
template <class Body> void each(size_t processes, Body body) {
  std::vector<std::future<void>> running;
  for (size_t p = 0; p < processes; ++p)
    running.push_back(std::async(std::launch::async, [&, p] { body(p); }));
  for (auto &one : running)
    one.get();
}

void drop(LoadedExecutable *executable) {
  ask<abi::Of<LoadedExecutable>>(loaded_executable_destroy, executable);
}

// The sum of 0 to 23 on these devices, as a process with a partition on `own` of them gets it.
std::vector<float> sum_on(const Client &client, const std::vector<int64_t> &devices,
                          const std::vector<size_t> &own, Said *said = nullptr) {
  auto *executable =
      client.compile(sum_of_line(static_cast<int>(devices.size())), options_for(devices), said);
  if (executable == nullptr)
    return {};
  std::vector<float> line(24 / devices.size());
  std::vector<std::vector<tw::pjrt::Buffer *>> arguments;
  for (const size_t p : own) {
    std::iota(line.begin(), line.end(), static_cast<float>(p * line.size()));
    arguments.push_back(
        {client.floats(line, {static_cast<int64_t>(line.size())}, static_cast<int>(devices[p]))});
  }
  std::vector<float> sums;
  for (const auto &results : execute(executable, arguments, 1, said)) {
    sums.push_back(floats_of(results[0])[0]);
    destroy(results[0]);
  }
  for (const auto &given : arguments)
    destroy(given[0]);
  drop(executable);
  return sums;
}

} // namespace

TEST_CASE("test_processes__they_know_each_others_devices") {
  Store store;
  const auto all = meet(store, {2, 3});
  for (int p = 0; p < 2; ++p) {
    tw::pjrt::Client *const client = all[static_cast<size_t>(p)]->get();
    CHECK((ask<abi::Get<tw::pjrt::Client, int>>(client_process_index, client).value == p));
    const auto devices = ask<abi::GetList<tw::pjrt::Client, tw::pjrt::Device *>>(client_devices, client);
    const auto own =
        ask<abi::GetList<tw::pjrt::Client, tw::pjrt::Device *>>(client_addressable_devices, client);
    REQUIRE(devices.count == 5);
    REQUIRE(own.count == (p == 0 ? 2 : 3));
    for (int id = 0; id < 5; ++id) {
      tw::pjrt::Device *const device = devices.items[id];
      const int process = id < 2 ? 0 : 1, local = id < 2 ? id : id - 2;
      auto *description =
          ask<abi::Get<tw::pjrt::Device, tw::pjrt::DeviceDescription *>>(device_get_description, device)
              .value;
      CHECK((ask<abi::Get<tw::pjrt::DeviceDescription, int>>(device_description_process_index, description)
                 .value == process));
      CHECK((ask<abi::Get<tw::pjrt::Device, bool>>(device_is_addressable, device).value == (process == p)));
      CHECK((ask<abi::Get<tw::pjrt::Device, int>>(device_local_hardware_id, device).value == local));
      if (process == p)
        CHECK(own.items[local] == device);
    }
    abi::ClientLookup lookup{};
    lookup.object = client;
    lookup.id = 1;
    CHECK(done(client_lookup_addressable_device, lookup).device == devices.items[p == 0 ? 1 : 3]);
    lookup.id = 3;
    CHECK(call(client_lookup_addressable_device, lookup).code == abi::Code::not_found);
  }
  abi::BufferFromHost wrong{};
  const float value = 1;
  wrong.object = all[0]->get();
  wrong.type = abi::Type::f32;
  wrong.data = &value;
  wrong.device = all[0]->device(4);
  CHECK(call(client_buffer_from_host_buffer, wrong).message ==
        "tilewright:4 is of process 1, and this is process 0");
}

TEST_CASE("test_processes__they_run_a_program_together") {
  Store store;
  const auto all = meet(store, {2, 2});
  std::vector<float> values(24);
  std::iota(values.begin(), values.end(), 0.0f);
  // In the order of processes, and in the other: partition p is at x = p / 2, y = p % 2.
  for (const std::vector<int64_t> &devices :
       {std::vector<int64_t>{0, 1, 2, 3}, std::vector<int64_t>{3, 2, 0, 1}})
    each(2, [&](size_t self) {
      const Client &client = *all[self];
      auto *executable = client.compile(kTransposed, options_for(devices));
      std::vector<std::vector<tw::pjrt::Buffer *>> arguments;
      std::vector<int> own;
      for (int p = 0; p < 4; ++p)
        if (static_cast<size_t>(devices[static_cast<size_t>(p)] / 2) == self) {
          own.push_back(p);
          arguments.push_back({client.buffer(abi::Type::f32, {2, 3}, values.data() + p % 2 * 12 + p / 2 * 3,
                                             static_cast<int>(devices[static_cast<size_t>(p)]),
                                             std::vector<int64_t>{24, 4})});
        }
      const auto results = execute(executable, arguments, 2);
      REQUIRE(results.size() == 2);
      for (size_t k = 0; k < own.size(); ++k) {
        const int x = own[k] / 2, y = own[k] % 2;
        std::vector<float> expected;
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 2; ++j)
            expected.push_back(values[static_cast<size_t>((y * 2 + j) * 6 + x * 3 + i)]);
        CHECK(floats_of(results[k][0]) == expected);
        // What would lie unevenly is whole.
        CHECK(floats_of(results[k][1]) == std::vector<float>(values.begin(), values.begin() + 18));
        destroy(results[k][0]);
        destroy(results[k][1]);
        destroy(arguments[k][0]);
      }
      drop(executable);
    });
}

TEST_CASE("test_processes__some_run_what_others_do_not") {
  Store store;
  const auto all = meet(store, {1, 2, 1});
  each(3, [&](size_t self) {
    const Client &client = *all[self];
    const std::vector<std::vector<size_t>> of_all = {{0}, {1, 2}, {3}};
    for (int turn = 0; turn < 3; ++turn) {
      if (self == 1)
        CHECK(sum_on(client, {2, 1}, {0, 1}) == std::vector<float>{276, 276}); // alone
      if (self != 1)
        CHECK(sum_on(client, {3, 0}, {self == 2 ? size_t{0} : size_t{1}}) == std::vector<float>{276});
      if (self != 0)
        CHECK(sum_on(client, {1, 3}, {self - 1}) == std::vector<float>{276});
    }
    Said said;
    sum_on(client, {0, 3, 1, 2}, of_all[self], &said);
    CHECK(said.code == abi::Code::unimplemented);
    CHECK(said.message.find("a program on devices [0,3,1,2]: partition 1 is on device 3 of process 2 (") ==
          0);
    if (self == 0) {
      sum_on(client, {1, 2}, {}, &said);
      CHECK(said.message == "a program on devices [1,2], of which process 0 has none");
    }
  });
}

TEST_CASE("test_processes__who_goes_away_is_named") {
  Store store;
  auto all = meet(store, {1, 1, 1});
  each(3, [&](size_t self) { CHECK(sum_on(*all[self], {0, 1, 2}, {self}) == std::vector<float>{276}); });
  all[1].reset();
  for (const size_t self : {size_t{0}, size_t{2}}) {
    Said said;
    sum_on(*all[self], {0, 1, 2}, {self}, &said);
    CHECK(said.message.find("process 1 (") != std::string::npos);
    CHECK(said.message.find("is gone: it has closed its connection") != std::string::npos);
    CHECK(sum_on(*all[self], {static_cast<int64_t>(self)}, {0}) == std::vector<float>{276});
  }
}

TEST_CASE("test_processes__other_programs_are_told_apart") {
  Store store;
  const auto all = meet(store, {1, 1});
  std::vector<std::string> told(2);
  each(2, [&](size_t self) {
    Said said;
    std::string code = sum_of_line(2);
    if (self == 1)
      code.replace(code.find("stablehlo.add"), 13, "stablehlo.multiply"); // of the same name
    auto *executable = all[self]->compile(code, options_for({0, 1}));
    auto *line = all[self]->floats(std::vector<float>(12, 1.0f), {12}, static_cast<int>(self));
    execute(executable, {{line}}, 1, &said);
    told[self] = said.message;
    destroy(line);
    drop(executable);
  });
  for (const std::string &text : told)
    CHECK(text.find("all processes run the same programs on their devices, in the same order") !=
          std::string::npos);
}

TEST_CASE("test_processes__who_does_not_come_is_named") {
  Store store;
  Said said;
  process_of(store, 0, 4, 1, 1, &said);
  CHECK(said.code == abi::Code::deadline_exceeded);
  CHECK(said.message.find("process 0 waits for process 1 of 4, which has not come: nobody has put ") == 0);

  const abi::NamedValue options[] = {option_of("node_id", 7), option_of("num_nodes", 2)};
  abi::ClientCreate args{};
  args.options = options;
  args.num_options = 2;
  CHECK(call(client_create, args).message ==
        "process 7 of 2 (options node_id, num_nodes): there are up to 4096, counted from 0");
  args.options = options + 1;
  args.num_options = 1;
  CHECK(call(client_create, args).message.find("there is no key-value store") != std::string::npos);
}
