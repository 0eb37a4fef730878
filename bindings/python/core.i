// SPDX-License-Identifier: Apache-2.0
// The module _core: every function of the headers, with the typemaps that functions.i names its parameters after.
%module(package="tilewright") core
%begin %{
#define PY_SSIZE_T_CLEAN
%}
%{
#include <tilewright/tw.h>
#include <tilewright/tw_cuda.h>
#include <tilewright/tw_debug.h>
#include <tilewright/tw_mpi.h>

#include "core/calls.hpp"
#include "core/context.hpp"
#include "core/errors.hpp"
#include "core/handle.hpp"
#include "core/memory.hpp"
#include "core/structs.hpp"
#include "core/tiles.hpp"
#include "core/watch.hpp"

using namespace tw::python;
%}
%init %{
  if (!make_types(m) || !make_tile_type())
    return NULL;
%}
%include <stdint.i>

// ---- what calls return ----

%typemap(out) tw_status_t {
  if ($1 != TW_OK)
    raise_failure($1);
  if ($1 != TW_OK || callback_raised())
    SWIG_fail;
  $result = SWIG_Py_Void();
}
%typemap(out) const char * {
  $result = $1 ? PyUnicode_DecodeUTF8($1, (Py_ssize_t)strlen($1), "replace") : SWIG_Py_Void();
}
%typemap(out) const int64_t * "$result = SWIG_Py_Void();"
%typemap(out) void * {
  $result = $1 ? PyLong_FromVoidPtr($1) : SWIG_Py_Void();
}
%typemap(in) void *ADDRESS {
  $1 = PyLong_AsVoidPtr($input);
  if (PyErr_Occurred())
    SWIG_fail;
}

// ---- handles ----

