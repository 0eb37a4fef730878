// SPDX-License-Identifier: Apache-2.0
// Reads the two notations of shardings that StableHLO programs carry.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "annotation/annotations.hpp"
#include "import/attributes.hpp"
#include "import/scanner.hpp"

namespace tw::import {

// Shardy, at the '<': <["x"=2, "y"=4], device_ids=[..]>.
bool parse_mesh(Scanner &scanner, annotation::MeshDecl &mesh);
// Shardy, at the '<': <@mesh, [{"a", "b"}, {"c":(1)2, ?}p1, {}], replicated={"d"}, unreduced={"e"}>. An
// inline mesh is added to `meshes`.
bool parse_sharding(Scanner &scanner, std::vector<annotation::MeshDecl> &meshes,
                    annotation::ShardingAnnotation &sharding);
// The value of an attribute sdy.sharding: #sdy.sharding<..>, or #sdy.sharding_per_value<[<..>, <..>]>; one a
// result.
bool parse_sharding_attribute(Scanner &scanner, std::string_view raw,
                              std::vector<annotation::MeshDecl> &meshes,
                              std::vector<annotation::ShardingAnnotation> &shardings);

// Exporters of XLA carry Shardy's notation as text in mhlo.frontend_attributes. unfold_carried replaces that
// attribute by what it holds, xla.sdy.sharding and others, each with its quoted text; mhlo.sharding, which
// then says the same, goes. The texts are read by the others: of shardings, meshes by name, names of axes.
bool unfold_carried(Scanner &scanner, std::vector<AttrText> &attrs);
bool parse_carried_shardings(Scanner &scanner, std::string_view raw,
                             std::vector<annotation::MeshDecl> &meshes,
                             std::vector<annotation::ShardingAnnotation> &shardings);
bool parse_carried_meshes(Scanner &scanner, std::string_view raw, std::vector<annotation::MeshDecl> &meshes);
bool read_carried_names(Scanner &scanner, std::string_view raw, std::vector<std::string> &names);

// The axes of {"a", "b":(1)2} or [{"a"}, {}], whatever stands around them in `raw`, one after the other.
bool read_axis_list(Scanner &scanner, std::string_view raw, std::vector<annotation::AxisRef> &axes);
// The strings of {"a", "b"}, or of #sdy<manual_axes{"a", "b"}>.
bool read_names(Scanner &scanner, std::string_view raw, std::vector<std::string> &names);
// Whether the mesh has these axes; `at` is where they are written.
bool check_axes(Scanner &scanner, const annotation::MeshDecl &mesh,
                const std::vector<annotation::AxisRef> &axes, const char *at);

// GSPMD: "{devices=[2,1]<=[2]}", "{replicated}", "{{..}, {..}}" (one a result). `text` is the string's
// content.
Result<std::vector<annotation::ShardingAnnotation>> parse_gspmd(std::string_view text);
// Says every annotation by the axes of one mesh, where that is possible: that which the module declares, else
// one that is made for GSPMD's device orders and added. What Shardy says by axes that do not fit is taken out
// and handed to `refuse`; device orders that do not fit stay as they are.
using Refuse = std::function<void(const annotation::Annotation &, std::string_view why)>;
void bring_to_one_mesh(annotation::Annotations &annotations, const Refuse &refuse);

} // namespace tw::import
