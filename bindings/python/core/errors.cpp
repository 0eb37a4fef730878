// SPDX-License-Identifier: Apache-2.0
// How errors cross between the library and Python, in both directions.
#include "errors.hpp"

#include <cstdarg>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace tw::python {
namespace {

PyObject *error_maker = nullptr;

// Exceptions of callbacks whose failure is on its way through the library, with the text it goes by.
// Callbacks of a run are called by any thread, so they are found by that text.
struct Travelling {
  std::string text;
  PyObject *exception;
};
std::vector<Travelling> travelling;
constexpr size_t kMostTravelling = 16;

thread_local PyObject *kept = nullptr;

PyObject *take_exception() {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  if (traceback)
    PyException_SetTraceback(value, traceback);
  Py_XDECREF(type);
  Py_XDECREF(traceback);
  return value;
}

void set_exception(PyObject *exception) {
  PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(exception)), exception);
  Py_DECREF(exception);
}

std::string described(PyObject *exception) {
  std::string text = type_name(exception);
  PyObject *message = PyObject_Str(exception);
  const char *bytes = message ? PyUnicode_AsUTF8AndSize(message, nullptr) : nullptr;
  if (bytes && *bytes)
    text += std::string(": ") + std::string(bytes).substr(0, std::string(bytes).find('\n'));
  Py_XDECREF(message);
  PyErr_Clear();
  return text;
}

// The exception that the failure of this text began with, or NULL.
PyObject *cause_of(const std::string &text) {
  for (size_t i = travelling.size(); i-- > 0;)
    if (text.find(travelling[i].text) != std::string::npos) {
      PyObject *exception = travelling[i].exception;
      travelling.erase(travelling.begin() + static_cast<std::ptrdiff_t>(i));
      return exception;
    }
  return nullptr;
}

PyObject *notes_of(const tw_error_t *error, std::string *all) {
  const size_t count = tw_error_num_notes(error);
  PyObject *notes = PyTuple_New(static_cast<Py_ssize_t>(count));
  for (size_t i = 0; notes && i < count; ++i) {
    *all += std::string("\n") + tw_error_note(error, i);
    PyTuple_SetItem(notes, static_cast<Py_ssize_t>(i), PyUnicode_FromString(tw_error_note(error, i)));
  }
  return notes;
}

// Sets what error_maker makes; `cause` may be NULL.
void set_made(tw_status_t status, const tw_error_t *error, const char *text) {
  std::string all = text;
  PyObject *notes = error ? notes_of(error, &all) : PyTuple_New(0);
  PyObject *cause = cause_of(all);
  if (cause && !PyErr_GivenExceptionMatches(cause, PyExc_Exception)) {
    Py_XDECREF(notes);
    return set_exception(cause); // Ctrl-C in a callback
  }
  PyObject *made =
      !error_maker ? nullptr
                   : PyObject_CallFunction(error_maker, "isssIIN", static_cast<int>(status), text,
                                           error ? tw_error_id(error) : "", error ? tw_error_file(error) : "",
                                           error ? tw_error_line(error) : 0u,
                                           error ? tw_error_column(error) : 0u, notes);
  if (made && cause)
    PyException_SetCause(made, cause);
  else
    Py_XDECREF(cause);
  if (made)
    set_exception(made);
  else if (!PyErr_Occurred())
    PyErr_SetString(PyExc_RuntimeError, text);
}

} // namespace

std::string name_of(PyTypeObject *type) {
  PyObject *name = PyObject_GetAttrString(reinterpret_cast<PyObject *>(type), "__name__");
  const char *bytes = name ? PyUnicode_AsUTF8AndSize(name, nullptr) : nullptr;
  std::string text = bytes ? bytes : "an object";
  Py_XDECREF(name);
  return text;
}

std::string type_name(PyObject *object) { return name_of(Py_TYPE(object)); }

PyObject *raise_failure(tw_status_t status) {
  if (callback_raised())
    return nullptr;
  tw_error_t *error = nullptr;
  tw_error_take(&error);
  set_made(status, error, error ? tw_error_text(error) : tw_status_name(status));
  tw_error_release(error);
  return nullptr;
}

PyObject *raise(tw_status_t status, const char *format, ...) {
  char text[400];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  set_made(status, nullptr, text);
  return nullptr;
}

bool callback_raised() {
  if (!kept)
    return false;
  PyObject *exception = kept;
  kept = nullptr;
  set_exception(exception);
  return true;
}

void keep_exception() {
  PyObject *exception = take_exception();
  if (kept)
    Py_DECREF(exception); // the first one is what the call ends by
  else
    kept = exception;
}

tw_status_t fail_with_exception() {
  PyObject *exception = take_exception();
  const std::string text = described(exception);
  const bool interrupted = !PyErr_GivenExceptionMatches(exception, PyExc_Exception);
  if (travelling.size() == kMostTravelling) {
    Py_DECREF(travelling.front().exception);
    travelling.erase(travelling.begin());
  }
  travelling.push_back({text, exception});
  return tw_error_set(interrupted ? TW_CANCELLED : TW_INVALID_ARGUMENT, text.c_str());
}

PyObject *set_error_maker(PyObject *, PyObject *arguments) {
  PyObject *function = nullptr;
  if (!PyArg_ParseTuple(arguments, "O", &function))
    return nullptr;
  Py_INCREF(function);
  Py_XDECREF(std::exchange(error_maker, function));
  Py_RETURN_NONE;
}

} // namespace tw::python
