// SPDX-License-Identifier: Apache-2.0
// What a program says in a call of a foreign function besides its operands, as handlers read it.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "pjrt/abi_ffi.hpp"
#include <tilewright/tw.h>

namespace tw::pjrt {

class FfiAttributes {
public:
  // Those of the call's backend_config. A Failure that names the first one that handlers have no form for.
  explicit FfiAttributes(const tw_call_t &call);
  FfiAttributes(const FfiAttributes &) = delete;

  // Lives as long as this does.
  abi::FfiAttrs list() const;

private:
  void add(std::string_view name, const tw_attr_t &attribute);
  abi::FfiScalar scalar(const std::string &type, std::string_view value);
  abi::FfiArray array(const std::string &type, std::string_view items);
  abi::FfiArray repeated(const abi::FfiArray &one, size_t count);

  struct Bytes {
    alignas(16) char bytes[16];
  };
  std::deque<std::string> texts_;
  std::deque<std::vector<Bytes>> elements_; // packed by type from the first byte on
  std::deque<abi::FfiSpan> spans_;
  std::deque<abi::FfiScalar> scalars_;
  std::deque<abi::FfiArray> arrays_;
  std::vector<abi::FfiAttr> kinds_;
  std::vector<const abi::FfiSpan *> names_;
  std::vector<void *> values_;
};

} // namespace tw::pjrt
