// SPDX-License-Identifier: Apache-2.0
// A oneDNN whose products have other bits than promised, in one of some ways; the environment's TW_TEST_LIE
// says in which.
#pragma once

#include <string_view>

namespace tw::test {

// "" (none), or as lying_onednn.cpp lists them.
std::string_view lie();

} // namespace tw::test
