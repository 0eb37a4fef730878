// SPDX-License-Identifier: Apache-2.0
// `mesh data=2, model=4`: the mesh where none was given; must agree with the one that was.
#include <fmt/format.h>

#include "partition/spec.hpp"

namespace tw::partition::mesh_action {

namespace {

Status apply(Plan &plan, const Statement &statement, const Names &) {
  if (statement.call || statement.rest.empty())
    return fail(statement.error(Code::invalid_argument, "TW-401", "expected `mesh data=2, model=4`"));
  TW_ASSIGN(const sharding::Mesh mesh, sharding::Mesh::parse(statement.rest));
  return plan.set_mesh(mesh);
}

} // namespace

const ActionDef &action() {
  static const ActionDef action{"mesh", "mesh NAME=SIZE, ..",
                                "The mesh; must agree with the one given otherwise.", apply};
  return action;
}

} // namespace tw::partition::mesh_action
