// SPDX-License-Identifier: Apache-2.0
// Memory of the tiles that a callback gets, as views that end with the call.
#pragma once

#include <Python.h>

#include <tilewright/tw.h>

namespace tw::python {

bool make_tile_type();

// A memoryview of a tile; None where it has no memory. Its owner is appended to `owners`.
PyObject *tile_memory(const tw_tile_t &tile, bool read_only, PyObject *owners);

// Whether somebody still looks at the memory of one of the owners.
bool is_seen(PyObject *owners);

} // namespace tw::python
