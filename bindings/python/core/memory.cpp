// SPDX-License-Identifier: Apache-2.0
// Tensors over memory of Python, and Python over memory of tensors.
#define TW_DLPACK_STRUCTS
#include "memory.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include <tilewright/tw_dlpack.h>

#include "errors.hpp"
#include "handle.hpp"

namespace tw::python {
namespace {

struct Format {
  tw_dtype_t dtype;
  const char *text;
  bool is_code; // buffers have no such type: the text is the unsigned integer of its size
};
constexpr Format kFormats[] = {
    {TW_I1, "?", false},   {TW_S8, "b", false},    {TW_U8, "B", false},  {TW_S16, "h", false},
    {TW_U16, "H", false},  {TW_S32, "i", false},   {TW_U32, "I", false}, {TW_S64, "q", false},
    {TW_U64, "Q", false},  {TW_F16, "e", false},   {TW_F32, "f", false}, {TW_F64, "d", false},
    {TW_C64, "Zf", false}, {TW_C128, "Zd", false}, {TW_BF16, "H", true},
};

// The type of a buffer's elements; TW_DTYPE_INVALID for those that no tensor has.
tw_dtype_t dtype_of(const Py_buffer &view) {
  const char *format = view.format ? view.format : "B";
  if (*format == '@' || *format == '=' || *format == '<')
    ++format;
  if (std::strcmp(format, "l") == 0)
    format = view.itemsize == 8 ? "q" : "i";
  if (std::strcmp(format, "L") == 0)
    format = view.itemsize == 8 ? "Q" : "I";
  for (const Format &known : kFormats)
    if (!known.is_code && std::strcmp(known.text, format) == 0 &&
        tw_dtype_size(known.dtype) == static_cast<size_t>(view.itemsize))
      return known.dtype;
  return TW_DTYPE_INVALID;
}

void give_buffer_back(void *user) {
  if (!Py_IsInitialized())
    return;
  const PyGILState_STATE state = PyGILState_Ensure();
  auto *view = static_cast<Py_buffer *>(user);
  PyBuffer_Release(view);
  delete view;
  PyGILState_Release(state);
}

// Why a buffer cannot be a tensor, as an exception; true where it can.
bool fits(const Py_buffer &view, tw_dtype_t dtype) {
  if (dtype == TW_DTYPE_INVALID) {
    raise(TW_INVALID_ARGUMENT, "no tensor has elements of buffer format '%s'",
          view.format ? view.format : "");
    return false;
  }
  if (tw_dtype_size(dtype) != static_cast<size_t>(view.itemsize)) {
    raise(TW_INVALID_ARGUMENT, "elements of %s take %zu bytes, those of the buffer %zd", tw_dtype_name(dtype),
          tw_dtype_size(dtype), view.itemsize);
    return false;
  }
  if (!PyBuffer_IsContiguous(&view, 'C')) {
    raise(TW_UNIMPLEMENTED,
          "the array is not dense and row-major: copy it first, as numpy.ascontiguousarray does");
    return false;
  }
  const size_t alignment = std::min<size_t>(8, tw_dtype_size(dtype));
  if (reinterpret_cast<uintptr_t>(view.buf) % alignment != 0) {
    raise(TW_UNIMPLEMENTED, "the memory of the array is not aligned to %zu bytes: copy it first", alignment);
    return false;
  }
  return true;
}

tw_tensor_t *tensor_of(PyObject *object, HandleUse *use) {
  void *pointer = nullptr;
  if (object == Py_None) {
    PyErr_SetString(PyExc_TypeError, "expected a Tensor, not None");
    return nullptr;
  }
  return use->take(object, kind_tw_tensor_t, false, &pointer) ? static_cast<tw_tensor_t *>(pointer) : nullptr;
}

template <class Managed> void drop_capsule(PyObject *capsule) {
  const char *name = PyCapsule_GetName(capsule);
  if (!name || std::strncmp(name, "dltensor", 8) != 0)
    return; // somebody took it
  auto *managed = static_cast<Managed *>(PyCapsule_GetPointer(capsule, name));
  if (managed && managed->deleter)
    managed->deleter(managed);
}

constexpr const char *kPlain = "dltensor", *kVersioned = "dltensor_versioned";

} // namespace

const char *format_of(tw_dtype_t dtype, bool *is_code) {
  for (const Format &known : kFormats)
    if (known.dtype == dtype) {
      *is_code = known.is_code;
      return known.text;
    }
  *is_code = true;
  return "B";
}

int get_tensor_buffer(PyObject *self, Py_buffer *view, int flags) {
  auto *handle = reinterpret_cast<Handle *>(self);
  auto *tensor = static_cast<tw_tensor_t *>(handle->pointer);
  view->obj = nullptr;
  if (!tensor) {
    PyErr_SetString(PyExc_BufferError, "the Tensor is closed");
    return -1;
  }
  int32_t number = 0;
  const char *kind = tw_tensor_device(tensor, &number);
  if (std::strcmp(kind, "host") != 0) {
    PyErr_Format(PyExc_BufferError, "the tensor lies on %s:%d: to(\"host\") makes a copy on the host", kind,
                 static_cast<int>(number));
    return -1;
  }
  bool is_code = false;
  const tw_dtype_t dtype = tw_tensor_dtype(tensor);
  const char *format = format_of(dtype, &is_code);
  if (is_code && !handle->as_bits && (flags & PyBUF_FORMAT)) {
    PyErr_Format(PyExc_BufferError, "buffers have no elements of type %s: use numpy() or bits()",
                 tw_dtype_name(dtype));
    return -1;
  }
  void *data = tw_tensor_data(tensor);
  const bool read_only = data == nullptr;
  if (read_only && (flags & PyBUF_WRITABLE)) {
    PyErr_SetString(PyExc_BufferError, "the memory of this Tensor is read-only");
    return -1;
  }
  size_t ndims = 0;
  const int64_t *dims = tw_tensor_dims(tensor, &ndims);
  // Shape and strides, which the buffer owns.
  auto *sizes = new Py_ssize_t[2 * ndims + 1];
  Py_ssize_t stride = static_cast<Py_ssize_t>(tw_dtype_size(dtype));
  for (size_t d = ndims; d-- > 0;) {
    sizes[d] = dims[d];
    sizes[ndims + d] = stride;
    stride *= dims[d] ? dims[d] : 1;
  }
  static char none;
  view->buf = data ? data : const_cast<void *>(tw_tensor_const_data(tensor));
  if (!view->buf)
    view->buf = &none; // no elements
  view->len = static_cast<Py_ssize_t>(tw_tensor_bytes(tensor));
  view->itemsize = static_cast<Py_ssize_t>(tw_dtype_size(dtype));
  view->readonly = read_only;
  view->ndim = static_cast<int>(ndims);
  view->format = flags & PyBUF_FORMAT ? const_cast<char *>(format) : nullptr;
  view->shape = flags & PyBUF_ND ? sizes : nullptr;
  view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? sizes + ndims : nullptr;
  view->suboffsets = nullptr;
  view->internal = sizes;
  view->obj = new_ref(self);
  ++handle->uses;
  return 0;
}

void release_tensor_buffer(PyObject *self, Py_buffer *view) {
  delete[] static_cast<Py_ssize_t *>(view->internal);
  --reinterpret_cast<Handle *>(self)->uses;
}

PyObject *tensor_from_buffer(PyObject *, PyObject *arguments) {
  PyObject *object = nullptr;
  int dtype = 0;
  if (!PyArg_ParseTuple(arguments, "Oi", &object, &dtype))
    return nullptr;
  auto view = std::make_unique<Py_buffer>();
  if (PyObject_GetBuffer(object, view.get(), PyBUF_FULL_RO) != 0)
    return nullptr;
  if (dtype == TW_DTYPE_INVALID)
    dtype = dtype_of(*view);
  if (!fits(*view, dtype)) {
    PyBuffer_Release(view.get());
    return nullptr;
  }
  const std::vector<int64_t> dims(view->shape, view->shape + view->ndim);
  tw_tensor_t *tensor = nullptr;
  const tw_status_t status = view->readonly ? tw_tensor_wrap_const(dtype, dims.data(), dims.size(), view->buf,
                                                                   give_buffer_back, view.get(), &tensor)
                                            : tw_tensor_wrap(dtype, dims.data(), dims.size(), view->buf,
                                                             give_buffer_back, view.get(), &tensor);
  if (status != TW_OK) {
    PyBuffer_Release(view.get());
    return raise_failure(status);
  }
  view.release(); // the tensor's now
  return new_handle(kind_tw_tensor_t, tensor);
}

PyObject *tensor_bits(PyObject *, PyObject *arguments) {
  PyObject *object = nullptr;
  if (!PyArg_ParseTuple(arguments, "O", &object))
    return nullptr;
  HandleUse use;
  if (!tensor_of(object, &use))
    return nullptr;
  auto *handle = reinterpret_cast<Handle *>(object);
  handle->as_bits = true;
  PyObject *view = PyMemoryView_FromObject(object);
  handle->as_bits = false;
  return view;
}

PyObject *tensor_from_dlpack(PyObject *, PyObject *arguments) {
  PyObject *capsule = nullptr;
  if (!PyArg_ParseTuple(arguments, "O", &capsule))
    return nullptr;
  const char *name = PyCapsule_CheckExact(capsule) ? PyCapsule_GetName(capsule) : nullptr;
  const bool versioned = name && std::strcmp(name, kVersioned) == 0;
  if (!name || (!versioned && std::strcmp(name, kPlain) != 0)) {
    PyErr_SetString(PyExc_TypeError, "expected a DLPack capsule that nobody has taken yet");
    return nullptr;
  }
  void *managed = PyCapsule_GetPointer(capsule, name);
  tw_tensor_t *tensor = nullptr;
  const tw_status_t status =
      versioned ? tw_tensor_from_dlpack_versioned(static_cast<DLManagedTensorVersioned *>(managed), &tensor)
                : tw_tensor_from_dlpack(static_cast<DLManagedTensor *>(managed), &tensor);
  if (status != TW_OK)
    return raise_failure(status);
  PyCapsule_SetName(capsule, versioned ? "used_dltensor_versioned" : "used_dltensor");
  return new_handle(kind_tw_tensor_t, tensor);
}

PyObject *tensor_to_dlpack(PyObject *, PyObject *arguments) {
  PyObject *object = nullptr;
  int versioned = 0;
  HandleUse use;
  if (!PyArg_ParseTuple(arguments, "Op", &object, &versioned))
    return nullptr;
  tw_tensor_t *tensor = tensor_of(object, &use);
  if (!tensor)
    return nullptr;
  if (versioned) {
    DLManagedTensorVersioned *managed = nullptr;
    const tw_status_t status = tw_tensor_to_dlpack_versioned(tensor, &managed);
    return status != TW_OK ? raise_failure(status)
                           : PyCapsule_New(managed, kVersioned, drop_capsule<DLManagedTensorVersioned>);
  }
  DLManagedTensor *managed = nullptr;
  const tw_status_t status = tw_tensor_to_dlpack(tensor, &managed);
  return status != TW_OK ? raise_failure(status)
                         : PyCapsule_New(managed, kPlain, drop_capsule<DLManagedTensor>);
}

} // namespace tw::python
