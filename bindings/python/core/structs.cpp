// SPDX-License-Identifier: Apache-2.0
// Values of Python as C has them, and back.
#include "structs.hpp"

#include <cstring>
#include <iterator>

#include <tilewright/tw_cuda.h>
#include <tilewright/tw_mpi.h>

#include "calls.hpp"
#include "errors.hpp"

namespace tw::python {

#include "structs.inc"

namespace {

bool fill_array(PyObject *value, const Field &field, void *out, Keep &keep) {
  if (field.slot == Slot::ints) {
    std::vector<int64_t> values;
    if (!ints_of(value, &values))
      return false;
    slot_at<const int64_t *>(out, field.at) = keep.copy(values);
    set_count(out, field, values.size());
    return true;
  }
  if (field.slot == Slot::numbers) {
    std::vector<uint32_t> values;
    if (!numbers_of(value, &values))
      return false;
    slot_at<const uint32_t *>(out, field.at) = keep.copy(values);
    set_count(out, field, values.size());
    return true;
  }
  if (field.slot == Slot::strings) {
    std::vector<const char *> values;
    if (!strings_of(value, &values))
      return false;
    slot_at<const char *const *>(out, field.at) = keep.copy(values);
    set_count(out, field, values.size());
    return true;
  }
  size_t count = 0;
  if (field.slot != Slot::structs ||
      !fill_all(value, *field.of, &slot_at<void *>(out, field.at), &count, keep)) {
    if (!PyErr_Occurred())
      PyErr_Format(PyExc_TypeError, "%s cannot be given", field.name);
    return false;
  }
  set_count(out, field, count);
  return true;
}

bool fill_field(PyObject *value, const Field &field, void *out, Keep &keep) {
  switch (field.slot) {
  case Slot::i32: return integer_of(value, field.name, &slot_at<int32_t>(out, field.at));
  case Slot::u32: return integer_of(value, field.name, &slot_at<uint32_t>(out, field.at));
  case Slot::i64: return integer_of(value, field.name, &slot_at<int64_t>(out, field.at));
  case Slot::u64: return integer_of(value, field.name, &slot_at<uint64_t>(out, field.at));
  case Slot::f64: return number_of(value, field.name, &slot_at<double>(out, field.at));
  case Slot::string: return text_of(value, &slot_at<const char *>(out, field.at));
  case Slot::handle: {
    // Options that name an object only read it.
    return keep.use().take(value, static_cast<Kind>(field.kind), false, &slot_at<void *>(out, field.at));
  }
  case Slot::inner: return fill(value, *field.of, &slot_at<char>(out, field.at), keep);
  case Slot::struct_pointer: {
    char *item = keep.array<char>(field.of->bytes);
    slot_at<const char *>(out, field.at) = item;
    return fill(value, *field.of, item, keep);
  }
  case Slot::progress:
    if (value != Py_None) {
      slot_at<int (*)(void *, double)>(out, field.at) = call_progress;
      slot_at<void *>(out, field.count_at) = value;
    }
    return true;
  default: return fill_array(value, field, out, keep);
  }
}

PyObject *read_structs(const Field &field, const void *from) {
  const size_t count = count_of(from, field);
  PyObject *list = PyList_New(static_cast<Py_ssize_t>(count));
  for (size_t i = 0; list && i < count; ++i)
    PyList_SetItem(list, static_cast<Py_ssize_t>(i), read(*field.of, struct_at(from, field, i)));
  return list;
}

PyObject *read_field(const Field &field, const void *from) {
  switch (field.slot) {
  case Slot::i32: return PyLong_FromLong(slot_at<int32_t>(from, field.at));
  case Slot::u32: return PyLong_FromUnsignedLong(slot_at<uint32_t>(from, field.at));
  case Slot::i64: return PyLong_FromLongLong(slot_at<int64_t>(from, field.at));
  case Slot::u64: return PyLong_FromUnsignedLongLong(slot_at<uint64_t>(from, field.at));
  case Slot::f64: return PyFloat_FromDouble(slot_at<double>(from, field.at));
  case Slot::string: {
    const char *text = slot_at<const char *>(from, field.at);
    return text ? PyUnicode_DecodeUTF8(text, static_cast<Py_ssize_t>(std::strlen(text)), "replace")
                : new_ref(Py_None);
  }
  case Slot::ints: return tuple_of(slot_at<const int64_t *>(from, field.at), count_of(from, field));
  case Slot::numbers: return tuple_of(slot_at<const uint32_t *>(from, field.at), count_of(from, field));
  case Slot::structs:
  case Slot::struct_pointers: return read_structs(field, from);
  case Slot::inner: return read(*field.of, &slot_at<char>(from, field.at));
  default: return nullptr;
  }
}

template <class T, class Make> PyObject *make_tuple(const T *values, size_t count, Make make) {
  PyObject *tuple = PyTuple_New(static_cast<Py_ssize_t>(values ? count : 0));
  for (size_t i = 0; tuple && values && i < count; ++i)
    PyTuple_SetItem(tuple, static_cast<Py_ssize_t>(i), make(values[i]));
  return tuple;
}

// Calls take(item) for each item of a sequence.
template <class Take> bool each(PyObject *sequence, const char *what, Take take) {
  if (PyUnicode_Check(sequence)) { // a text is a sequence of texts, but never meant as one
    PyErr_Format(PyExc_TypeError, "expected %s, not str", what);
    return false;
  }
  PyObject *fast = PySequence_Fast(sequence, "");
  if (!fast) {
    PyErr_Format(PyExc_TypeError, "expected %s, not %s", what, type_name(sequence).c_str());
    return false;
  }
  bool good = true;
  for (Py_ssize_t i = 0; good && i < PySequence_Size(fast); ++i)
    good = take(borrow_item(fast, i));
  Py_DECREF(fast);
  return good;
}

} // namespace

bool fill(PyObject *dictionary, const Struct &of, void *out, Keep &keep) {
  prepare(of, out);
  if (!PyDict_Check(dictionary)) {
    PyErr_Format(PyExc_TypeError, "expected a dict, not %s", type_name(dictionary).c_str());
    return false;
  }
  PyObject *key, *value;
  Py_ssize_t at = 0;
  while (PyDict_Next(dictionary, &at, &key, &value)) {
    const Field *found = nullptr;
    for (size_t i = 0; PyUnicode_Check(key) && i < of.num_fields; ++i)
      if (PyUnicode_CompareWithASCIIString(key, of.fields[i].name) == 0)
        found = &of.fields[i];
    if (!found) {
      PyErr_Format(PyExc_TypeError, "there is no option %R", key);
      return false;
    }
    if (!fill_field(value, *found, out, keep))
      return false;
  }
  return true;
}

bool fill_all(PyObject *sequence, const Struct &of, void **out, size_t *count, Keep &keep) {
  const Py_ssize_t size = PySequence_Size(sequence);
  if (size < 0)
    return false;
  char *items = keep.array<char>(static_cast<size_t>(size) * of.bytes);
  *out = items;
  *count = 0;
  return each(sequence, "a list of dicts", [&](PyObject *item) {
    return *count < static_cast<size_t>(size) && fill(item, of, items + of.bytes * (*count)++, keep);
  });
}

PyObject *read(const Struct &of, const void *from) {
  PyObject *dictionary = PyDict_New();
  for (size_t i = 0; dictionary && i < of.num_fields; ++i) {
    PyObject *value = read_field(of.fields[i], from);
    if (!value && !PyErr_Occurred())
      continue; // a callback or a handle: never asked for
    if (!value || PyDict_SetItemString(dictionary, of.fields[i].name, value) != 0)
      Py_CLEAR(dictionary);
    Py_XDECREF(value);
  }
  return dictionary;
}

bool text_of(PyObject *object, const char **out) {
  *out = nullptr;
  if (object == Py_None)
    return true;
  if (!PyUnicode_Check(object)) {
    PyErr_Format(PyExc_TypeError, "expected str, not %s", type_name(object).c_str());
    return false;
  }
  Py_ssize_t size = 0;
  const char *text = PyUnicode_AsUTF8AndSize(object, &size);
  if (!text)
    return false;
  if (std::strlen(text) != static_cast<size_t>(size)) {
    PyErr_SetString(PyExc_ValueError, "the text holds a NUL character");
    return false;
  }
  *out = text;
  return true;
}

namespace {

// Parameters are called `dim_` where SWIG reads them.
std::string plain_name(const char *name) {
  std::string plain = name;
  if (plain.ends_with('_'))
    plain.pop_back();
  return plain;
}

} // namespace

bool number_of(PyObject *object, const char *name, double *out) {
  *out = PyFloat_AsDouble(object);
  if (!PyErr_Occurred())
    return true;
  PyErr_Format(PyExc_TypeError, "%s: expected a number, not %s", plain_name(name).c_str(),
               type_name(object).c_str());
  return false;
}

bool integer_of(PyObject *object, const char *name, int64_t least, uint64_t most, uint64_t *out) {
  PyObject *index = PyNumber_Index(object);
  if (!index) {
    PyErr_Format(PyExc_TypeError, "%s: expected an integer, not %s", plain_name(name).c_str(),
                 type_name(object).c_str());
    return false;
  }
  int beyond = 0; // int64_t: -1 below, 1 above
  const long long number = PyLong_AsLongLongAndOverflow(index, &beyond);
  bool fits = beyond == 0 && number >= least && (number < 0 || static_cast<uint64_t>(number) <= most);
  *out = static_cast<uint64_t>(number);
  if (beyond > 0) {
    *out = PyLong_AsUnsignedLongLong(index);
    fits = !PyErr_Occurred() && *out <= most;
    PyErr_Clear();
  }
  if (!fits && least == 0 && beyond <= 0 && number < 0)
    PyErr_Format(PyExc_OverflowError, "%s: %S is negative, and the least is 0", plain_name(name).c_str(),
                 index);
  else if (!fits)
    PyErr_Format(PyExc_OverflowError, "%s: %S is out of range: it may be %lld to %llu",
                 plain_name(name).c_str(), index, static_cast<long long>(least),
                 static_cast<unsigned long long>(most));
  Py_DECREF(index);
  return fits;
}

bool ints_of(PyObject *sequence, std::vector<int64_t> *out) {
  return each(sequence, "a list of integers", [&](PyObject *item) {
    out->push_back(0);
    return integer_of(item, "an element", &out->back());
  });
}

bool numbers_of(PyObject *sequence, std::vector<uint32_t> *out) {
  return each(sequence, "a list of values", [&](PyObject *item) {
    out->push_back(0);
    return integer_of(item, "values", &out->back());
  });
}

bool strings_of(PyObject *sequence, std::vector<const char *> *out) {
  if (PyUnicode_Check(sequence)) {
    out->push_back(nullptr);
    return text_of(sequence, &out->back());
  }
  return each(sequence, "a list of str", [&](PyObject *item) {
    const char *text = nullptr;
    const bool good = text_of(item, &text);
    out->push_back(text);
    return good;
  });
}

bool pair_of(PyObject *tuple, PyObject **first, PyObject **second) {
  if (!PyTuple_Check(tuple) || PyTuple_Size(tuple) != 2) {
    PyErr_Format(PyExc_TypeError, "expected a pair, not %s", type_name(tuple).c_str());
    return false;
  }
  *first = PyTuple_GetItem(tuple, 0);
  *second = PyTuple_GetItem(tuple, 1);
  return true;
}

PyObject *tuple_of(const int32_t *values, size_t count) {
  return make_tuple(values, count, [](int32_t v) { return PyLong_FromLong(v); });
}
PyObject *tuple_of(const int64_t *values, size_t count) {
  return make_tuple(values, count, [](int64_t v) { return PyLong_FromLongLong(v); });
}
PyObject *tuple_of(const uint32_t *values, size_t count) {
  return make_tuple(values, count, [](uint32_t v) { return PyLong_FromUnsignedLong(v); });
}

PyObject *append(PyObject *result, PyObject *more) {
  if (!more || result == Py_None) {
    Py_DECREF(result);
    return more;
  }
  PyObject *first = PyTuple_Check(result) ? result : Py_BuildValue("(N)", result);
  PyObject *last = Py_BuildValue("(N)", more);
  PyObject *all = first && last ? PySequence_Concat(first, last) : nullptr;
  Py_XDECREF(first);
  Py_XDECREF(last);
  return all;
}

bool Bytes::take(PyObject *object) {
  if (PyUnicode_Check(object)) {
    Py_ssize_t length = 0;
    data = PyUnicode_AsUTF8AndSize(object, &length);
    size = static_cast<size_t>(length);
    return data != nullptr;
  }
  if (!PyObject_CheckBuffer(object)) {
    PyErr_Format(PyExc_TypeError, "expected str or bytes, not %s", type_name(object).c_str());
    return false;
  }
  if (PyObject_GetBuffer(object, &view_, PyBUF_SIMPLE) != 0)
    return false;
  data = static_cast<const char *>(view_.buf);
  size = static_cast<size_t>(view_.len);
  return true;
}

Bytes::~Bytes() {
  if (view_.obj)
    PyBuffer_Release(&view_);
}

bool Filled::take(PyObject *object, size_t element_bytes) {
  if (PyObject_GetBuffer(object, &view_, PyBUF_WRITABLE | PyBUF_C_CONTIGUOUS) != 0)
    return false;
  if (static_cast<size_t>(view_.itemsize) != element_bytes) {
    PyErr_Format(PyExc_TypeError, "elements of %zd bytes, where %zu are wanted", view_.itemsize,
                 element_bytes);
    return false;
  }
  data = view_.buf;
  count = static_cast<size_t>(view_.len) / element_bytes;
  return true;
}

Filled::~Filled() {
  if (view_.obj)
    PyBuffer_Release(&view_);
}

PyObject *take_text(tw_blob_t *blob) {
  PyObject *text =
      PyUnicode_DecodeUTF8(tw_blob_data(blob), static_cast<Py_ssize_t>(tw_blob_size(blob)), "replace");
  tw_blob_release(blob);
  return text;
}

PyObject *take_bytes(tw_blob_t *blob) {
  PyObject *bytes =
      PyBytes_FromStringAndSize(tw_blob_data(blob), static_cast<Py_ssize_t>(tw_blob_size(blob)));
  tw_blob_release(blob);
  return bytes;
}

} // namespace tw::python
