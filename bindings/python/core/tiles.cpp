// SPDX-License-Identifier: Apache-2.0
// Tiles as memoryviews of copies.
#include "tiles.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "handle.hpp"
#include "memory.hpp"

namespace tw::python {
namespace {

struct Owner {
  PyObject_HEAD void *allocated;
  char *elements; // in `allocated`, aligned
  size_t bytes;
  tw_dtype_t dtype;
  bool read_only;
  std::vector<Py_ssize_t> *sizes; // shape, then strides in bytes
};

constexpr size_t kAlignment = 64;

PyTypeObject *owner_type = nullptr;

Owner *as_owner(PyObject *object) { return reinterpret_cast<Owner *>(object); }

void owner_dealloc(PyObject *self) {
  std::free(as_owner(self)->allocated);
  delete as_owner(self)->sizes;
  free_object(self);
}

int get_buffer(PyObject *self, Py_buffer *view, int flags) {
  Owner *owner = as_owner(self);
  view->obj = nullptr;
  if (owner->read_only && (flags & PyBUF_WRITABLE)) {
    PyErr_SetString(PyExc_BufferError, "operands are only read");
    return -1;
  }
  bool is_code = false;
  const size_t ndims = owner->sizes->size() / 2;
  view->buf = owner->elements;
  view->itemsize = static_cast<Py_ssize_t>(tw_dtype_size(owner->dtype));
  view->len = static_cast<Py_ssize_t>(owner->bytes);
  view->readonly = owner->read_only;
  view->ndim = static_cast<int>(ndims);
  view->format = flags & PyBUF_FORMAT ? const_cast<char *>(format_of(owner->dtype, &is_code)) : nullptr;
  view->shape = flags & PyBUF_ND ? owner->sizes->data() : nullptr;
  view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? owner->sizes->data() + ndims : nullptr;
  view->suboffsets = nullptr;
  view->internal = nullptr;
  view->obj = new_ref(self);
  return 0;
}

PyType_Slot owner_slots[] = {
    {Py_tp_dealloc, reinterpret_cast<void *>(owner_dealloc)},
    {Py_bf_getbuffer, reinterpret_cast<void *>(get_buffer)},
    {0, nullptr},
};
PyType_Spec owner_spec = {"tilewright._core.TileMemory", sizeof(Owner), 0, Py_TPFLAGS_DEFAULT, owner_slots};

} // namespace

bool make_tile_type() {
  owner_type = reinterpret_cast<PyTypeObject *>(PyType_FromSpec(&owner_spec));
  return owner_type != nullptr;
}

bool has_elements(const tw_tile_t &tile) {
  return tile.data || std::find(tile.extent, tile.extent + tile.ndims, 0) != tile.extent + tile.ndims;
}

PyObject *new_tile_memory(const tw_tile_t &tile, bool is_operand) {
  const size_t item = tw_dtype_size(tile.dtype);
  size_t bytes = item;
  for (size_t d = 0; d < tile.ndims; ++d)
    bytes *= static_cast<size_t>(tile.extent[d]);
  void *allocated = std::calloc(1, bytes + kAlignment);
  if (!allocated)
    return PyErr_NoMemory();
  PyObject *object = PyType_GenericAlloc(owner_type, 0);
  if (!object) {
    std::free(allocated);
    return nullptr;
  }
  Owner *owner = as_owner(object);
  owner->allocated = allocated;
  const size_t over = reinterpret_cast<uintptr_t>(allocated) % kAlignment;
  owner->elements = static_cast<char *>(allocated) + (kAlignment - over);
  owner->bytes = bytes;
  owner->dtype = tile.dtype;
  owner->read_only = is_operand;
  owner->sizes = new std::vector<Py_ssize_t>(tile.extent, tile.extent + tile.ndims);
  for (size_t d = 0; d < tile.ndims; ++d)
    owner->sizes->push_back(tile.strides[d] * static_cast<Py_ssize_t>(item));
  if (is_operand && bytes > 0)
    std::memcpy(owner->elements, tile.data, bytes);
  return object;
}

void copy_tile_back(PyObject *memory, const tw_tile_t &tile) {
  if (as_owner(memory)->bytes > 0)
    std::memcpy(tile.data, as_owner(memory)->elements, as_owner(memory)->bytes);
}

} // namespace tw::python
