// SPDX-License-Identifier: Apache-2.0
// The handlers of this process, by target. Programs see those that are there when they are compiled.
#include "pjrt/ffi.hpp"

#include <map>
#include <mutex>

#include "pjrt/executable.hpp"

namespace tw::pjrt {

namespace {

// A call for its effect that says so is made by each device with its own parts: "i0 i1, j0 -> ".
tw_status_t rule_of_parts(const tw_call_t *call, void *, tw_blob_t **out) {
  return guard_callback([&] {
    if (tw_call_attr(call, "tw.of_parts") == nullptr || call->num_results != 0)
      return;
    std::string text;
    for (size_t i = 0; i < call->num_operands; ++i) {
      text += i == 0 ? "" : ", ";
      for (size_t d = 0; d < call->operands[i]->ndims; ++d)
        text += " v" + std::to_string(i) + "d" + std::to_string(d);
    }
    text += " -> ";
    check(tw_blob_create(text.data(), text.size(), out));
  });
}

tw_custom_call_t described(const std::string &target, abi::FfiHandler &handler) {
  tw_custom_call_t call{};
  call.struct_size = sizeof call;
  call.target = target.c_str();
  call.rule_fn = rule_of_parts;
  call.check = [](const tw_call_t *shown, void *) { return check_foreign_call(*shown); };
  call.kernel = [](const tw_call_t *shown, void *user) {
    return make_foreign_call(*static_cast<const abi::FfiHandler *>(user), *shown);
  };
  call.user = &handler;
  return call;
}

// XLA's own: keeps its operands, and makes nothing.
tw_custom_call_t sink() {
  tw_custom_call_t call{};
  call.struct_size = sizeof call;
  call.target = "dce_sink";
  call.kernel = [](const tw_call_t *, void *) -> tw_status_t { return TW_OK; };
  return call;
}

class Handlers {
public:
  static Handlers &all() {
    static Handlers *const handlers = new Handlers; // programs may run while the process ends
    return *handlers;
  }

  CustomCallsHandle calls() {
    const std::scoped_lock lock(mutex_);
    if (calls_ == nullptr)
      calls_ = made();
    return CustomCallsHandle(tw_custom_calls_retain(calls_.get()));
  }

  bool has(const std::string &target) {
    const std::scoped_lock lock(mutex_);
    return by_target_.contains(target);
  }

  void add(const std::string &target, abi::FfiHandler handler) {
    const std::scoped_lock lock(mutex_);
    const auto [at, is_new] = by_target_.try_emplace(target, handler);
    if (!is_new && at->second != handler)
      throw Failure{abi::Code::invalid_argument, "another handler is registered as " + target};
    if (!is_new)
      return;
    try {
      calls_ = made();
    } catch (...) {
      by_target_.erase(at);
      throw;
    }
  }

private:
  CustomCallsHandle made() {
    auto calls = make<CustomCallsHandle>(tw_custom_calls_create);
    const tw_custom_call_t own = sink();
    check(tw_custom_calls_add(calls.get(), &own));
    for (auto &[target, handler] : by_target_) {
      const tw_custom_call_t call = described(target, handler);
      check(tw_custom_calls_add(calls.get(), &call));
    }
    return calls;
  }

  std::mutex mutex_;
  std::map<std::string, abi::FfiHandler> by_target_; // nothing leaves it: kernels point into it
  CustomCallsHandle calls_;
};

// What a handler is made for: asked for by a call that computes nothing.
void check_version(const std::string &target, abi::FfiHandler handler) {
  abi::FfiMetadata about{};
  about.struct_size = abi::FfiMetadata::kSize;
  about.version.struct_size = sizeof about.version;
  abi::FfiMetadataExtension extension{{sizeof extension, abi::kFfiMetadataExtension, nullptr}, &about};
  abi::FfiCall call{};
  call.struct_size = abi::FfiCall::kSize;
  call.extensions = &extension.base;
  call.api = &ffi_api();
  call.stage = abi::kFfiExecute;
  if (const std::unique_ptr<FfiError> error(handler(&call)); error != nullptr)
    throw Failure{error->code,
                  "the handler of " + target + " does not say what it is made for: " + error->message};
  if (about.version.major != abi::kFfiMajor || about.version.minor > abi::kFfiMinor)
    throw Failure{abi::Code::unimplemented,
                  "the handler of " + target + " is made for version " + std::to_string(about.version.major) +
                      "." + std::to_string(about.version.minor) + " of XLA's foreign functions, this is " +
                      std::to_string(abi::kFfiMajor) + "." + std::to_string(abi::kFfiMinor)};
  if (about.state_type != 0)
    throw Failure{abi::Code::unimplemented, "the handler of " + target + " has a state"};
}

} // namespace

CustomCallsHandle foreign_calls() { return Handlers::all().calls(); }
bool is_foreign_function(const std::string &target) { return Handlers::all().has(target); }

// What a caller puts into the context of a run is for handlers that come with it, in a framework that knows
// the plug-in. Those that JAX brings for its own devices are not registered here.
void ffi_type_register(abi::FfiTypeRegister &args) {
  static std::mutex mutex;
  static std::map<std::string, int64_t> types;
  const std::scoped_lock lock(mutex);
  const std::string name(args.name, args.name_size);
  const int64_t wanted = args.type != 0 ? args.type : std::ssize(types) + 1;
  const auto [at, is_new] = types.try_emplace(name, wanted);
  if (args.type != 0 && at->second != args.type)
    throw Failure{abi::Code::invalid_argument, "the type " + name + " is registered with another number"};
  args.type = at->second;
}

void ffi_user_data_add(abi::FfiUserData &args) {
  if (args.context == nullptr)
    throw Failure{abi::Code::invalid_argument, "data for the context of a run, and no context"};
}

void ffi_handler_register(abi::FfiRegister &args) {
  const std::string target(args.target, args.target_size);
  if (target.empty() || args.handler == nullptr)
    throw Failure{abi::Code::invalid_argument, "a handler without a target, or none for " + target};
  check_version(target, args.handler);
  Handlers::all().add(target, args.handler);
}

} // namespace tw::pjrt
