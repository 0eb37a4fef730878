// SPDX-License-Identifier: Apache-2.0
// Calls in which the library calls Python, or gets memory of Python.
#pragma once

#include <Python.h>

#include <tilewright/tw.h>

namespace tw::python {

// Holds the interpreter in a thread of the library.
class Interpreter {
public:
  Interpreter() : state_(PyGILState_Ensure()) {}
  Interpreter(const Interpreter &) = delete;
  Interpreter &operator=(const Interpreter &) = delete;
  ~Interpreter() { PyGILState_Release(state_); }

private:
  PyGILState_STATE state_;
};

// tw_compare_options_t.progress: `user` is the callable.
int call_progress(void *user, double seconds);

// Functions of the module, named after the call that they make.
PyObject *custom_calls_add(PyObject *, PyObject *arguments);  // (calls, target, rule, rule_fn, check, kernel)
PyObject *plan_on_action(PyObject *, PyObject *arguments);    // (plan, callable or None)
PyObject *program_compare(PyObject *, PyObject *arguments);   // (program, inputs, outputs, expected, options)
PyObject *graph_constant(PyObject *, PyObject *arguments);    // (graph, op): (bytes, is_splat)
PyObject *graph_retain(PyObject *, PyObject *arguments);      // (graph): another handle of it
PyObject *redistributor_run(PyObject *, PyObject *arguments); // (redistributor, sources, targets)
PyObject *comm_create_mpi(PyObject *, PyObject *arguments);   // (address, options)

} // namespace tw::python
