// SPDX-License-Identifier: Apache-2.0
// The table, errors, events and clients.
#include <doctest/doctest.h>

#include <cstdlib>
#include <cstring>
#include <thread>

#include "pjrt/plugin.hpp"

using namespace tw::test::plugin;

TEST_CASE("test_table__no_slot_is_null") {
  CHECK(table().struct_size == sizeof(Table));
  CHECK(table().version.major == 0);
  CHECK(table().version.minor == 112);
  for (size_t i = 0; i < kSlots; ++i) {
    const bool is_there = table().slots[i] != nullptr;
    CHECK_MESSAGE(is_there, i);
  }
  REQUIRE(table().extensions != nullptr);
  CHECK(table().extensions->type == abi::kShardingsExtension);
}

TEST_CASE("test_table__what_is_not_there_says_so"){
#define TW_SLOT(...)
#define TW_PLAIN_SLOT(...)
#define TW_NO_SLOT(name)                                                                                     \
  {                                                                                                          \
    abi::Header args{};                                                                                      \
    const Said said = call(missing_##name, args);                                                            \
    CHECK(said.code == abi::Code::unimplemented);                                                            \
    CHECK(said.message == "PJRT_" #name " is not there");                                                    \
  }
#include "pjrt/slot_list.inc"
#undef TW_SLOT
#undef TW_PLAIN_SLOT
#undef TW_NO_SLOT
}

TEST_CASE("test_table__clients_and_their_devices") {
  const Client client(3);
  const auto devices = ask<abi::GetList<tw::pjrt::Client, tw::pjrt::Device *>>(client_devices, client.get());
  REQUIRE(devices.count == 3);
  for (int id = 0; id < 3; ++id) {
    CHECK(devices.items[id] == client.device(id));
    const auto memories = ask<abi::GetList<tw::pjrt::Device, tw::pjrt::Memory *>>(device_addressable_memories,
                                                                                  devices.items[id]);
    REQUIRE(memories.count == 3);
    const auto kind = ask<abi::GetText<tw::pjrt::Memory>>(memory_kind, memories.items[0]);
    CHECK(std::string_view(kind.text, kind.size) == "device");
  }
  abi::ClientLookup wrong{};
  wrong.object = client.get();
  wrong.id = 3;
  CHECK(call(client_lookup_device, wrong).code == abi::Code::not_found);
  int numbers[6] = {};
  abi::ClientDefaultAssignment assignment{};
  assignment.object = client.get();
  assignment.num_replicas = 1;
  assignment.num_partitions = 3;
  assignment.size = 3;
  assignment.assignment = numbers;
  done(client_default_device_assignment, assignment);
  CHECK((numbers[0] == 0 && numbers[2] == 2));
  assignment.size = 2;
  CHECK(call(client_default_device_assignment, assignment).code == abi::Code::invalid_argument);
}

TEST_CASE("test_table__options_of_clients_are_checked") {
  abi::ClientCreate args{};
  setenv("TW_PJRT_DEVICES", "many", 1);
  CHECK(call(client_create, args).message == "TW_PJRT_DEVICES=many is no number");
  setenv("TW_PJRT_DEVICES", "0", 1);
  CHECK(call(client_create, args).message == "TW_PJRT_DEVICES is 0: a client has from 1 to 4096 devices");
  unsetenv("TW_PJRT_DEVICES");
  abi::NamedValue option{};
  option.name = "devices";
  option.name_size = 7;
  option.kind = abi::ValueKind::text;
  option.text = "8";
  option.size = 1;
  args.options = &option;
  args.num_options = 1;
  CHECK(call(client_create, args).message == "option devices is no integer");
}

TEST_CASE("test_table__events_tell_who_asked") {
  abi::Of<tw::pjrt::Event> made{};
  tw::pjrt::Event *event = done(event_create, made).object;
  CHECK_FALSE((ask<abi::Get<tw::pjrt::Event, bool>>(event_is_ready, event).value));
  CHECK(call(event_error, made).code == abi::Code::failed_precondition);
  static int told = 0;
  abi::EventOnReady listen{};
  listen.object = event;
  listen.callback = [](tw::pjrt::Error *error, void *user) {
    told += take(error).message == "no such luck" && user == &told;
  };
  listen.user = &told;
  done(event_on_ready, listen);
  std::thread setter([&] {
    abi::EventSet set{};
    set.object = event;
    set.code = abi::Code::unavailable;
    set.message = "no such luck";
    set.size = std::strlen(set.message);
    done(event_set, set);
    CHECK(call(event_set, set).code == abi::Code::failed_precondition);
  });
  CHECK(call(event_await, made).message == "no such luck");
  setter.join();
  done(event_on_ready, listen); // at once
  CHECK(told == 2);
  CHECK(call(event_error, made).code == abi::Code::unavailable);
  ask<abi::Of<tw::pjrt::Event>>(event_destroy, event);
}
