// SPDX-License-Identifier: Apache-2.0
// Attributes and types as bytecode, from their text: each in the dialect of VHLO or in MLIR's own.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "annotation/annotations.hpp"
#include "base/status.hpp"
#include "emit/artifact/tables.hpp"
#include "graph/graph.hpp"

namespace tw::emit::artifact {

// The first version of StableHLO in which attributes and ops of other dialects may stand beside VHLO's.
constexpr int kMixed = 111;

// Whose attributes and types.
enum class Of : uint8_t { vhlo, builtin };

class Values {
public:
  explicit Values(Tables &tables) : tables_(tables) {}

  // The number of an attribute; without text it says what its name says.
  Result<uint32_t> attribute(Of of, std::string_view text);
  Result<uint32_t> type(Of of, std::string_view text);
  // A dictionary of MLIR's own, with these values; in the order of names.
  uint32_t dictionary(std::vector<std::pair<std::string, uint32_t>> entries);
  uint32_t string(Of of, std::string_view text); // not escaped
  uint32_t unknown_location();
  // How a custom call is called: 4 of "4 : i32".
  Result<uint32_t> api_version(std::string_view text);

  // The mesh of `sdy.mesh`, which shardings name.
  Result<uint32_t> mesh(std::string_view name, std::string_view text);

  // The oldest version of StableHLO that has all that was asked for: major * 100 + minor.
  int needed() const { return needed_; }
  void need(int version) { needed_ = std::max(needed_, version); }

private:
  using Known = std::map<std::string, uint32_t, std::less<>>;
  Result<uint32_t> make_attribute(Of of, std::string_view text);
  Result<uint32_t> make_type(Of of, std::string_view text);
  Result<uint32_t> list(Of of, std::string_view text);
  Result<uint32_t> entries(Of of, std::string_view text);
  Result<uint32_t> symbol(Of of, std::string_view text);
  Result<uint32_t> number(Of of, std::string_view text);
  Result<uint32_t> word(Of of, std::string_view text);
  Result<uint32_t> array(Of of, std::string_view text);
  Result<uint32_t> stablehlo(std::string_view text);
  Result<uint32_t> alias(std::string_view text);
  Result<uint32_t> accuracy(std::string_view text);
  Result<graph::Constant> literal(std::string_view text);
  Result<uint32_t> tensor(Of of, std::string_view text);
  Result<uint32_t> function(Of of, std::string_view text);
  Result<std::vector<uint32_t>> types(Of of, std::string_view text);

  // Shardy's (sdy.cpp)
  Result<uint32_t> shardy(std::string_view text);
  uint32_t mesh_data(const annotation::MeshDecl &mesh);
  uint32_t axis(const annotation::AxisRef &axis);
  uint32_t sharding(const annotation::ShardingAnnotation &sharding, bool mesh_in_place);
  Result<uint32_t> shardings(std::string_view text);
  Result<uint32_t> rule(std::string_view text);

  Tables &tables_;
  graph::GraphBuilder builder_{{}, {}}; // for types of literals
  std::vector<annotation::MeshDecl> meshes_;
  std::array<Known, 2> attributes_, types_; // by whose; short texts only
  int needed_ = 0;
};

// What cannot be written; the op is said by who knows it.
inline tl::unexpected<Error> not_written(std::string message) {
  return fail(Code::unimplemented, "TW-705", std::move(message));
}

} // namespace tw::emit::artifact