%define TW_HANDLE(T)
%typemap(in) const T * (HandleUse use, void *pointer = nullptr) {
  if (!use.take($input, kind_##T, false, &pointer))
    SWIG_fail;
  $1 = static_cast<T *>(pointer);
}
%typemap(in) T * (HandleUse use, void *pointer = nullptr) {
  if (!use.take($input, kind_##T, true, &pointer))
    SWIG_fail;
  $1 = static_cast<T *>(pointer);
}
%typemap(in, numinputs=0) T **OUT_HANDLE (T *made = nullptr) "$1 = &made;"
%typemap(argout) T **OUT_HANDLE {
  $result = append($result, new_handle(kind_##T, *$1));
}
%typemap(in) (const T *const *HANDLES, size_t COUNT) (HandleList list) {
  if (!list.take($input, kind_##T))
    SWIG_fail;
  $1 = ($1_ltype)list.pointers.data();
  $2 = list.pointers.size();
}
%typemap(in) (T *const *HANDLES, size_t COUNT) (HandleList list) {
  if (!list.take($input, kind_##T))
    SWIG_fail;
  $1 = ($1_ltype)list.pointers.data();
  $2 = list.pointers.size();
}
%enddef

// ---- structs ----

%define TW_STRUCT(T)
%typemap(in) const T *OPTIONS (T storage, Keep keep) {
  $1 = &storage;
  if ($input == Py_None)
    $1 = nullptr;
  else if (!fill($input, struct_##T, &storage, keep))
    SWIG_fail;
}
%typemap(in) (const T *STRUCTS, size_t COUNT) (Keep keep, void *items = nullptr) {
  if (!fill_all($input, struct_##T, &items, &$2, keep))
    SWIG_fail;
  $1 = static_cast<T *>(items);
}
%typemap(in) const T *STRUCTS (Keep keep, void *items = nullptr, size_t count = 0) {
  if (!fill_all($input, struct_##T, &items, &count, keep))
    SWIG_fail;
  $1 = static_cast<T *>(items);
}
%typemap(in, numinputs=0) T *OUT_STRUCT (T storage) {
  prepare(struct_##T, &storage);
  $1 = &storage;
}
%typemap(argout) T *OUT_STRUCT {
  $result = append($result, read(struct_##T, $1));
}
%enddef

// ---- numbers ----

%define TW_INTEGER(T)
%typemap(in) T {
  if (!integer_of($input, "$1_name", &$1))
    SWIG_fail;
}
%enddef
TW_INTEGER(int)
TW_INTEGER(int32_t)
TW_INTEGER(uint32_t)
TW_INTEGER(int64_t)
TW_INTEGER(uint64_t)
TW_INTEGER(size_t)
%typemap(in) double {
  if (!number_of($input, "$1_name", &$1))
    SWIG_fail;
}

// ---- texts and bytes ----

%typemap(in) const char *STRING (const char *text = nullptr) {
  if (!text_of($input, &text))
    SWIG_fail;
  $1 = const_cast<char *>(text);
}
%typemap(freearg) const char *STRING ""
%typemap(in) (const char *BYTES, size_t COUNT) (Bytes bytes) {
  if (!bytes.take($input))
    SWIG_fail;
  $1 = const_cast<char *>(bytes.data);
  $2 = bytes.size;
}
%typemap(freearg) (const char *BYTES, size_t COUNT) ""
%typemap(in) (const void *BYTES, size_t COUNT) (Bytes bytes) {
  if (!bytes.take($input))
    SWIG_fail;
  $1 = const_cast<char *>(bytes.data);
  $2 = bytes.size;
}
%typemap(in) const void *BYTES (Bytes bytes) {
  if (!bytes.take($input))
    SWIG_fail;
  $1 = const_cast<char *>(bytes.data);
}
%typemap(in, numinputs=0) tw_blob_t **OUT_TEXT (tw_blob_t *made = nullptr) "$1 = &made;"
%typemap(argout) tw_blob_t **OUT_TEXT {
  $result = append($result, take_text(*$1));
}
%typemap(in, numinputs=0) tw_blob_t **OUT_BYTES (tw_blob_t *made = nullptr) "$1 = &made;"
%typemap(argout) tw_blob_t **OUT_BYTES {
  $result = append($result, take_bytes(*$1));
}

// ---- arrays ----

%typemap(in) (const int64_t *ARRAY, size_t COUNT) (std::vector<int64_t> values) {
  if (!ints_of($input, &values))
    SWIG_fail;
  $1 = values.data();
  $2 = values.size();
}
%typemap(in) const int64_t *ARRAY (std::vector<int64_t> values) {
  if (!ints_of($input, &values))
    SWIG_fail;
  $1 = values.data();
}
%typemap(in) (const tw_value_t *VALUES, size_t COUNT) (std::vector<uint32_t> values) {
  if (!numbers_of($input, &values))
    SWIG_fail;
  $1 = values.data();
  $2 = values.size();
}
%typemap(in) (const char *const *STRINGS, size_t COUNT) (std::vector<const char *> texts) {
  if (!strings_of($input, &texts))
    SWIG_fail;
  $1 = ($1_ltype) texts.data();
  $2 = texts.size();
}
// Two arrays that one integer counts are one argument, a pair.
%typemap(in) (const char *const *STRINGS, const int64_t *ARRAY, size_t COUNT)
    (std::vector<const char *> texts, std::vector<int64_t> values, PyObject *first = nullptr, PyObject *second = nullptr) {
  if (!pair_of($input, &first, &second) || !strings_of(first, &texts) || !ints_of(second, &values))
    SWIG_fail;
  if (texts.size() != values.size()) {
    PyErr_Format(PyExc_ValueError, "one has %zu elements, the other %zu", texts.size(), values.size());
    SWIG_fail;
  }
  $1 = ($1_ltype) texts.data();
  $2 = ($2_ltype) values.data();
  $3 = texts.size();
}
%typemap(in) (const char *const *STRINGS, const char *const *STRINGS, size_t COUNT)
    (std::vector<const char *> texts, std::vector<const char *> values, PyObject *first = nullptr, PyObject *second = nullptr) {
  if (!pair_of($input, &first, &second) || !strings_of(first, &texts) || !strings_of(second, &values))
    SWIG_fail;
  if (texts.size() != values.size()) {
    PyErr_Format(PyExc_ValueError, "one has %zu elements, the other %zu", texts.size(), values.size());
    SWIG_fail;
  }
  $1 = ($1_ltype) texts.data();
  $2 = ($2_ltype) values.data();
  $3 = texts.size();
}
%typemap(in) (const char *const *STRINGS, const tw_tensor_t *const *HANDLES, size_t COUNT)
    (std::vector<const char *> texts, HandleList list, PyObject *first = nullptr, PyObject *second = nullptr) {
  if (!pair_of($input, &first, &second) || !strings_of(first, &texts) || !list.take(second, kind_tw_tensor_t))
    SWIG_fail;
  if (texts.size() != list.pointers.size()) {
    PyErr_Format(PyExc_ValueError, "one has %zu elements, the other %zu", texts.size(), list.pointers.size());
    SWIG_fail;
  }
  $1 = ($1_ltype) texts.data();
  $2 = ($2_ltype) list.pointers.data();
  $3 = texts.size();
}
// An array that the call writes: its length comes in, its elements go out.
%define TW_OUT_ARRAY(T, EMPTY)
%typemap(in) T *OUT_ARRAY (std::vector<T> values) {
  const Py_ssize_t count = PyLong_AsSsize_t($input);
  if (count < 0) {
    if (!PyErr_Occurred())
      PyErr_SetString(PyExc_ValueError, "a length below 0");
    SWIG_fail;
  }
  values.assign((size_t)count + 1, EMPTY);
  $1 = values.data();
}
%typemap(argout) T *OUT_ARRAY {
  $result = append($result, list_of($1, values$argnum.size() - 1));
}
%enddef
TW_OUT_ARRAY(int32_t, 0)
TW_OUT_ARRAY(int64_t, 0)
TW_OUT_ARRAY(tw_value_t, TW_NO_VALUE)
%typemap(in) (tw_value_t *OUT_ARRAY, size_t COUNT) (std::vector<tw_value_t> values) {
  const Py_ssize_t count = PyLong_AsSsize_t($input);
  if (count < 0)
    SWIG_fail;
  values.assign((size_t)count, TW_NO_VALUE);
  $1 = values.data();
  $2 = values.size();
}
%typemap(argout) (tw_value_t *OUT_ARRAY, size_t COUNT) {
  $result = append($result, list_of($1, $2));
}
// An array of the caller that the call fills: whatever has a buffer of such elements.
%define TW_FILLED(T)
%typemap(in) (T *OUT_ARRAY, size_t COUNT) (Filled filled) {
  if (!filled.take($input, sizeof(T)))
    SWIG_fail;
  $1 = static_cast<T *>(filled.data);
  $2 = filled.count;
}
%typemap(argout) (T *OUT_ARRAY, size_t COUNT) ""
%enddef
TW_FILLED(uint8_t)
TW_FILLED(float)
TW_FILLED(int64_t)

// ---- single results ----

%define TW_OUT(T, MAKE)
%typemap(in, numinputs=0) T *OUT (T value = 0) "$1 = &value;"
%typemap(argout) T *OUT {
  $result = append($result, MAKE(*$1));
}
%enddef
TW_OUT(int, PyLong_FromLong)
TW_OUT(int32_t, PyLong_FromLong)
TW_OUT(int64_t, PyLong_FromLongLong)
TW_OUT(size_t, PyLong_FromSize_t)
TW_OUT(tw_value_t, PyLong_FromUnsignedLong)
TW_OUT(double, PyFloat_FromDouble)
%typemap(in) int64_t *IN_OUT (int64_t value) {
  value = PyLong_AsLongLong($input);
  if (PyErr_Occurred())
    SWIG_fail;
  $1 = &value;
}
%typemap(argout) int64_t *IN_OUT {
  $result = append($result, PyLong_FromLongLong(*$1));
}
// The shape that a call returns.
%typemap(in, numinputs=0) size_t *OUT_COUNT (size_t count = 0) "$1 = &count;"
%typemap(argout) size_t *OUT_COUNT {
  Py_DECREF($result);
  $result = tuple_of(result, *$1);
}

// ---- long calls ----

%define TW_LONG(FUNCTION)
%exception FUNCTION {
  result = watched([&]() -> tw_status_t {
    $action
    return result;
  });
}
%enddef
TW_LONG(tw_environment_create)
TW_LONG(tw_environment_json)
TW_LONG(tw_executable_create)
TW_LONG(tw_plan_apply)
TW_LONG(tw_plan_create)
TW_LONG(tw_plan_propagate)
TW_LONG(tw_program_conflicts)
TW_LONG(tw_program_disagreements)
TW_LONG(tw_program_estimate)
TW_LONG(tw_program_json)
TW_LONG(tw_program_lower)
TW_LONG(tw_program_report)
TW_LONG(tw_program_report_all)
TW_LONG(tw_program_unpartitioned)
TW_LONG(tw_redistribution_json)
TW_LONG(tw_redistribution_pareto)
TW_LONG(tw_redistribution_plan)
TW_LONG(tw_redistribution_report)
%exception tw_search_run {
  result = run_search(arg1);
}

%include "functions.i"

// ---- by hand ----

%native(register_class) PyObject *register_class(PyObject *, PyObject *);
%native(close_handle) PyObject *close_handle(PyObject *, PyObject *);
%native(set_error_maker) PyObject *set_error_maker(PyObject *, PyObject *);
%native(tensor_from_buffer) PyObject *tensor_from_buffer(PyObject *, PyObject *);
%native(tensor_bits) PyObject *tensor_bits(PyObject *, PyObject *);
%native(tensor_from_dlpack) PyObject *tensor_from_dlpack(PyObject *, PyObject *);
%native(tensor_to_dlpack) PyObject *tensor_to_dlpack(PyObject *, PyObject *);
%native(custom_calls_add) PyObject *custom_calls_add(PyObject *, PyObject *);
%native(plan_on_action) PyObject *plan_on_action(PyObject *, PyObject *);
%native(program_compare) PyObject *program_compare(PyObject *, PyObject *);
%native(graph_constant) PyObject *graph_constant(PyObject *, PyObject *);
%native(graph_retain) PyObject *graph_retain(PyObject *, PyObject *);
%native(redistributor_run) PyObject *redistributor_run(PyObject *, PyObject *);
%native(context_create) PyObject *context_create(PyObject *, PyObject *);
%native(set_progress) PyObject *set_progress(PyObject *, PyObject *);
%native(comm_create_mpi) PyObject *comm_create_mpi(PyObject *, PyObject *);
