// SPDX-License-Identifier: Apache-2.0
// Values of device-local code (device_local.hpp) under the names and with the annotations of the text.
#pragma once

#include "import/implied.hpp"
#include "import/reader.hpp"

namespace tw::import {

// The dimensions in front of a value are its devices: each is tiled by its axis. What is local is whole on
// the other manual axes, and open to those that stay free.
void annotate_local(Reader &r, graph::ValueId v, const OpText &op, int32_t priority);
// What moves in the ops from `first` on is what the text says.
void state_moves(Reader &r, graph::OpId first);
graph::OpId next_op(const Reader &r);
// What is equal along an axis and tiled by it afterwards is cut where it lies.
Result<graph::ValueId> leave_local(Reader &r, graph::ValueId v, std::span<const MeshAxes> dims,
                                   const MeshAxes &manual, const OpText &op);
// Results with the types that the text states, in local terms where they differ between devices.
bool bind_local(Reader &r, OpText &op, std::span<const graph::ValueId> values);
// The one result of an op that became others, where these could be made.
bool bind_implied(Reader &r, OpText &op, Implied &implied, graph::ValueId made);

} // namespace tw::import
