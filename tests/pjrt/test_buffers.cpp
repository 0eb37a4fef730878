// SPDX-License-Identifier: Apache-2.0
// Buffers: elements from and to the host in any strides, views, copies, and what a deleted one answers.
#include <doctest/doctest.h>

#include <array>
#include <numeric>

#include "pjrt/plugin.hpp"

using namespace tw::test::plugin;

namespace {

std::vector<float> counted(size_t n) {
  std::vector<float> values(n);
  std::iota(values.begin(), values.end(), 0.0f);
  return values;
}

} // namespace

TEST_CASE("test_buffers__strides_of_the_host") {
  const Client client(1);
  const std::vector<float> values = counted(12);
  const auto read = [&](std::vector<int64_t> dims, std::vector<int64_t> strides, size_t first) {
    auto *buffer =
        client.buffer(abi::Type::f32, std::move(dims), values.data() + first, 0, std::move(strides));
    const std::vector<float> made = floats_of(buffer);
    destroy(buffer);
    return made;
  };
  CHECK(read({3, 4}, {16, 4}, 0) == values);
  CHECK(read({4, 3}, {4, 16}, 0) == std::vector<float>{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11});
  CHECK(read({3, 2}, {-16, 8}, 8) == std::vector<float>{8, 10, 4, 6, 0, 2});
  CHECK(read({2, 3}, {0, 4}, 5) == std::vector<float>{5, 6, 7, 5, 6, 7});
  CHECK(read({0, 3}, {12, 4}, 0).empty());
  CHECK(read({}, {}, 7) == std::vector<float>{7});
}

TEST_CASE("test_buffers__layouts_of_the_host") {
  const Client client(1);
  auto *buffer = client.floats(counted(6), {2, 3});
  std::array<float, 6> made{};
  const std::array<int64_t, 2> columns{0, 1}, twice{0, 0};
  abi::Layout layout{};
  layout.struct_size = sizeof layout;
  layout.kind = abi::Layout::Kind::tiled;
  layout.tiled.minor_to_major = columns.data();
  layout.tiled.ndims = 2;
  abi::BufferToHost args{};
  args.object = buffer;
  args.layout = &layout;
  args.data = made.data();
  args.size = sizeof made;
  await_and_destroy(done(buffer_to_host_buffer, args).event);
  CHECK(made == std::array<float, 6>{0, 3, 1, 4, 2, 5});
  layout.tiled.minor_to_major = twice.data();
  CHECK(call(buffer_to_host_buffer, args).code == abi::Code::invalid_argument);
  args.layout = nullptr;
  args.size = 23;
  CHECK(call(buffer_to_host_buffer, args).message == "an array of 24 bytes does not fit into 23");
  destroy(buffer);
}

TEST_CASE("test_buffers__arrays_of_the_host_that_stay_there") {
  const Client client(1);
  const size_t bytes = 1 << 20;
  auto *data = static_cast<float *>(std::aligned_alloc(64, bytes));
  std::fill_n(data, bytes / sizeof *data, 2.0f);
  const std::vector<int64_t> dims{static_cast<int64_t>(bytes / sizeof *data)};
  abi::BufferFromHost args{};
  args.object = client.get();
  args.data = data;
  args.type = abi::Type::f32;
  args.dims = dims.data();
  args.ndims = 1;
  args.semantics = abi::HostSemantics::zero_copy;
  args.device = client.device(0);
  done(client_buffer_from_host_buffer, args);
  const auto is_ready = [&] { return ask<abi::Get<tw::pjrt::Event, bool>>(event_is_ready, args.done).value; };
  CHECK_FALSE(is_ready());
  CHECK((ask<abi::Get<tw::pjrt::Buffer, void *>>(buffer_data_pointer, args.buffer).value == data));
  // A view keeps it, also when the buffer is deleted.
  ask<abi::Of<tw::pjrt::Buffer>>(buffer_increase_external_references, args.buffer);
  ask<abi::Of<tw::pjrt::Buffer>>(buffer_delete, args.buffer);
  CHECK_FALSE(is_ready());
  CHECK((ask<abi::Get<tw::pjrt::Buffer, void *>>(buffer_data_pointer, args.buffer).value == data));
  ask<abi::Of<tw::pjrt::Buffer>>(buffer_decrease_external_references, args.buffer);
  CHECK(is_ready());
  destroy(args.buffer);
  await_and_destroy(args.done);
  std::free(data);
}

