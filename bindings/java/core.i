// SPDX-License-Identifier: Apache-2.0
// The class Core: every function of the headers, with the typemaps that functions.i names its parameters after. Functions throw
// TilewrightException where they answer a status; what they hand out is their result, but for single numbers and arrays, which go
// into arrays of the caller.
%module Core
%pragma(java) moduleclassmodifiers="final class"
%pragma(java) jniclassclassmodifiers="final class"
%pragma(java) jniclasscode=%{
  static {
    NativeLibrary.load();
  }
%}
%{
#include <tilewright/tw.h>
#include <tilewright/tw_cuda.h>
#include <tilewright/tw_debug.h>
#include <tilewright/tw_mpi.h>

#include "core/errors.hpp"
#include "core/handle.hpp"
#include "core/jvm.hpp"
#include "core/values.hpp"

using namespace tw::java;
%}
%include <stdint.i>

// ---- numbers: handles that are numbers are ints, with -1 for none ----

%apply int { uint32_t };
%apply long long { int64_t, uint64_t };

// ---- what calls return ----

%define TW_TYPES(T, JNI, JAVA)
%typemap(jni) T "JNI"
%typemap(jtype) T "JAVA"
%typemap(jstype) T "JAVA"
%typemap(javain) T "$javainput"
%typemap(javaout) T { return $jnicall; }
%enddef

TW_TYPES(tw_status_t, jint, int)
%typemap(out, throws="TilewrightException") tw_status_t {
  if ($1 != TW_OK || callback_threw(jenv)) {
    throw_failure(jenv, $1);
    return $null;
  }
}
%define TW_RETURNS_NOTHING(F)
TW_TYPES(tw_status_t F, void, void)
%typemap(javaout) tw_status_t F { $jnicall; }
%enddef
%define TW_RETURNS_HANDLE(F)
TW_TYPES(tw_status_t F, jlong, long)
%enddef
%define TW_RETURNS_TEXT(F)
TW_TYPES(tw_status_t F, jstring, String)
%enddef
%define TW_RETURNS_BYTES(F)
TW_TYPES(tw_status_t F, jbyteArray, byte[])
%enddef
%define TW_RETURNS_STRUCT(F)
TW_TYPES(tw_status_t F, jobjectArray, Object[])
%enddef
%typemap(out) const char * "$result = java_text(jenv, $1);"
TW_TYPES(void *, jlong, long)
%typemap(out) void * "$result = reinterpret_cast<jlong>($1);"
TW_TYPES(void *ADDRESS, jlong, long)
%typemap(in) void *ADDRESS "$1 = reinterpret_cast<void *>($input);"
TW_TYPES(const int64_t *, jlongArray, long[])
%typemap(out) const int64_t * ""

// ---- handles ----

