// SPDX-License-Identifier: Apache-2.0
// The key-value store that the caller of client_create gives to processes that run programs together.
#pragma once

#include <chrono>
#include <string>

#include "pjrt/error.hpp"

namespace tw::pjrt {

class Store {
public:
  // A Failure where the caller gave none.
  explicit Store(const abi::ClientCreate &args);
  void put(const std::string &key, const std::string &value) const;
  // Waits until somebody has put it, for no longer than `timeout`.
  std::string get(const std::string &key, std::chrono::milliseconds timeout) const;

private:
  const abi::ClientCreate &args_;
};

} // namespace tw::pjrt
