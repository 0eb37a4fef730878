// SPDX-License-Identifier: Apache-2.0
// Pickles as data: what they would make is described; what is not known, or calls anything, is refused.
#include <doctest/doctest.h>

#include "store/pickle.hpp"

namespace tw::test_pickle {

using store::Pickle;
using Kind = store::Pickle::Kind;
using namespace std::string_literals;

namespace {

constexpr std::string_view names[] = {"m.Size", "m.sub.*"};

Result<Pickle> read(std::string body) { return Pickle::read("\x80\x02" + body + ".", names, "a pickle"); }

std::string error_of(std::string body) {
  const auto pickle = read(std::move(body));
  return pickle ? std::string() : pickle.error().message();
}

} // namespace

TEST_CASE("values, containers and what is remembered") {
  // {'a': (1, -2, [True, None]), 'b': the same tuple}
  const auto pickle = read("}q\x00(X\x01\x00\x00\x00"
                           "aK\x01J\xfe\xff\xff\xff]q\x01(\x88Ne\x87q\x02X\x01\x00\x00\x00"
                           "bh\x02u"s);
  REQUIRE(pickle);
  const auto root = pickle->root();
  CHECK(pickle->is(root, Kind::dict));
  const auto a = pickle->find(root, "a");
  REQUIRE(pickle->is(a, Kind::tuple));
  CHECK(pickle->find(root, "b") == a);
  CHECK(pickle->is(pickle->find(root, "c"), Kind::none));
  const auto items = pickle->items(a);
  REQUIRE(items.size() == 3);
  CHECK(pickle->number(items[0]) == 1);
  CHECK(pickle->number(items[1]) == -2);
  REQUIRE(pickle->items(items[2]).size() == 2);
  CHECK(pickle->number(pickle->items(items[2])[0]) == 1);
}

TEST_CASE("calls and objects are words with arguments") {
  const auto pickle = read("cm.sub\nThing\n)\x81}X\x01\x00\x00\x00nM\x01\x02sbcm\nSize\nK\x05\x85R\x86"s);
  REQUIRE(pickle);
  const auto items = pickle->items(pickle->root());
  REQUIRE(items.size() == 2);
  CHECK(pickle->is_object(items[0], "m.sub.Thing"));
  CHECK(pickle->number(pickle->find(items[0], "n")) == 0x201);
  CHECK(pickle->is_object(items[1], "m.Size"));
  CHECK(pickle->number(pickle->items(pickle->items(items[1])[1])[0]) == 5);
}

TEST_CASE("what is not known is refused, and named") {
  CHECK(error_of("cposix\nsystem\nX\x04\x00\x00\x00true\x85R"s) ==
        "a pickle: byte 2 of the pickle: 'posix.system' is none of the names that such files need");
  CHECK(error_of("cbuiltins\neval\n)R"s).find("'builtins.eval'") != std::string::npos);
  CHECK(error_of("I1\n"s) == "a pickle: byte 2 of the pickle: opcode 0x49 is not read");
  CHECK(error_of("K\x01K\x02\x86)R"s).find("what is called is no name") != std::string::npos);
  CHECK(error_of("X\xff\xff\xff\x7f"
                 "ab"s)
            .find("cut off") != std::string::npos);
  CHECK(error_of("h\x07"s).find("nothing is remembered as 7") != std::string::npos);
  CHECK(error_of("t"s).find("no mark") != std::string::npos);
  CHECK(error_of("\x86"s).find("nothing is on its stack") != std::string::npos);
  CHECK(error_of("NN"s).find("ends with 2 values") != std::string::npos);
  CHECK(error_of("(NNNd"s).find("has no value") != std::string::npos);
  CHECK(error_of("NNa"s).find("takes none") != std::string::npos);
  CHECK(error_of("N}b"s).find("no object") != std::string::npos);
  CHECK(error_of("\x8a\x09"
                 "123456789"s)
            .find("integer of 9 bytes") != std::string::npos);
  CHECK(Pickle::read("\x80\x02N", names, "a pickle").error().message().find("cut off") != std::string::npos);
  CHECK(Pickle::read("\x80\x01N.", names, "a pickle").error().message().find("protocol 1") !=
        std::string::npos);
}

TEST_CASE("lists that hold themselves are no trouble") {
  const auto pickle = read("]q\x00h\x00"
                           "ah\x00"
                           "a"s);
  REQUIRE(pickle);
  CHECK(pickle->items(pickle->root())[0] == pickle->root());
}

} // namespace tw::test_pickle
