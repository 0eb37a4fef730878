// SPDX-License-Identifier: Apache-2.0
// What the library asks now and then: whether Ctrl-C was pressed, and what the user's function says.
#include "watch.hpp"

#include "calls.hpp"
#include "errors.hpp"
#include "handle.hpp"

namespace tw::python {
namespace {

thread_local PyObject *told = nullptr; // of this thread; NULL: nobody
thread_local double interval = 0;

int look(void *, double seconds) {
  const Interpreter held;
  if (PyErr_CheckSignals() != 0) {
    keep_exception();
    return 1;
  }
  return told ? call_progress(told, seconds) : 0;
}

} // namespace

tw_status_t watch(tw_body_fn body, void *user) {
  const tw_watch_options_t options = {sizeof options, look, nullptr, interval};
  return tw_watch_calls(body, user, &options);
}

PyObject *set_progress(PyObject *, PyObject *arguments) {
  PyObject *callable;
  double seconds = 0;
  if (!PyArg_ParseTuple(arguments, "Od", &callable, &seconds))
    return nullptr;
  PyObject *before = Py_BuildValue("Nd", told ? told : new_ref(Py_None), interval);
  told = callable == Py_None ? nullptr : new_ref(callable);
  interval = seconds;
  return before;
}

} // namespace tw::python
