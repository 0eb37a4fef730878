// SPDX-License-Identifier: Apache-2.0
// Structs of the library as dictionaries. Tables that make_core.py makes say what stands where.
#pragma once

#include <Python.h>

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "core/tables.hpp"
#include "handle.hpp"

namespace tw::python {

using namespace tw::bindings;

#include "struct_names.inc"

using Keep = KeepFor<HandleUse>;

// Fills a struct from a dictionary; what it does not name stays zero. False with an exception.
bool fill(PyObject *dictionary, const Struct &of, void *out, Keep &keep);
// An array of structs from a sequence of dictionaries.
bool fill_all(PyObject *sequence, const Struct &of, void **out, size_t *count, Keep &keep);
// A new dictionary.
PyObject *read(const Struct &of, const void *from);

// Text of a str, NULL for None. An exception where it is no str or holds a NUL.
bool text_of(PyObject *object, const char **out);
// An int, or what serves as one, such as numpy's. An exception names the parameter.
bool integer_of(PyObject *object, const char *name, int64_t least, uint64_t most, uint64_t *out);
template <class T> bool integer_of(PyObject *object, const char *name, T *out) {
  uint64_t bits = 0;
  if (!integer_of(object, name, std::is_signed_v<T> ? int64_t{std::numeric_limits<T>::min()} : 0,
                  uint64_t{std::numeric_limits<T>::max()}, &bits))
    return false;
  *out = static_cast<T>(bits);
  return true;
}
bool number_of(PyObject *object, const char *name, double *out);
bool ints_of(PyObject *sequence, std::vector<int64_t> *out);
bool numbers_of(PyObject *sequence, std::vector<uint32_t> *out);
// Also one text for a sequence of one.
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

// The elements of an object with a buffer, which a call writes.
class Filled {
public:
  Filled() = default;
  Filled(const Filled &) = delete;
  Filled &operator=(const Filled &) = delete;
  ~Filled();
  bool take(PyObject *object, size_t element_bytes);
  void *data = nullptr;
  size_t count = 0;

private:
  Py_buffer view_ = {};
};

// A text or bytes from a blob, which ends here.
PyObject *take_text(tw_blob_t *blob);
PyObject *take_bytes(tw_blob_t *blob);

} // namespace tw::python