%define TW_HANDLE(T)
TW_TYPES(const T *, jobject, TilewrightObject)
%typemap(in) const T * (HandleUse use, void *pointer = nullptr) {
  if (!use.take(jenv, $input, kind_##T, false, &pointer))
    return $null;
  $1 = static_cast<T *>(pointer);
}
TW_TYPES(T *, jobject, TilewrightObject)
%typemap(in) T * (HandleUse use, void *pointer = nullptr) {
  if (!use.take(jenv, $input, kind_##T, true, &pointer))
    return $null;
  $1 = static_cast<T *>(pointer);
}
%typemap(in, numinputs=0) T **OUT_HANDLE (T *made = nullptr) "$1 = &made;"
%typemap(argout) T **OUT_HANDLE {
  $result = new_handle(kind_##T, *$1);
}
TW_TYPES((const T *const *HANDLES, size_t COUNT), jobjectArray, TilewrightObject[])
%typemap(in) (const T *const *HANDLES, size_t COUNT) (HandleList list) {
  if (!list.take(jenv, $input, kind_##T))
    return $null;
  $1 = ($1_ltype)list.pointers.data();
  $2 = list.pointers.size();
}
TW_TYPES((T *const *HANDLES, size_t COUNT), jobjectArray, TilewrightObject[])
%typemap(in) (T *const *HANDLES, size_t COUNT) (HandleList list) {
  if (!list.take(jenv, $input, kind_##T))
    return $null;
  $1 = ($1_ltype)list.pointers.data();
  $2 = list.pointers.size();
}
%enddef

// ---- structs ----

%define TW_STRUCT(T)
TW_TYPES(const T *OPTIONS, jobjectArray, Object[])
%typemap(in) const T *OPTIONS (T storage, Keep keep) {
  if (!fill(jenv, $input, struct_##T, &storage, keep))
    return $null;
  $1 = &storage;
}
TW_TYPES((const T *STRUCTS, size_t COUNT), jobjectArray, Object[][])
%typemap(in) (const T *STRUCTS, size_t COUNT) (Keep keep, void *items = nullptr) {
  if (!fill_all(jenv, $input, struct_##T, &items, &$2, keep))
    return $null;
  $1 = static_cast<T *>(items);
}
TW_TYPES(const T *STRUCTS, jobjectArray, Object[][])
%typemap(in) const T *STRUCTS (Keep keep, void *items = nullptr, size_t count = 0) {
  if (!fill_all(jenv, $input, struct_##T, &items, &count, keep))
    return $null;
  $1 = static_cast<T *>(items);
}
%typemap(in, numinputs=0) T *OUT_STRUCT (T storage) {
  prepare(struct_##T, &storage);
  $1 = &storage;
}
%typemap(argout) T *OUT_STRUCT {
  $result = read(jenv, struct_##T, $1);
}
%enddef

// ---- texts and bytes ----

TW_TYPES(const char *STRING, jstring, String)
%typemap(in) const char *STRING (Text text) {
  if (!text.take(jenv, $input))
    return $null;
  $1 = const_cast<char *>(text.get());
}
%typemap(freearg) const char *STRING ""
%define TW_BYTES(T)
TW_TYPES((T *BYTES, size_t COUNT), jbyteArray, byte[])
%typemap(in) (T *BYTES, size_t COUNT) (Bytes bytes) {
  if (!bytes.take(jenv, $input))
    return $null;
  $1 = ($1_ltype)bytes.data;
  $2 = bytes.size;
}
%typemap(freearg) (T *BYTES, size_t COUNT) ""
TW_TYPES(T *BYTES, jbyteArray, byte[])
%typemap(in) T *BYTES (Bytes bytes) {
  if (!bytes.take(jenv, $input))
    return $null;
  $1 = ($1_ltype)bytes.data;
}
%enddef
TW_BYTES(const char)
TW_BYTES(const void)
%typemap(in, numinputs=0) tw_blob_t **OUT_TEXT (tw_blob_t *made = nullptr) "$1 = &made;"
%typemap(argout) tw_blob_t **OUT_TEXT "$result = take_text(jenv, *$1);"
%typemap(in, numinputs=0) tw_blob_t **OUT_BYTES (tw_blob_t *made = nullptr) "$1 = &made;"
%typemap(argout) tw_blob_t **OUT_BYTES "$result = take_bytes(jenv, *$1);"

// ---- arrays that calls read ----

TW_TYPES((const int64_t *ARRAY, size_t COUNT), jlongArray, long[])
%typemap(in) (const int64_t *ARRAY, size_t COUNT) (std::vector<int64_t> values) {
  if (!take_longs(jenv, $input, &values))
    return $null;
  $1 = values.data();
  $2 = values.size();
}
TW_TYPES(const int64_t *ARRAY, jlongArray, long[])
%typemap(in) const int64_t *ARRAY (std::vector<int64_t> values) {
  if (!take_longs(jenv, $input, &values))
    return $null;
  $1 = values.data();
}
TW_TYPES((const tw_value_t *VALUES, size_t COUNT), jintArray, int[])
%typemap(in) (const tw_value_t *VALUES, size_t COUNT) (std::vector<uint32_t> values) {
  if (!take_numbers(jenv, $input, &values))
    return $null;
  $1 = values.data();
  $2 = values.size();
}
TW_TYPES((const char *const *STRINGS, size_t COUNT), jobjectArray, Object[])
%typemap(in) (const char *const *STRINGS, size_t COUNT)
    (std::vector<std::string> storage, std::vector<const char *> texts) {
  if (!take_strings(jenv, $input, &storage, &texts))
    return $null;
  $1 = ($1_ltype)texts.data();
  $2 = texts.size();
}
// Two arrays that one integer counts are one argument, an array of both, whose lengths the caller has compared.
TW_TYPES((const char *const *STRINGS, const int64_t *ARRAY, size_t COUNT), jobjectArray, Object[])
%typemap(in) (const char *const *STRINGS, const int64_t *ARRAY, size_t COUNT)
    (std::vector<std::string> storage, std::vector<const char *> texts, std::vector<int64_t> values, jobject first, jobject second) {
  if (!take_pair(jenv, $input, &first, &second) || !take_strings(jenv, (jobjectArray)first, &storage, &texts) ||
      !take_longs(jenv, (jlongArray)second, &values))
    return $null;
  $1 = ($1_ltype)texts.data();
  $2 = values.data();
  $3 = texts.size();
}
TW_TYPES((const char *const *STRINGS, const char *const *STRINGS, size_t COUNT), jobjectArray, Object[])
%typemap(in) (const char *const *STRINGS, const char *const *STRINGS, size_t COUNT)
    (std::vector<std::string> storage, std::vector<std::string> more, std::vector<const char *> texts, std::vector<const char *> values,
     jobject first, jobject second) {
  if (!take_pair(jenv, $input, &first, &second) || !take_strings(jenv, (jobjectArray)first, &storage, &texts) ||
      !take_strings(jenv, (jobjectArray)second, &more, &values))
    return $null;
  $1 = ($1_ltype)texts.data();
  $2 = ($2_ltype)values.data();
  $3 = texts.size();
}

// ---- arrays that calls write: of the caller, as long as the call says ----

%define TW_WRITTEN(T, HOLDER, JNI, JAVA)
TW_TYPES(T, JNI, JAVA)
%typemap(in) T (HOLDER written) {
  if (!written.take(jenv, $input))
    return $null;
  $1 = ($1_ltype)written.data;
}
%enddef
TW_WRITTEN(int32_t *OUT_ARRAY, WrittenInts, jintArray, int[])
TW_WRITTEN(int64_t *OUT_ARRAY, WrittenLongs, jlongArray, long[])
TW_WRITTEN(tw_value_t *OUT_ARRAY, WrittenNumbers, jintArray, int[])
%define TW_FILLED(T, HOLDER, JNI, JAVA)
TW_TYPES((T *OUT_ARRAY, size_t COUNT), JNI, JAVA)
%typemap(in) (T *OUT_ARRAY, size_t COUNT) (HOLDER written) {
  if (!written.take(jenv, $input))
    return $null;
  $1 = ($1_ltype)written.data;
  $2 = written.size;
}
%enddef
TW_FILLED(tw_value_t, WrittenNumbers, jintArray, int[])
TW_FILLED(uint8_t, WrittenBytes, jbyteArray, byte[])
TW_FILLED(float, WrittenFloats, jfloatArray, float[])
TW_FILLED(int64_t, WrittenLongs, jlongArray, long[])
// Single results go into the first element.
TW_WRITTEN(int *OUT, WrittenInts, jintArray, int[])
TW_WRITTEN(int64_t *OUT, WrittenLongs, jlongArray, long[])
TW_WRITTEN(size_t *OUT, WrittenSizes, jlongArray, long[])
TW_WRITTEN(tw_value_t *OUT, WrittenNumbers, jintArray, int[])
TW_WRITTEN(double *OUT, WrittenDoubles, jdoubleArray, double[])
TW_WRITTEN(void *OUT, WrittenBytes, jbyteArray, byte[])
TW_WRITTEN(int64_t *IN_OUT, WrittenLongs, jlongArray, long[])
// The shape that a call returns.
%typemap(in, numinputs=0) size_t *OUT_COUNT (size_t count = 0) "$1 = &count;"
%typemap(argout) size_t *OUT_COUNT "$result = longs_of(jenv, result, *$1);"

%include "returns.i"
%include "functions.i"
