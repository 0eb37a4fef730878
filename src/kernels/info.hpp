// SPDX-License-Identifier: Apache-2.0
// What this build computes with, for `tw info --build`.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tw::kernels {

// ("onednn", "2.6.3"), ("products", "f32 brg:avx512_core, .."), ("vector math", "AVX3"). Processes in which
// it is the same make the same bits.
std::vector<std::pair<std::string, std::string>> backend_info();

} // namespace tw::kernels
