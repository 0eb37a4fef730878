// SPDX-License-Identifier: Apache-2.0
// Opens shared libraries through dlopen and says why one could not be used.
#include "base/dynlib.hpp"

#include <dlfcn.h>

#include <fmt/format.h>

namespace tw {
namespace {

std::string loader_message() {
  const char *text = dlerror();
  return text ? text : "no reason given by the loader";
}

} // namespace

Result<DynLib> DynLib::open(const std::string &name) {
  void *handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return fail(Code::unavailable, "TW-001", fmt::format("cannot open {}: {}", name, loader_message()));
  return DynLib(handle, name);
}

DynLib::~DynLib() {
  if (handle_)
    dlclose(handle_);
}

Result<void *> DynLib::find(const char *symbol) const {
  void *address = dlsym(handle_, symbol);
  if (!address)
    return fail(Code::unavailable, "TW-002",
                fmt::format("{} has no {}: {}", name_, symbol, loader_message()));
  return address;
}

} // namespace tw
