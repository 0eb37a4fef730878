// SPDX-License-Identifier: Apache-2.0
// Modules that were partitioned already: their entry function is the code of one device, whose collectives
// stand in no other device-local code. GSPMD's shardings in its signature say of which arrays its arguments
// and results are parts.
#pragma once

#include "import/local_code.hpp"

namespace tw::import {

struct Argument;

// The axes of a GSPMD sharding. Its device list is a shape of numbers too, whose dimensions are runs of the
// mesh's axes; where one begins or ends inside an axis, the axis is cut there when the text is read again.
Result<std::vector<MeshAxes>> tile_dims(const annotation::ShardingAnnotation &s, const DeviceLocal &local,
                                        size_t rank);

// Where the last reading found such code (`Findings::partitions`): the devices that run it.
bool begin_partition(Reader &r);
// The array of which an argument is a part, and which dimensions are cut along which axes; what has no
// sharding is the same on all devices.
bool read_whole_argument(Reader &r, const Argument &argument, graph::TensorType &whole,
                         std::vector<MeshAxes> &dims);
// A device's part of such an argument.
bool enter_argument(Reader &r, const Argument &argument, std::span<const MeshAxes> dims,
                    graph::ValueId &value);
// And the array of which a result is a part.
bool leave_result(Reader &r, uint32_t index, std::span<const AttrText> attrs, graph::ValueId &value);

} // namespace tw::import
