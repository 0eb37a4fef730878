// SPDX-License-Identifier: Apache-2.0
// Creation, use and end of the objects that Python holds.
#include "handle.hpp"

#include <cstring>

#include "errors.hpp"
#include "memory.hpp"

namespace tw::python {
namespace {

struct KindInfo {
  const char *name;
  void (*release)(void *);
  bool exclusive; // one thread at a time builds it
  PyTypeObject *type;
};

PyTypeObject *handle_type = nullptr; // the base of all classes

KindInfo kinds[] = {
#define TW_KIND(type, release, exclusive)                                                                    \
  {#type, [](void *pointer) { release(static_cast<type *>(pointer)); }, exclusive, nullptr},
#include "kinds.inc"
#undef TW_KIND
};

Handle *as_handle(PyObject *object) { return reinterpret_cast<Handle *>(object); }

// What users call it: the class that Python has for it.
std::string kind_name(int kind) {
  if (!kinds[kind].type)
    return kinds[kind].name;
  return name_of(kinds[kind].type);
}

// Releasing may wait for threads that want the interpreter.
void release(Handle *handle) {
  void *pointer = handle->pointer;
  handle->pointer = nullptr;
  if (!pointer)
    return;
  Py_BEGIN_ALLOW_THREADS;
  kinds[handle->kind].release(pointer);
  Py_END_ALLOW_THREADS;
}

void handle_dealloc(PyObject *self) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback); // what a callback raises at the end belongs to nobody
  release(as_handle(self));
  PyErr_Restore(type, value, traceback);
  free_object(self);
}

PyObject *handle_new(PyTypeObject *type, PyObject *, PyObject *) {
  PyErr_Format(PyExc_TypeError, "%s has no constructor: other objects make it", name_of(type).c_str());
  return nullptr;
}

PyObject *handle_closed(PyObject *self, void *) {
  return PyBool_FromLong(as_handle(self)->pointer == nullptr);
}

PyGetSetDef handle_getset[] = {
    {"closed", handle_closed, nullptr, "Whether close() was called.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

PyType_Slot handle_slots[] = {
    {Py_tp_doc, const_cast<char *>("Owns one reference to an object of the library.")},
    {Py_tp_dealloc, reinterpret_cast<void *>(handle_dealloc)},
    {Py_tp_new, reinterpret_cast<void *>(handle_new)},
    {Py_tp_getset, handle_getset},
    {0, nullptr},
};
PyType_Slot tensor_slots[] = {
    {Py_tp_doc, const_cast<char *>("A handle whose memory the buffer protocol shows.")},
    {Py_bf_getbuffer, reinterpret_cast<void *>(get_tensor_buffer)},
    {Py_bf_releasebuffer, reinterpret_cast<void *>(release_tensor_buffer)},
    {0, nullptr},
};
constexpr unsigned kFlags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;
PyType_Spec handle_spec = {"tilewright._core.Handle", sizeof(Handle), 0, kFlags, handle_slots};
PyType_Spec tensor_spec = {"tilewright._core.TensorHandle", sizeof(Handle), 0, kFlags, tensor_slots};

} // namespace

void free_object(PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(object);
  Py_DECREF(type);
}

bool make_types(PyObject *module) {
  PyObject *handle = PyType_FromSpec(&handle_spec);
  handle_type = reinterpret_cast<PyTypeObject *>(handle);
  PyObject *bases = handle ? PyTuple_Pack(1, handle) : nullptr;
  PyObject *tensor = bases ? PyType_FromSpecWithBases(&tensor_spec, bases) : nullptr;
  Py_XDECREF(bases);
  return tensor && PyModule_AddObject(module, "Handle", new_ref(handle)) == 0 &&
         PyModule_AddObject(module, "TensorHandle", tensor) == 0;
}

PyObject *new_handle(Kind kind, void *pointer) {
  if (!pointer)
    Py_RETURN_NONE;
  PyTypeObject *type = kinds[kind].type ? kinds[kind].type : handle_type;
  PyObject *object = PyType_GenericAlloc(type, 0);
  if (!object) {
    kinds[kind].release(pointer);
    return nullptr;
  }
  Handle *handle = as_handle(object);
  handle->pointer = pointer;
  handle->kind = kind;
  return object;
}

bool HandleUse::take(PyObject *object, Kind kind, bool writes, void **out) {
  *out = nullptr;
  if (object == Py_None)
    return true;
  if (!PyObject_TypeCheck(object, handle_type) || as_handle(object)->kind != kind) {
    PyErr_Format(PyExc_TypeError, "expected a %s, not %s", kind_name(kind).c_str(),
                 type_name(object).c_str());
    return false;
  }
  Handle *handle = as_handle(object);
  if (!handle->pointer) {
    raise(TW_FAILED_PRECONDITION, "the %s is closed", kind_name(kind).c_str());
    return false;
  }
  const unsigned long thread = PyThread_get_thread_ident();
  writes = writes && kinds[kind].exclusive;
  if (writes && (handle->uses > 0 || handle->writer)) {
    raise(TW_FAILED_PRECONDITION,
          "the %s is in use: one thread at a time changes it, and callbacks only read it",
          kind_name(kind).c_str());
    return false;
  }
  if (!writes && handle->writer && handle->writer != thread) {
    raise(TW_FAILED_PRECONDITION, "the %s is being changed by another thread", kind_name(kind).c_str());
    return false;
  }
  if (writes)
    handle->writer = thread;
  else
    ++handle->uses;
  handle_ = handle;
  writes_ = writes;
  Py_INCREF(object);
  *out = handle->pointer;
  return true;
}

HandleUse::~HandleUse() {
  if (!handle_)
    return;
  if (writes_)
    handle_->writer = 0;
  else
    --handle_->uses;
  Py_DECREF(reinterpret_cast<PyObject *>(handle_));
}

bool HandleList::take(PyObject *sequence, Kind kind) {
  PyObject *fast = PySequence_Fast(sequence, "expected a list or tuple of objects of the library");
  if (!fast)
    return false;
  const Py_ssize_t count = PySequence_Size(fast);
  uses.reserve(static_cast<size_t>(count));
  pointers.reserve(static_cast<size_t>(count));
  bool good = true;
  for (Py_ssize_t i = 0; good && i < count; ++i) {
    void *pointer = nullptr;
    good = uses.emplace_back().take(borrow_item(fast, i), kind, false, &pointer);
    pointers.push_back(pointer);
  }
  Py_DECREF(fast);
  return good;
}

PyObject *close_handle(PyObject *, PyObject *arguments) {
  PyObject *object = nullptr;
  if (!PyArg_ParseTuple(arguments, "O", &object))
    return nullptr;
  if (!PyObject_TypeCheck(object, handle_type)) {
    PyErr_Format(PyExc_TypeError, "expected an object of the library, not %s", type_name(object).c_str());
    return nullptr;
  }
  Handle *handle = as_handle(object);
  if (handle->uses > 0 || handle->writer)
    return raise(TW_FAILED_PRECONDITION,
                 "the %s is in use: a call is under way, or a buffer of its memory exists",
                 kind_name(handle->kind).c_str());
  release(handle);
  Py_RETURN_NONE;
}

PyObject *register_class(PyObject *, PyObject *arguments) {
  const char *name = nullptr;
  PyObject *type = nullptr;
  if (!PyArg_ParseTuple(arguments, "sO!", &name, &PyType_Type, &type))
    return nullptr;
  for (KindInfo &kind : kinds)
    if (std::strcmp(kind.name, name) == 0) {
      Py_INCREF(type);
      kind.type = reinterpret_cast<PyTypeObject *>(type);
      Py_RETURN_NONE;
    }
  PyErr_Format(PyExc_ValueError, "the library has no %s", name);
  return nullptr;
}

} // namespace tw::python
