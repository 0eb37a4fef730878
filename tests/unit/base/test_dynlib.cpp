// SPDX-License-Identifier: Apache-2.0
// Libraries opened at run time give their functions, and say what is missing.
#include <doctest/doctest.h>

#include "base/dynlib.hpp"

namespace tw::test_dynlib {

TEST_CASE("a function of the C library is found and called") {
  auto library = tw::DynLib::open("libc.so.6");
  REQUIRE(library);
  const auto absolute = library->get<int(int)>("abs");
  REQUIRE(absolute);
  CHECK((*absolute)(-3) == 3);

  const auto missing = library->get<void()>("tw_no_such_function");
  REQUIRE(!missing);
  CHECK(missing.error().code() == tw::Code::unavailable);
  CHECK(std::string(missing.error().info().id) == "TW-002");
  CHECK(missing.error().message().find("libc.so.6 has no tw_no_such_function") == 0);
}

TEST_CASE("a library that is not there is named") {
  const auto library = tw::DynLib::open("libtw_no_such_library.so");
  REQUIRE(!library);
  CHECK(library.error().code() == tw::Code::unavailable);
  CHECK(std::string(library.error().info().id) == "TW-001");
  CHECK(library.error().message().find("libtw_no_such_library.so") != std::string::npos);
}

} // namespace tw::test_dynlib
