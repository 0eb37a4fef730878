// SPDX-License-Identifier: Apache-2.0
// The plug-in as a framework has it: opened at run time, called through its table.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pjrt/abi_buffers.hpp"

namespace tw::test::plugin {

namespace abi = pjrt::abi;

// The number of each function in the table.
#define TW_SLOT(name, ...) name,
#define TW_PLAIN_SLOT(name, ...) name,
#define TW_NO_SLOT(name) missing_##name,
enum Slot : size_t {
#include "pjrt/slot_list.inc"
  kSlots
};
#undef TW_SLOT
#undef TW_PLAIN_SLOT
#undef TW_NO_SLOT

struct Table {
  size_t struct_size;
  abi::Extension *extensions;
  abi::Version version;
  abi::Function slots[kSlots];
};
const Table &table();
// The last user of the library says that it is not needed any more.
void unload();

struct Said {
  abi::Code code = abi::Code::ok;
  std::string message;
};
// What an error says; it is destroyed.
Said take(pjrt::Error *error);

// Calls a function; struct sizes are set.
template <class Args> Said call(Slot slot, Args &args) {
  args.struct_size = sizeof args;
  return take(reinterpret_cast<pjrt::Error *(*)(Args *)>(table().slots[slot])(&args));
}
// The same where nothing goes wrong.
void expect_ok(const Said &said);
template <class Args> Args &done(Slot slot, Args &args) {
  expect_ok(call(slot, args));
  return args;
}
template <class Args, class Object> Args ask(Slot slot, Object *object) {
  Args args{};
  args.object = object;
  return done(slot, args);
}

// An option of a client; the name is the caller's.
abi::NamedValue option_of(std::string_view name, int64_t value);

// A client with so many devices; destroyed at the end.
class Client {
public:
  explicit Client(int64_t devices);
  // Fails with what is said where `said` is given.
  explicit Client(abi::ClientCreate args, Said *said = nullptr);
  ~Client() { destroy(); }
  Client(const Client &) = delete;
  void destroy();
  pjrt::Client *get() const { return client_; }
  pjrt::Device *device(int id) const;

  // Fails with what is said where `said` is given.
  pjrt::LoadedExecutable *compile(std::string_view code, std::string_view options,
                                  Said *said = nullptr) const;
  pjrt::Buffer *buffer(abi::Type type, std::vector<int64_t> dims, const void *data, int device = 0,
                       std::optional<std::vector<int64_t>> strides = {},
                       abi::HostSemantics semantics = abi::HostSemantics::only_during_call) const;
  pjrt::Buffer *floats(const std::vector<float> &values, std::vector<int64_t> dims, int device = 0) const;

private:
  pjrt::Client *client_ = nullptr;
};

// CompileOptionsProto for so many partitions on these devices.
std::string options_for(const std::vector<int64_t> &devices);

std::vector<float> floats_of(pjrt::Buffer *buffer);
std::vector<int64_t> dims_of(pjrt::Buffer *buffer);
void await_and_destroy(pjrt::Event *event);
void destroy(pjrt::Buffer *buffer);
void *address(pjrt::Buffer *buffer);
bool is_deleted(pjrt::Buffer *buffer);
void end(pjrt::LoadedExecutable *executable);

inline constexpr const char *kDonates = R"(module @jit_update {
  func.func public @main(%arg0: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<4xf32>) -> (tensor<4xf32>) {
    %0 = stablehlo.subtract %arg0, %arg1 : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
})";

// More than a caller runs itself.
inline constexpr const char *kSlow = R"(module @jit_product {
  func.func public @main(%arg0: tensor<256x256xf32>) -> (tensor<256x256xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg0, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
    return %0 : tensor<256x256xf32>
  }
})";

// Runs on all devices; arguments and results by device. Results are empty where it fails with `said`.
std::vector<std::vector<pjrt::Buffer *>> execute(pjrt::LoadedExecutable *executable,
                                                 const std::vector<std::vector<pjrt::Buffer *>> &arguments,
                                                 size_t num_results, Said *said = nullptr,
                                                 const std::vector<int64_t> &not_donatable = {});

} // namespace tw::test::plugin
