// SPDX-License-Identifier: Apache-2.0
// The log of a context calls Python; its memory is buffers that Python gives.
#include "context.hpp"

#include <unordered_map>

#include "calls.hpp"
#include "errors.hpp"
#include "handle.hpp"

namespace tw::python {
namespace {

void drop_callable(void *user) {
  if (!Py_IsInitialized())
    return;
  const Interpreter held;
  Py_DECREF(static_cast<PyObject *>(user));
}

// Nobody waits for what a log raises: it is shown, and the work goes on.
void tell_log(int32_t level, const char *area, const char *text, void *user) {
  const Interpreter held;
  PyObject *answer = PyObject_CallFunction(static_cast<PyObject *>(user), "iss", level, area, text);
  if (!answer)
    PyErr_WriteUnraisable(static_cast<PyObject *>(user));
  Py_XDECREF(answer);
}

// Buffers in use, by their address. Looked at with the interpreter held.
struct Memory {
  PyObject *allocate;
  std::unordered_map<void *, Py_buffer> buffers;
};

void drop_memory(void *user) {
  auto *memory = static_cast<Memory *>(user);
  drop_callable(memory->allocate);
  delete memory;
}

// Whether a buffer is what was asked for, else an exception.
bool is_usable(const Py_buffer &view, size_t size, size_t alignment) {
  if (static_cast<size_t>(view.len) < size) {
    raise(TW_INVALID_ARGUMENT, "allocate(%zu, %zu) gave a buffer of %zd bytes", size, alignment, view.len);
    return false;
  }
  if (reinterpret_cast<uintptr_t>(view.buf) % alignment != 0) {
    raise(TW_INVALID_ARGUMENT, "allocate(%zu, %zu) gave a buffer that is not aligned to %zu bytes", size,
          alignment, alignment);
    return false;
  }
  return true;
}

void *allocate(size_t size, size_t alignment, void *user) {
  const Interpreter held;
  auto *memory = static_cast<Memory *>(user);
  PyObject *buffer = PyObject_CallFunction(memory->allocate, "nn", static_cast<Py_ssize_t>(size),
                                           static_cast<Py_ssize_t>(alignment));
  Py_buffer view = {};
  const bool got = buffer && PyObject_GetBuffer(buffer, &view, PyBUF_WRITABLE | PyBUF_C_CONTIGUOUS) == 0;
  Py_XDECREF(buffer); // the view keeps it
  if (got && is_usable(view, size, alignment)) {
    if (memory->buffers.emplace(view.buf, view).second)
      return view.buf;
    raise(TW_INVALID_ARGUMENT, "allocate(%zu, %zu) gave a buffer that is in use", size, alignment);
  }
  keep_exception();
  if (got)
    PyBuffer_Release(&view);
  return nullptr;
}

void give_back(void *address, size_t, void *user) {
  if (!Py_IsInitialized())
    return;
  const Interpreter held;
  auto *memory = static_cast<Memory *>(user);
  const auto found = memory->buffers.find(address);
  PyBuffer_Release(&found->second);
  memory->buffers.erase(found);
}

} // namespace

PyObject *context_create(PyObject *, PyObject *arguments) {
  PyObject *log, *allocator;
  tw_context_options_t options = {};
  options.struct_size = sizeof options;
  if (!PyArg_ParseTuple(arguments, "iOO", &options.workers, &log, &allocator))
    return nullptr;
  if (log != Py_None) {
    options.log = tell_log;
    options.log_user = new_ref(log);
    options.destroy_log_user = drop_callable;
  }
  if (allocator != Py_None) {
    options.alloc = allocate;
    options.free = give_back;
    options.alloc_user = new Memory{new_ref(allocator), {}};
    options.destroy_alloc_user = drop_memory;
  }
  tw_context_t *context = nullptr;
  const tw_status_t status = tw_context_create(&options, &context);
  if (status == TW_OK)
    return new_handle(kind_tw_context_t, context);
  if (options.log_user)
    drop_callable(options.log_user);
  if (options.alloc_user)
    drop_memory(options.alloc_user);
  return raise_failure(status);
}

} // namespace tw::python
