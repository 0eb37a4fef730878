// SPDX-License-Identifier: Apache-2.0
// The table, and the one function that is exported: it answers the table.
#include <array>
#include <iterator>
#include <memory>

#include "pjrt/error.hpp"
#include "pjrt/ffi.hpp"
#include "pjrt/name.hpp"
#include "pjrt/named_values.hpp"
#include "pjrt/slots.hpp"

namespace tw::pjrt {

namespace {

// What a framework calls: the function, with what it throws as an error.
template <class Args, void (*function)(Args &)> Error *entry(Args *args) noexcept {
  return guard([&] { function(*args); });
}
template <class Args, void (*function)(Args &)> void plain_entry(Args *args) noexcept { function(*args); }

template <Name name> Error *missing(abi::Header *) noexcept {
  return guard([] {
    throw Failure{abi::Code::unimplemented, std::string("PJRT_") + name.text + " is not there"};
  });
}
template <class Entry> abi::Function slot(Entry *function) {
  return reinterpret_cast<abi::Function>(function);
}

#define TW_SLOT(...) +1
#define TW_PLAIN_SLOT(...) +1
#define TW_NO_SLOT(...) +1
constexpr size_t kSlots = 0
#include "pjrt/slot_list.inc"
    ;
#undef TW_SLOT
#undef TW_PLAIN_SLOT
#undef TW_NO_SLOT

struct Api {
  size_t struct_size;
  abi::Extension *extensions;
  abi::Version version;
  std::array<abi::Function, kSlots> slots;
};
static_assert(kSlots == 138 && sizeof(Api) == 40 + 138 * sizeof(void *), "as many as version 0.112 has");

abi::FfiTable foreign_functions = {
    .base = {.struct_size = sizeof(abi::FfiTable), .type = abi::kFfiExtension, .next = nullptr},
    .type_register = entry<abi::FfiTypeRegister, ffi_type_register>,
    .user_data_add = entry<abi::FfiUserData, ffi_user_data_add>,
    .handler_register = entry<abi::FfiRegister, ffi_handler_register>,
};

abi::ShardingsExtension shardings = {
    .base = {.struct_size = sizeof(abi::ShardingsExtension),
             .type = abi::kShardingsExtension,
             .next = &foreign_functions.base},
    .parameters = entry<abi::ExecutableShardings, executable_parameter_shardings>,
    .outputs = entry<abi::ExecutableShardings, executable_output_shardings>,
};

const Api &api() {
#define TW_SLOT(function, ...) slot(entry<__VA_ARGS__, function>),
#define TW_PLAIN_SLOT(function, ...) slot(plain_entry<__VA_ARGS__, function>),
#define TW_NO_SLOT(name) slot(missing<named(#name)>),
  static const Api table = {sizeof(Api),
                            &shardings.base,
                            {{sizeof(abi::Version), nullptr}, abi::kMajor, abi::kMinor},
                            {
#include "pjrt/slot_list.inc"
                            }};
#undef TW_SLOT
#undef TW_PLAIN_SLOT
#undef TW_NO_SLOT
  return table;
}

} // namespace

void plugin_initialize(abi::Header &) {}

void plugin_attributes(abi::PluginAttributes &args) {
  // The newest version of StableHLO in which a framework may write programs for us.
  static const auto attributes = [] {
    auto made = std::make_unique<NamedValues>();
    made->add("stablehlo_current_version", std::vector<int64_t>{1, 17, 0});
    made->add("stablehlo_minimum_version", std::vector<int64_t>{0, 9, 0});
    return made;
  }();
  args.attributes = attributes->list().data();
  args.count = attributes->list().size();
}

} // namespace tw::pjrt

extern "C" __attribute__((visibility("default"))) const void *GetPjrtApi() { return &tw::pjrt::api(); }
