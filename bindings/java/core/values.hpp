// SPDX-License-Identifier: Apache-2.0
// Values of Java as C has them, and back. Options come as name, value, name, value, ..; structs go as the
// values of their fields, in the order that Fields.java tells.
#pragma once

#include <jni.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/tables.hpp"
#include "handle.hpp"
#include "jvm.hpp"

namespace tw::java {

using namespace tw::bindings;

#include "struct_names.inc"

using Keep = KeepFor<HandleUse>;

// Fills a struct; what it does not name stays zero. False with an exception.
bool fill(JNIEnv *env, jobjectArray pairs, const Struct &of, void *out, Keep &keep);
// An array of structs from an array of options.
bool fill_all(JNIEnv *env, jobjectArray items, const Struct &of, void **out, size_t *count, Keep &keep);
// The values of the fields. NULL with an exception.
jobjectArray read(JNIEnv *env, const Struct &of, const void *from);

jlongArray longs_of(JNIEnv *env, const int64_t *values, size_t count);
bool take_longs(JNIEnv *env, jlongArray array, std::vector<int64_t> *out);
bool take_numbers(JNIEnv *env, jintArray array, std::vector<uint32_t> *out);
bool take_strings(JNIEnv *env, jobjectArray array, std::vector<std::string> *storage,
                  std::vector<const char *> *out);
// The two items of an array of two.
bool take_pair(JNIEnv *env, jobjectArray pair, jobject *first, jobject *second);

// A String, or null, for the time of a call.
class Text {
public:
  bool take(JNIEnv *env, jstring string);
  const char *get() const { return given_ ? text_.c_str() : nullptr; }

private:
  bool given_ = false;
  std::string text_;
};

// The bytes of a byte[], for the time of a call.
class Bytes {
public:
  bool take(JNIEnv *env, jbyteArray array);
  void *data = nullptr;
  size_t size = 0;

private:
  std::vector<char> storage_;
};

// An array that the call writes: what it wrote is in the array of Java when this ends.
template <class T, class Array, class Element> class Written {
public:
  Written() = default;
  Written(const Written &) = delete;
  Written &operator=(const Written &) = delete;
  ~Written();
  // NULL for null.
  bool take(JNIEnv *env, Array array);
  T *data = nullptr;
  size_t size = 0;

private:
  JNIEnv *env_ = nullptr;
  Array array_ = nullptr;
  std::vector<T> values_;
};
using WrittenInts = Written<int32_t, jintArray, jint>;
using WrittenNumbers = Written<uint32_t, jintArray, jint>;
using WrittenLongs = Written<int64_t, jlongArray, jlong>;
using WrittenSizes = Written<size_t, jlongArray, jlong>;
using WrittenDoubles = Written<double, jdoubleArray, jdouble>;
using WrittenFloats = Written<float, jfloatArray, jfloat>;
using WrittenBytes = Written<char, jbyteArray, jbyte>;

// A byte[] with a copy.
jbyteArray java_bytes(JNIEnv *env, const void *data, size_t size);
// A text or bytes from a blob, which ends here.
jstring take_text(JNIEnv *env, tw_blob_t *blob);
jbyteArray take_bytes(JNIEnv *env, tw_blob_t *blob);

} // namespace tw::java
