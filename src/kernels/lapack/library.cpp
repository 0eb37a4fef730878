// SPDX-License-Identifier: Apache-2.0
// The library, and what to do where there is none.
#include "kernels/lapack/library.hpp"

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/dynlib.hpp"

namespace tw::kernels::lapack {
namespace {

constexpr const char *kVariable = "TW_LAPACK";

struct Library {
  std::optional<DynLib> file;
  std::string why; // there is none
};

// Batches are what we run at once, and bits must not depend on the number of cores. A library that the host
// uses too is left as it is.
void use_one_thread(const DynLib &library) {
  for (const char *name : {"openblas_set_num_threads", "scipy_openblas_set_num_threads"})
    if (auto set = library.get<void(int)>(name))
      (*set)(1);
}

Library open_library() {
  Library library;
  std::vector<std::string> names = {"liblapack.so.3", "libopenblas.so.0"};
  if (const char *stated = std::getenv(kVariable); stated != nullptr && *stated != '\0')
    names = {stated};
  for (const std::string &name : names) {
    const bool is_shared = DynLib::is_loaded(name.c_str());
    if (auto file = DynLib::open(name)) {
      if (!is_shared)
        use_one_thread(*file);
      library.file.emplace(std::move(*file));
      return library;
    } else {
      library.why += (library.why.empty() ? "" : ", ") + file.error().message();
    }
  }
  return library;
}

} // namespace

Result<void *> find_routine(const std::string &symbol) {
  // Never closed: threads of the library may outlive whoever would close it.
  static const Library &library = *new Library(open_library());
  for (const char *front : {"", "scipy_"})
    if (library.file)
      if (auto address = library.file->get<void()>((front + symbol).c_str()))
        return reinterpret_cast<void *>(*address);
  return fail(
      Code::unimplemented, "TW-605",
      fmt::format("needs LAPACK: {}; install liblapack3 or libopenblas0 (Fedora: lapack), or name a "
                  "library of it in {}",
                  library.file ? fmt::format("{} has no {}", library.file->name(), symbol) : library.why,
                  kVariable));
}

} // namespace tw::kernels::lapack
