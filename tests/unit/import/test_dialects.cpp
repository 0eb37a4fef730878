// SPDX-License-Identifier: Apache-2.0
// The dialects together: no name means two things, and every name that one gives leads to an op that is read.
#include "import/dialect.hpp"

#include <set>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

namespace tw::test_dialects {

namespace {

TEST_CASE("no name is said twice, by one dialect or by two") {
  std::set<std::string_view> names;
  for (const import::Dialect &dialect : import::all_dialects()) {
    for (const import::Syntax &row : dialect.syntax)
      CHECK_MESSAGE(names.insert(row.name).second, std::string(row.name));
    for (const import::Alias &alias : dialect.aliases)
      CHECK_MESSAGE(names.insert(alias.written).second, std::string(alias.written));
    for (const import::Definition &definition : dialect.definitions)
      CHECK_MESSAGE(names.insert(definition.name).second, std::string(definition.name));
  }
  CHECK(names.size() > 60);
}

TEST_CASE("rows and aliases lead to ops") {
  for (const import::Dialect &dialect : import::all_dialects()) {
    for (const import::Syntax &row : dialect.syntax) {
      const import::Kind kind = import::resolve(row.name);
      CHECK(kind.name == row.name);
      CHECK((kind.form == row.form && kind.lower == row.lower && kind.reads_generic == row.reads_generic));
      // What becomes itself is in the registry.
      CHECK_MESSAGE((kind.registered || row.lower != import::lower_op), std::string(row.name));
    }
    for (const import::Alias &alias : dialect.aliases)
      CHECK(import::resolve(alias.written).name == alias.name);
  }
}

TEST_CASE("names that follow a rule") {
  CHECK(import::resolve("mhlo.add").name == "stablehlo.add");
  CHECK(import::resolve("mhlo.return").name == "func.return"); // renamed, then an alias
  CHECK(import::resolve("mhlo.topk").name == "chlo.top_k");
  CHECK(import::resolve("mhlo.erf").name == "chlo.erf"); // of CHLO's functions
  const import::Kind broadcast = import::resolve("chlo.broadcast_add");
  CHECK(broadcast.name == "chlo.broadcast_add");
  CHECK(!broadcast.registered);
  CHECK((import::resolve("stablehlo.tanh").lower == import::lower_op)); // known by the registry alone
  for (const std::string_view name : {"toy.add", "mhlo.nothing", "func.argument", ""})
    CHECK_MESSAGE(import::resolve(name).name.empty(), std::string(name));
  CHECK(import::find_definition("sdy.mesh") != nullptr);
  CHECK(import::find_definition("func.func") == nullptr); // functions are the index's own
}

} // namespace

} // namespace tw::test_dialects
