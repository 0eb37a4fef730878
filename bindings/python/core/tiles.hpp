// SPDX-License-Identifier: Apache-2.0
// Copies of the tiles that a kernel gets: views of the library's memory would outlive it where they are kept.
#pragma once

#include <Python.h>

#include <tilewright/tw.h>

namespace tw::python {

bool make_tile_type();

// Whether there is something to look at, or nothing that could be: an empty tile has no address.
bool has_elements(const tw_tile_t &tile);

// Memory of a tile that has elements, with the buffer protocol: a read-only copy of an operand, zeros for a
// result.
PyObject *new_tile_memory(const tw_tile_t &tile, bool is_operand);

// What a kernel wrote into the memory of a result.
void copy_tile_back(PyObject *memory, const tw_tile_t &tile);

} // namespace tw::python
