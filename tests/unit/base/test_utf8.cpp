// SPDX-License-Identifier: Apache-2.0
// What is no UTF-8 is found at its first byte, and what a terminal would obey is spelled out.
#include <doctest/doctest.h>

#include <string>

#include "base/check_utf8.hpp"
#include "base/utf8.hpp"

namespace tw::test_utf8 {

TEST_CASE("well-formed text has no wrong byte, wherever its characters begin") {
  for (size_t shift = 0; shift < 20; ++shift)
    for (const char *character :
         {"a", "\x7f", "\xc2\x80", "é", "\xdf\xbf", "\xe0\xa0\x80", "€", "\xed\x9f\xbf", "\xee\x80\x80",
          "\xf0\x90\x80\x80", "🙂", "\xf4\x8f\xbf\xbf"})
      CHECK(find_not_utf8(std::string(shift, 'x') + character + "y") == std::string::npos);
  CHECK(find_not_utf8("") == std::string::npos);
  CHECK(find_not_utf8(std::string(3, '\0')) == std::string::npos);
}

TEST_CASE("the first byte that is wrong is found") {
  for (size_t shift = 0; shift < 20; ++shift)
    for (const char *wrong : {"\xff", "\xfe", "\x80", "\xbf", "\xc0\xaf", "\xc1\xbf", "\xc3", "\xc3y",
                              "\xe2\x82", "\xe2y\x82", "\xe0\x9f\x80", "\xed\xa0\x80", "\xf0\x8f\x80\x80",
                              "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xf0\x9f\x99"})
      CHECK(find_not_utf8(std::string(shift, 'x') + wrong) == shift);
  CHECK(find_not_utf8("aé\xff€") == 3);
}

TEST_CASE("control characters and wrong bytes become escapes, all else stays") {
  CHECK(shown("plain é € 🙂 \\x1b") == "plain é € 🙂 \\x1b");
  CHECK(shown("a\x1b[31mb\rc\nd\te\x7f") == "a\\x1b[31mb\\x0dc\\x0ad\\x09e\\x7f");
  CHECK(shown("\xc2\x9b"
              "31m") == "\\xc2\\x9b31m"); // a terminal takes it for ESC [
  CHECK(shown("a\xff\xc3z") == "a\\xff\\xc3z");
  CHECK(shown(std::string("\0", 1)) == "\\x00");
  CHECK(shown_lines("a\x1b\nb\r\n") == "a\\x1b\nb\\x0d\n");
}

TEST_CASE("an error says which byte, and where it stands") {
  CHECK(check_utf8("fine é", "the names").has_value());
  const Status bare = check_utf8("ab\xff", "the names");
  REQUIRE(!bare.has_value());
  CHECK(bare.error().message() == "the names: the byte 0xff is no UTF-8");
  CHECK(bare.error().info().pos.line == 0);
  const Status placed = check_utf8("ab\ncd\xc3(", "the names", "names.txt");
  REQUIRE(!placed.has_value());
  CHECK(placed.error().info().id == std::string("TW-003"));
  CHECK(placed.error().info().pos.file == "names.txt");
  CHECK(placed.error().info().pos.line == 2);
  CHECK(placed.error().info().pos.column == 3);
}

} // namespace tw::test_utf8
