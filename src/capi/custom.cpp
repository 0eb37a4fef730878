// SPDX-License-Identifier: Apache-2.0
// tw_custom.h: the host's callbacks as the library calls them.
#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "capi/callbacks.hpp"
#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "ops/attributes.hpp"
#include "ops/call_attributes.hpp"
#include "ops/rule_text.hpp"
#include "ops/strided.hpp"

using namespace tw;
using namespace tw::capi;

namespace {

// What was added, as the caller's version of the struct has it.
struct Host {
  tw_custom_call_t call{};
  std::string target, rule;
  ~Host() {
    if (call.destroy)
      call.destroy(call.user);
  }
};

// A call with all that does not change between runs.
class Call {
public:
  Call(const ops::OpView &op, std::span<const kernels::Tile> operands, std::span<const kernels::Tile> results)
      : target_(op.string(ops::slot::custom_call::call_target_name)), values_(ops::call_attributes(op)),
        num_operands_(operands.size()) {
    for (const auto part : {operands, results})
      parts_.insert(parts_.end(), part.begin(), part.end());
    for (const kernels::Tile &part : parts_)
      strides_.push_back(ops::dense_strides(part.extent));
    for (size_t i = 0; i < parts_.size(); ++i) {
      const kernels::Tile &part = parts_[i];
      tiles_.push_back({sizeof(tw_tile_t), static_cast<tw_dtype_t>(part.dtype), part.extent.size(),
                        part.global.data(), part.offset.data(), part.extent.data(), strides_[i].data(),
                        nullptr});
    }
    for (const ops::CallAttribute &value : values_)
      attrs_.push_back(c_attribute(value));
  }
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;

  static constexpr size_t kBytesEach = sizeof(tw_tile_t) + sizeof(const tw_tile_t *);
  size_t frame_bytes() const { return tiles_.size() * kBytesEach; }

  // The call with data pointers (none: without data), for as long as `frame` lives.
  tw_call_t with(std::span<const void *const> operands, std::span<void *const> results, void *frame) const {
    auto *tiles = static_cast<tw_tile_t *>(frame);
    auto *pointers = reinterpret_cast<const tw_tile_t **>(tiles + tiles_.size());
    for (size_t i = 0; i < tiles_.size(); ++i) {
      tw_tile_t *tile = new (tiles + i) tw_tile_t(tiles_[i]);
      if (i < operands.size())
        tile->data = const_cast<void *>(operands[i]);
      else if (i - num_operands_ < results.size())
        tile->data = results[i - num_operands_];
      new (pointers + i) const tw_tile_t *(tile);
    }
    return {sizeof(tw_call_t),
            target_.c_str(),
            pointers,
            num_operands_,
            pointers + num_operands_,
            tiles_.size() - num_operands_,
            attrs_.data(),
            attrs_.size()};
  }

private:
  static tw_attr_t c_attribute(const ops::CallAttribute &value) {
    tw_attr_t attr{};
    attr.name = value.name.c_str();
    attr.element_type = value.type.empty() ? nullptr : value.type.c_str();
    if (const auto *integer = std::get_if<int64_t>(&value.value)) {
      attr.kind = value.kind == ops::AttrKind::boolean ? TW_ATTR_BOOLEAN : TW_ATTR_INTEGER;
      attr.integer = *integer;
    } else if (const auto *real = std::get_if<double>(&value.value)) {
      attr.kind = TW_ATTR_REAL;
      attr.real = *real;
    } else if (const auto *text = std::get_if<std::string>(&value.value)) {
      attr.kind = TW_ATTR_STRING;
      attr.string = text->c_str();
    } else if (const auto *ints = std::get_if<std::vector<int64_t>>(&value.value)) {
      attr.kind = TW_ATTR_INTS;
      attr.ints = ints->data();
      attr.num_ints = ints->size();
    }
    return attr;
  }