TEST_CASE("test_buffers__deleted_ones_say_so") {
  const Client client(2);
  auto *buffer = client.floats({1, 2, 3}, {3});
  abi::BufferCopyToDevice copy{};
  copy.object = buffer;
  copy.device = client.device(1);
  done(buffer_copy_to_device, copy);
  CHECK((ask<abi::Get<tw::pjrt::Buffer, tw::pjrt::Device *>>(buffer_device, copy.copy).value ==
         client.device(1)));
  ask<abi::Of<tw::pjrt::Buffer>>(buffer_delete, buffer);
  CHECK((ask<abi::Get<tw::pjrt::Buffer, bool>>(buffer_is_deleted, buffer).value));
  abi::Get<tw::pjrt::Buffer, tw::pjrt::Event *> ready{};
  ready.object = buffer;
  CHECK(call(buffer_ready_event, ready).code == abi::Code::invalid_argument);
  abi::Of<tw::pjrt::Buffer> view{};
  view.object = buffer;
  CHECK(call(buffer_increase_external_references, view).code == abi::Code::invalid_argument);
  CHECK(call(buffer_decrease_external_references, view).code == abi::Code::failed_precondition);
  CHECK(floats_of(copy.copy) == std::vector<float>{1, 2, 3});
  destroy(copy.copy);
  destroy(buffer);
}

TEST_CASE("test_buffers__large_memory_is_used_again") {
  const Client client(1);
  const std::vector<float> values = counted(150000);
  const auto address = [&](const std::vector<float> &from) {
    auto *buffer = client.floats(from, {static_cast<int64_t>(from.size())});
    void *const found = ask<abi::Get<tw::pjrt::Buffer, void *>>(buffer_data_pointer, buffer).value;
    CHECK(floats_of(buffer) == from);
    destroy(buffer);
    return found;
  };
  void *const first = address(values);
  CHECK(address(counted(150005)) == first);
  CHECK(reinterpret_cast<uintptr_t>(first) % 64 == 0);
}

TEST_CASE("test_buffers__filled_in_pieces") {
  const Client client(1);
  const std::array<int64_t, 2> dims{2, 2};
  std::array<abi::ShapeSpec, 3> specs{};
  for (abi::ShapeSpec &spec : specs) {
    spec.struct_size = sizeof spec;
    spec.dims = dims.data();
    spec.ndims = 2;
    spec.type = abi::Type::f32;
  }
  abi::TransfersCreate create{};
  create.object = client.get();
  create.specs = specs.data();
  create.num_specs = specs.size();
  auto *transfers = done(client_create_transfers, create).transfers;
  CHECK((ask<abi::Get<tw::pjrt::Transfers, size_t>>(transfers_count, transfers).value == 3));
  std::array<tw::pjrt::Buffer *, 3> buffers{};
  for (int i = 0; i < 3; ++i) {
    abi::TransferBuffer take{};
    take.object = transfers;
    take.index = i;
    buffers[static_cast<size_t>(i)] = done(transfers_retrieve_buffer, take).buffer;
    CHECK(call(transfers_retrieve_buffer, take).code == abi::Code::failed_precondition);
  }
  const std::array<float, 4> values{1, 2, 3, 4};
  abi::TransferData data{};
  data.object = transfers;
  data.data = values.data() + 1;
  data.offset = 4;
  data.size = 13;
  CHECK(call(transfers_data, data).message == "13 bytes from 4 on of an array of 16");
  data.size = 12;
  await_and_destroy(done(transfers_data, data).done);
  data.data = values.data();
  data.offset = 0;
  data.size = 4;
  data.is_last = true;
  await_and_destroy(done(transfers_data, data).done);
  CHECK(floats_of(buffers[0]) == std::vector<float>{1, 2, 3, 4});
  CHECK(call(transfers_data, data).message == "buffer 0 is filled already");
  abi::TransferError error{};
  error.object = transfers;
  error.index = 1;
  error.code = abi::Code::unavailable;
  error.message = "lost";
  error.message_size = 4;
  done(transfers_set_error, error);
  ask<abi::Of<tw::pjrt::Transfers>>(transfers_destroy, transfers); // the third one never comes
  const std::array<const char *, 2> wanted{"lost", "its transfers ended before all of the array had come"};
  for (size_t i = 1; i < 3; ++i) {
    abi::Of<tw::pjrt::Event> ready{};
    ready.object = ask<abi::Get<tw::pjrt::Buffer, tw::pjrt::Event *>>(buffer_ready_event, buffers[i]).value;
    CHECK(call(event_await, ready).message == wanted[i - 1]);
    done(event_destroy, ready);
  }
  for (auto *buffer : buffers)
    destroy(buffer);
}

TEST_CASE("test_buffers__they_outlive_their_client") {
  Client client(1);
  auto *buffer = client.floats({4, 5}, {2});
  client.destroy();
  CHECK(floats_of(buffer) == std::vector<float>{4, 5});
  destroy(buffer);
}
