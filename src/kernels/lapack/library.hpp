// SPDX-License-Identifier: Apache-2.0
// LAPACK, opened when a program first calls it: whichever of its implementations this machine has.
#pragma once

#include <string>

#include "base/status.hpp"

namespace tw::kernels::lapack {

// The file that TW_LAPACK names, else liblapack.so.3 or OpenBLAS. `symbol` is "dgetrf_"; libraries that put
// a word in front, as SciPy's do, are taken too. It stays open as long as the process runs.
Result<void *> find_routine(const std::string &symbol);

} // namespace tw::kernels::lapack
