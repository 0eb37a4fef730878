// SPDX-License-Identifier: Apache-2.0
// Contexts whose log and memory are Python's.
#pragma once

#include <Python.h>

namespace tw::python {

PyObject *context_create(PyObject *, PyObject *arguments); // (workers, log or None, allocate or None)

} // namespace tw::python
