// SPDX-License-Identifier: Apache-2.0
// Reads the two notations of shardings that StableHLO programs carry.
#pragma once

#include <string_view>
#include <vector>

#include "import/annotation.hpp"
#include "import/scanner.hpp"

namespace tw::import {

// Shardy, at the '<': <["x"=2, "y"=4], device_ids=[..]>.
bool parse_mesh(Scanner &scanner, MeshDecl &mesh);
// Shardy, at the '<': <@mesh, [{"a", "b"}, {"c":(1)2, ?}p1, {}], replicated={"d"}, unreduced={"e"}>. An inline mesh is added to `meshes`.
bool parse_sharding(Scanner &scanner, std::vector<MeshDecl> &meshes, ShardingAnnotation &sharding);
// The value of an attribute sdy.sharding: #sdy.sharding<..>, or #sdy.sharding_per_value<[<..>, <..>]>; one a result.
bool parse_sharding_attribute(Scanner &scanner, std::string_view raw, std::vector<MeshDecl> &meshes,
                              std::vector<ShardingAnnotation> &shardings);

// GSPMD: "{devices=[2,1]<=[2]}", "{replicated}", "{{..}, {..}}" (one a result). `text` is the string's content.
Result<std::vector<ShardingAnnotation>> parse_gspmd(std::string_view text);
// Expresses GSPMD tile assignments by the axes of one mesh, where there is such a mesh: fills dims, replicated and mesh, and adds the mesh.
void express_by_mesh(Annotations &annotations);

} // namespace tw::import
