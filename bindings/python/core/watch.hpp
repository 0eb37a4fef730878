// SPDX-License-Identifier: Apache-2.0
// Long calls: while the library works, signals are looked at and progress is told.
#pragma once

#include <Python.h>

#include <type_traits>

#include <tilewright/tw.h>

namespace tw::python {

// Calls body(user) under tw_watch_calls. The interpreter is held by who calls this; the body may let it go.
tw_status_t watch(tw_body_fn body, void *user);

template <class Call> tw_status_t watched(Call &&call) {
  using Plain = std::remove_reference_t<Call>;
  return watch([](void *user) { return (*static_cast<Plain *>(user))(); }, &call);
}

// tw_search_run. Ctrl-C, and a function of set_progress that answers true, end it with the best so far.
tw_status_t run_search(tw_search_t *search);

// set_progress(callable or None, interval): who is told in this thread; returns those of before.
PyObject *set_progress(PyObject *, PyObject *arguments);

} // namespace tw::python
