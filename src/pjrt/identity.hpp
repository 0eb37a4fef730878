// SPDX-License-Identifier: Apache-2.0
// By what several processes know that they run one program.
#pragma once

#include <string>

#include "pjrt/compiled.hpp"

namespace tw::pjrt {

// What devices do and have. The module's bytes tell more: whence it was called the first time, which need not
// be alike where a process has let it go and compiles it again, and which number a Python function has.
std::string identity_of(const Compiled &compiled);

// A Failure where a call does more than compute its results: each process makes it, and theirs may differ.
void check_effects(const tw_graph_t *graph);

} // namespace tw::pjrt
