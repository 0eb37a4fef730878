// SPDX-License-Identifier: Apache-2.0
// Memory of tensors, shared with Python through buffers and DLPack capsules: nothing here copies.
#pragma once

#include <Python.h>

#include <tilewright/tw.h>

namespace tw::python {

// The buffer protocol of tensors.
int get_tensor_buffer(PyObject *self, Py_buffer *view, int flags);
void release_tensor_buffer(PyObject *self, Py_buffer *view);

// What memoryview calls the elements of a type; for floats it has no name for, unsigned integers of their
// size.
const char *format_of(tw_dtype_t dtype, bool *is_code);

// Functions of the module.
PyObject *tensor_from_buffer(PyObject *, PyObject *arguments); // (object, dtype or 0)
PyObject *tensor_bits(PyObject *, PyObject *arguments); // (tensor): a memoryview of the elements' codes
PyObject *tensor_from_dlpack(PyObject *, PyObject *arguments);
PyObject *tensor_to_dlpack(PyObject *, PyObject *arguments); // (tensor, versioned)

} // namespace tw::python
