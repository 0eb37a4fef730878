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

// A search is never given up, since what was found until then would be lost.
struct Searching {
  tw_search_t *search;
  bool cancelled = false;

  void cancel() {
    cancelled = true;
    tw_search_cancel(search);
  }
  // By the exception that is set. Ctrl-C is no more than that, unless it is pressed again; others are raised
  // behind the search.
  void cancel_by_exception() {
    if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt) && !cancelled)
      PyErr_Clear();
    else
      keep_exception();
    cancel();
  }
};

int look_while_searching(void *user, double seconds) {
  const Interpreter held;
  Searching &now = *static_cast<Searching *>(user);
  if (PyErr_CheckSignals() != 0) {
    now.cancel_by_exception();
  } else if (told && !now.cancelled) {
    PyObject *answer = PyObject_CallFunction(told, "d", seconds);
    const int stop = answer ? PyObject_IsTrue(answer) : -1;
    Py_XDECREF(answer);
    if (stop < 0)
      now.cancel_by_exception();
    else if (stop > 0)
      now.cancel();
  }
  return 0;
}

} // namespace

tw_status_t run_search(tw_search_t *search) {
  Searching now = {search};
  const tw_watch_options_t options = {sizeof options, look_while_searching, &now, interval};
  const auto body = [](void *user) {
    tw_status_t status = TW_OK;
    Py_BEGIN_ALLOW_THREADS;
    status = tw_search_run(static_cast<Searching *>(user)->search);
    Py_END_ALLOW_THREADS;
    return status;
  };
  const tw_status_t status = tw_watch_calls(body, &now, &options);
  if (status == TW_OK && PyErr_CheckSignals() != 0) // since the last look
    now.cancel_by_exception();
  return status;
}

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
