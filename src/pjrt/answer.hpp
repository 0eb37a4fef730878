// SPDX-License-Identifier: Apache-2.0
// Answers of the table that are texts, or bytes that the caller keeps for a while.
#pragma once

#include <string>

#include "pjrt/abi.hpp"

namespace tw::pjrt {

// `text` lives as long as the object.
template <class Object> void answer(abi::GetText<Object> &args, const std::string &text) {
  args.text = text.c_str();
  args.size = text.size();
}

template <class Object> void answer(abi::GetBytes<Object> &args, std::string bytes) {
  args.backing = new abi::Bytes{std::move(bytes)};
  args.bytes = args.backing->bytes.data();
  args.size = args.backing->bytes.size();
  args.deleter = [](abi::Bytes *backing) { delete backing; };
}

} // namespace tw::pjrt
