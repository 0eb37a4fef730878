// SPDX-License-Identifier: Apache-2.0
// Failures of the library as exceptions, and exceptions of callbacks as failures of the library.
#pragma once

#include <Python.h>

#include <string>

#include <tilewright/tw.h>

namespace tw::python {

// The name of a class, and of an object's class, for messages.
std::string name_of(PyTypeObject *type);
std::string type_name(PyObject *object);

// Raises the exception of this thread's last failure, or what a callback of this call raised. Always NULL.
PyObject *raise_failure(tw_status_t status);

// Raises an exception of the class that `status` has. Always NULL.
PyObject *raise(tw_status_t status, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Whether a callback that cannot answer a status raised during this thread's call. The exception is set then.
bool callback_raised();

// What a callback raised, for callback_raised.
void keep_exception();

// The same as a failure of the library, which the call that ends by it raises with the exception as its
// cause.
tw_status_t fail_with_exception();

// set_error_maker(function): function(status, text, id, file, line, column, notes) makes an exception.
PyObject *set_error_maker(PyObject *, PyObject *arguments);

} // namespace tw::python
