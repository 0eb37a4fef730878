// SPDX-License-Identifier: Apache-2.0
// What devices hold of the arrays of a layout.
#include "store/target.hpp"

namespace tw::store {

sharding::Box Layout::box(size_t number, int64_t device) const {
  const Array &array = arrays[number];
  if (whole)
    return sharding::Box::whole(array.type.dims);
  return sharding::box_of(array.sharding, array.type.dims, array.mesh, sharding::Position(device));
}

} // namespace tw::store
