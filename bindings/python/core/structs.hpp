// SPDX-License-Identifier: Apache-2.0
// Structs of the library as dictionaries. Tables that make_core.py makes say what stands where.
#pragma once

#include <Python.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "handle.hpp"

namespace tw::python {

enum class Slot : uint8_t {
  i32,
  u32,
  i64,
  u64,
  f64,
  string,
  strings,
  ints,
  numbers,
  structs,
  struct_pointers,
  inner,
  handle,
  progress
};

struct Struct;
struct Field {
  const char *name;
  Slot slot;
  size_t at;
  size_t count_at, count_bytes; // of the field that counts an array; of `user` for callbacks
  const Struct *of;             // what its elements are
  int kind;                     // of a handle
};
struct Struct {
  const Field *fields;
  size_t num_fields;
  size_t bytes;
  bool sized; // begins with struct_size
};

#include "struct_names.inc"

// What a struct points at, for the time of a call.
class Keep {
public:
  template <class T> T *array(size_t count) {
    blocks_.push_back(std::make_unique<uint64_t[]>((count * sizeof(T) + 7) / 8 + 1));
    return reinterpret_cast<T *>(blocks_.back().get());
  }
  HandleUse &use() { return *uses_.emplace_back(std::make_unique<HandleUse>()); }

private:
  std::vector<std::unique_ptr<uint64_t[]>> blocks_;
  std::vector<std::unique_ptr<HandleUse>> uses_;
};

// Zeros, with struct_size set.
void prepare(const Struct &of, void *out);
// Fills a struct from a dictionary; what it does not name stays zero. False with an exception.
bool fill(PyObject *dictionary, const Struct &of, void *out, Keep &keep);
// An array of structs from a sequence of dictionaries.
bool fill_all(PyObject *sequence, const Struct &of, void **out, size_t *count, Keep &keep);
// A new dictionary.
PyObject *read(const Struct &of, const void *from);

// Text of a str, NULL for None. An exception where it is no str or holds a NUL.
bool text_of(PyObject *object, const char **out);
bool ints_of(PyObject *sequence, std::vector<int64_t> *out);
bool numbers_of(PyObject *sequence, std::vector<uint32_t> *out);
bool strings_of(PyObject *sequence, std::vector<const char *> *out);
// The two items of a tuple, borrowed.
bool pair_of(PyObject *tuple, PyObject **first, PyObject **second);
PyObject *tuple_of(const int32_t *values, size_t count);
PyObject *tuple_of(const int64_t *values, size_t count);
PyObject *tuple_of(const uint32_t *values, size_t count);
template <class T> PyObject *list_of(const T *values, size_t count) {
  PyObject *tuple = tuple_of(values, count), *list = tuple ? PySequence_List(tuple) : nullptr;
  Py_XDECREF(tuple);
  return list;
}

// One more result of a call: None, then the result itself, then a tuple of all. Arrays are lists.
PyObject *append(PyObject *result, PyObject *more);

// A str, or anything with a buffer, as bytes.
class Bytes {
public:
  Bytes() = default;
  Bytes(const Bytes &) = delete;
  Bytes &operator=(const Bytes &) = delete;
  ~Bytes();
  bool take(PyObject *object);
  const char *data = nullptr;
  size_t size = 0;

private:
  Py_buffer view_ = {};
};

// A text or bytes from a blob, which ends here.
PyObject *take_text(tw_blob_t *blob);
PyObject *take_bytes(tw_blob_t *blob);

} // namespace tw::python
