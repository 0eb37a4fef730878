// SPDX-License-Identifier: Apache-2.0
// Shared libraries opened at run time: the way to plug-ins and to anything the core must not link.
#pragma once

#include <string>
#include <utility>

#include "base/status.hpp"

namespace tw {

// An open shared library; closed when it goes out of scope.
class DynLib {
public:
  // `name` as dlopen takes it: a path, or a file name found by the loader. Symbols stay local to the caller.
  static Result<DynLib> open(const std::string &name);

  // One of our own: in the folder that the environment variable names, beside this library, or where the
  // loader looks.
  static Result<DynLib> open_beside(const std::string &name, const char *variable);
  // Whether this process has it open, under that very name.
  static bool is_loaded(const char *name);

  DynLib(DynLib &&other) noexcept
      : handle_(std::exchange(other.handle_, nullptr)), name_(std::move(other.name_)) {}
  DynLib &operator=(DynLib &&other) noexcept {
    std::swap(handle_, other.handle_);
    std::swap(name_, other.name_);
    return *this;
  }
  ~DynLib();

  const std::string &name() const { return name_; }

  // `TW_ASSIGN(auto *get_version, lib.get<int (int *)>("ncclGetVersion"));`
  template <class Function> Result<Function *> get(const char *symbol) const {
    TW_ASSIGN(void *address, find(symbol));
    return reinterpret_cast<Function *>(address);
  }

private:
  DynLib(void *handle, std::string name) : handle_(handle), name_(std::move(name)) {}
  Result<void *> find(const char *symbol) const;

  void *handle_;
  std::string name_;
};

} // namespace tw
