// SPDX-License-Identifier: Apache-2.0
// Runs one random program under many drawn schedules of its devices' commands.
#pragma once

#include <cstdint>
#include <string>

#include "device/kind.hpp"

namespace tw::test {

// Empty: each of so many runs gave the same bits, those of the reference. Otherwise what went wrong.
std::string run_schedules(uint64_t seed, int64_t schedules, const device::Kind &kind, uint64_t &out_hash);

} // namespace tw::test
