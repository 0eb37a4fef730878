// SPDX-License-Identifier: Apache-2.0
// Opens shared libraries through dlopen and says why one could not be used.
#include "base/dynlib.hpp"

#include <cstdlib>
#include <string_view>
#include <vector>

#include <dlfcn.h>
#include <unistd.h>

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

Result<DynLib> DynLib::open_beside(const std::string &name, const char *variable) {
  std::vector<std::string> folders;
  if (const char *folder = std::getenv(variable))
    folders.emplace_back(folder);
  Dl_info self{};
  if (dladdr(reinterpret_cast<const void *>(&loader_message), &self) != 0 && self.dli_fname != nullptr)
    if (const std::string_view path = self.dli_fname; path.find('/') != path.npos)
      folders.emplace_back(path.substr(0, path.rfind('/')));
  for (const std::string &folder : folders)
    if (const std::string path = folder + "/" + name; access(path.c_str(), R_OK) == 0)
      return open(path);
  return open(name);
}

bool DynLib::is_loaded(const char *name) {
  void *handle = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
  if (handle != nullptr)
    dlclose(handle);
  return handle != nullptr;
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
