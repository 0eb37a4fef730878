// SPDX-License-Identifier: Apache-2.0
// Python objects that own one reference to an object of the library. Each remembers who uses it, so that
// closing it, or changing it from two threads, is an exception.
#pragma once

#include <Python.h>

#include <vector>

#include <tilewright/tw.h>

namespace tw::python {

enum Kind : int {
#define TW_KIND(type, release, exclusive) kind_##type,
#include "kinds.inc"
#undef TW_KIND
  num_kinds
};

struct Handle {
  PyObject_HEAD void *pointer; // NULL once it is closed
  int kind;
  int uses;             // calls under way that read it, and buffers that look at its memory
  unsigned long writer; // the thread that changes it, or 0
  bool as_bits; // its buffers hold unsigned integers: the codes of floats that buffers have no format for
};

// The base of all classes, and that of the one whose instances have memory.
bool make_types(PyObject *module);
// How an object of a class made by PyType_FromSpec ends, which owns a reference to its class.
void free_object(PyObject *object);

// An item of what PySequence_Fast made; the reference is borrowed.
inline PyObject *borrow_item(PyObject *fast, Py_ssize_t i) {
  return PyList_Check(fast) ? PyList_GetItem(fast, i) : PyTuple_GetItem(fast, i);
}

// Py_NewRef, which Python 3.9 does not have.
inline PyObject *new_ref(PyObject *object) {
  Py_INCREF(object);
  return object;
}

// Takes over the reference. NULL is None.
PyObject *new_handle(Kind kind, void *pointer);

// Holds a handle for the time of a call.
class HandleUse {
public:
  HandleUse() = default;
  HandleUse(HandleUse &&other) noexcept : handle_(other.handle_), writes_(other.writes_) {
    other.handle_ = nullptr;
  }
  HandleUse(const HandleUse &) = delete;
  HandleUse &operator=(const HandleUse &) = delete;
  ~HandleUse();

  // The object behind `object`, or NULL for None. False with an exception: another type, closed, in use.
  bool take(PyObject *object, Kind kind, bool writes, void **out);

private:
  Handle *handle_ = nullptr;
  bool writes_ = false;
};

// The handles of a sequence.
struct HandleList {
  std::vector<HandleUse> uses;
  std::vector<void *> pointers;
  bool take(PyObject *sequence, Kind kind);
};

// close_handle(handle) and register_class(name, class), as functions of the module.
PyObject *close_handle(PyObject *, PyObject *arguments);
PyObject *register_class(PyObject *, PyObject *arguments);

} // namespace tw::python
