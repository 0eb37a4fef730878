// SPDX-License-Identifier: Apache-2.0
// Float functions in long double: what the errors of ops are measured against.
#pragma once

#include <string_view>

namespace tw::test {

struct LongFunction {
  std::string_view op;
  long double (*unary)(long double) = nullptr;
  long double (*binary)(long double, long double) = nullptr; // one of the two
  bool (*domain)(long double, long double) = nullptr;        // where it is a reference; null: everywhere
};

const LongFunction *find_long_function(std::string_view op); // null: there is none

} // namespace tw::test