  std::string target_;
  std::vector<ops::CallAttribute> values_;
  std::vector<tw_attr_t> attrs_; // point into values_
  std::vector<kernels::Tile> parts_;
  std::vector<std::vector<int64_t>> strides_;
  std::vector<tw_tile_t> tiles_; // point into parts_ and strides_
  size_t num_operands_;
};

// Shows a call as it stands in the program.
template <class Callback> Status show(const ops::OpView &op, const char *what, Callback &&callback) {
  const auto whole = [](std::span<const graph::TensorType *const> types) {
    std::vector<kernels::Tile> tiles;
    for (const graph::TensorType *t : types)
      tiles.push_back({t->dtype, t->dims, std::vector<int64_t>(t->rank(), 0), t->dims});
    return tiles;
  };
  const Call call(op, whole(op.operands), whole(op.results));
  std::vector<std::max_align_t> frame(call.frame_bytes() / sizeof(std::max_align_t) + 1);
  const tw_call_t shown = call.with({}, {}, frame.data());
  return ask_host("TW-604", what, [&] { return callback(&shown); });
}

class HostKernel final : public kernels::Kernel {
public:
  HostKernel(std::shared_ptr<const Host> host, const kernels::Request &request)
      : host_(std::move(host)), call_(request.op, request.operands, request.results) {}

  const char *name() const override { return "host"; }
  int64_t scratch_bytes() const override { return static_cast<int64_t>(call_.frame_bytes()); }

  Status run(int64_t, std::span<const void *const> operands, std::span<void *const> results,
             void *scratch) const override {
    const tw_call_t call = call_.with(operands, results, scratch);
    return ask_host("TW-604", "its kernel", [&] { return host_->call.kernel(&call, host_->call.user); });
  }

private:
  std::shared_ptr<const Host> host_;
  Call call_;
};

Result<std::string> ask_rule(const Host &host, const ops::OpView &op) {
  tw_blob_t *text = nullptr;
  auto status = show(op, "its rule",
                     [&](const tw_call_t *call) { return host.call.rule_fn(call, host.call.user, &text); });
  std::string rule(tw_blob_data(text) ? std::string(tw_blob_data(text), tw_blob_size(text)) : std::string());
  tw_blob_release(text);
  TW_TRY(std::move(status));
  return rule;
}

std::shared_ptr<const kernels::CustomCall> described(std::shared_ptr<const Host> host) {
  auto call = std::make_shared<kernels::CustomCall>();
  call->target = host->target;
  if (host->call.rule)
    call->rule = [host](const ops::OpView &) -> Result<std::string> { return host->rule; };
  else if (host->call.rule_fn)
    call->rule = [host](const ops::OpView &op) { return ask_rule(*host, op); };
  if (host->call.check)
    call->check = [host](const ops::OpView &op) {
      return show(op, "its check",
                  [&](const tw_call_t *shown) { return host->call.check(shown, host->call.user); });
    };
  if (host->call.kernel)
    call->bind = [host](const kernels::Request &request) -> std::unique_ptr<kernels::Kernel> {
      return std::make_unique<HostKernel>(host, request);
    };
  return call;
}

} // namespace

const tw_attr_t *tw_call_attr(const tw_call_t *call, const char *name) {
  if (!call || !name)
    return nullptr;
  const auto *end = call->attrs + call->num_attrs;
  const auto *found = std::find_if(call->attrs, end,
                                   [&](const tw_attr_t &attr) { return std::strcmp(attr.name, name) == 0; });
  return found == end ? nullptr : found;
}

tw_status_t tw_custom_calls_create(tw_custom_calls_t **out_calls) {
  return guard([&]() -> Status {
    TW_TRY(require(out_calls, "out_calls"));
    *out_calls = new tw_custom_calls();
    return {};
  });
}

tw_custom_calls_t *tw_custom_calls_retain(tw_custom_calls_t *calls) {
  if (calls)
    calls->retain();
  return calls;
}
void tw_custom_calls_release(tw_custom_calls_t *calls) {
  if (calls)
    calls->release();
}

tw_status_t tw_custom_calls_add(tw_custom_calls_t *calls, const tw_custom_call_t *call) {
  return guard([&]() -> Status {
    TW_TRY(require(calls, "calls"));
    TW_TRY(require(call, "call"));
    TW_TRY(check_options(call, "call"));
    const tw_custom_call_t given = completed(call);
    if (!given.target || !*given.target)
      return fail(Code::invalid_argument, "TW-603", "a custom_call has no target");
    TW_TRY(require_text(given.target, "target"));
    if (given.rule && *given.rule)
      TW_TRY(ops::check_rule_text(given.rule));
    auto host = std::make_shared<Host>();
    host->target = given.target;
    host->rule = given.rule ? given.rule : "";
    host->call = given;
    host->call.destroy = nullptr; // the caller's, until nothing can fail any more
    TW_ASSIGN(auto more, calls->calls->with(described(host)));
    calls->calls = std::make_shared<const kernels::CustomCalls>(std::move(more));
    host->call.destroy = given.destroy;
    return {};
  });
}
