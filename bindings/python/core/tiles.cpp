// SPDX-License-Identifier: Apache-2.0
// Owners of tile memory count who looks at it.
#include "tiles.hpp"

#include <vector>

#include "handle.hpp"
#include "memory.hpp"

namespace tw::python {
namespace {

struct Owner {
  PyObject_HEAD tw_tile_t tile;
  bool read_only;
  int views;
  std::vector<Py_ssize_t> *sizes; // shape, then strides in bytes
};

PyTypeObject owner_type = {};

Owner *as_owner(PyObject *object) { return reinterpret_cast<Owner *>(object); }

void owner_dealloc(PyObject *self) {
  delete as_owner(self)->sizes;
  Py_TYPE(self)->tp_free(self);
}

int get_buffer(PyObject *self, Py_buffer *view, int flags) {
  Owner *owner = as_owner(self);
  view->obj = nullptr;
  if (owner->read_only && (flags & PyBUF_WRITABLE)) {
    PyErr_SetString(PyExc_BufferError, "operands are only read");
    return -1;
  }
  bool is_code = false;
  const size_t ndims = owner->tile.ndims;
  view->buf = owner->tile.data;
  view->itemsize = static_cast<Py_ssize_t>(tw_dtype_size(owner->tile.dtype));
  view->len = view->itemsize;
  for (size_t d = 0; d < ndims; ++d)
    view->len *= (*owner->sizes)[d];
  view->readonly = owner->read_only;
  view->ndim = static_cast<int>(ndims);
  view->format = flags & PyBUF_FORMAT ? const_cast<char *>(format_of(owner->tile.dtype, &is_code)) : nullptr;
  view->shape = flags & PyBUF_ND ? owner->sizes->data() : nullptr;
  view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? owner->sizes->data() + ndims : nullptr;
  view->suboffsets = nullptr;
  view->internal = nullptr;
  view->obj = new_ref(self);
  ++owner->views;
  return 0;
}

void release_buffer(PyObject *self, Py_buffer *) { --as_owner(self)->views; }

PyBufferProcs owner_buffer = {get_buffer, release_buffer};

} // namespace

bool make_tile_type() {
  Py_SET_REFCNT(reinterpret_cast<PyObject *>(&owner_type), 1);
  owner_type.tp_name = "tilewright._core.TileMemory";
  owner_type.tp_basicsize = sizeof(Owner);
  owner_type.tp_dealloc = owner_dealloc;
  owner_type.tp_as_buffer = &owner_buffer;
  owner_type.tp_flags = Py_TPFLAGS_DEFAULT;
  return PyType_Ready(&owner_type) == 0;
}

PyObject *tile_memory(const tw_tile_t &tile, bool read_only, PyObject *owners) {
  if (!tile.data)
    Py_RETURN_NONE;
  PyObject *object = owner_type.tp_alloc(&owner_type, 0);
  if (!object)
    return nullptr;
  Owner *owner = as_owner(object);
  owner->tile = tile;
  owner->read_only = read_only;
  owner->sizes = new std::vector<Py_ssize_t>(tile.extent, tile.extent + tile.ndims);
  for (size_t d = 0; d < tile.ndims; ++d)
    owner->sizes->push_back(tile.strides[d] * static_cast<Py_ssize_t>(tw_dtype_size(tile.dtype)));
  PyObject *view = PyList_Append(owners, object) == 0 ? PyMemoryView_FromObject(object) : nullptr;
  Py_DECREF(object);
  return view;
}

bool is_seen(PyObject *owners) {
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(owners); ++i)
    if (as_owner(PyList_GET_ITEM(owners, i))->views > 0)
      return true;
  return false;
}

} // namespace tw::python
