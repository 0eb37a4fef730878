// SPDX-License-Identifier: Apache-2.0
// Converts numbers, texts, arrays and structs.
#include "values.hpp"

#include <cstring>
#include <iterator>

#include <tilewright/tw_cuda.h>
#include <tilewright/tw_mpi.h>

#include "errors.hpp"

namespace tw::java {

#include "structs.inc"

namespace {

// Arrays of numbers by their types.
void get_region(JNIEnv *env, jlongArray from, jsize count, void *to) {
  env->GetLongArrayRegion(from, 0, count, static_cast<jlong *>(to));
}
void get_region(JNIEnv *env, jintArray from, jsize count, void *to) {
  env->GetIntArrayRegion(from, 0, count, static_cast<jint *>(to));
}
void get_region(JNIEnv *env, jbyteArray from, jsize count, void *to) {
  env->GetByteArrayRegion(from, 0, count, static_cast<jbyte *>(to));
}
void get_region(JNIEnv *env, jdoubleArray from, jsize count, void *to) {
  env->GetDoubleArrayRegion(from, 0, count, static_cast<jdouble *>(to));
}
void get_region(JNIEnv *env, jfloatArray from, jsize count, void *to) {
  env->GetFloatArrayRegion(from, 0, count, static_cast<jfloat *>(to));
}
void set_region(JNIEnv *env, jlongArray to, jsize count, const void *from) {
  env->SetLongArrayRegion(to, 0, count, static_cast<const jlong *>(from));
}
void set_region(JNIEnv *env, jintArray to, jsize count, const void *from) {
  env->SetIntArrayRegion(to, 0, count, static_cast<const jint *>(from));
}
void set_region(JNIEnv *env, jbyteArray to, jsize count, const void *from) {
  env->SetByteArrayRegion(to, 0, count, static_cast<const jbyte *>(from));
}
void set_region(JNIEnv *env, jdoubleArray to, jsize count, const void *from) {
  env->SetDoubleArrayRegion(to, 0, count, static_cast<const jdouble *>(from));
}
void set_region(JNIEnv *env, jfloatArray to, jsize count, const void *from) {
  env->SetFloatArrayRegion(to, 0, count, static_cast<const jfloat *>(from));
}

bool is_given(JNIEnv *env, jobject object, const char *what) {
  if (!object)
    throw_java(env, kNullPointer, "expected %s, not null", what);
  return object != nullptr;
}

template <class T> bool fill_integer(JNIEnv *env, jobject value, T *out) {
  const jlong number = env->CallLongMethod(value, known.long_value);
  *out = static_cast<T>(number);
  return !env->ExceptionCheck();
}

bool fill_text(JNIEnv *env, jstring value, const char **out, Keep &keep) {
  Text text;
  if (!text.take(env, value))
    return false;
  const size_t size = std::strlen(text.get()) + 1;
  char *copy = keep.array<char>(size);
  std::memcpy(copy, text.get(), size);
  *out = copy;
  return true;
}

bool fill_strings(JNIEnv *env, jobjectArray value, const Field &field, void *out, Keep &keep) {
  const jsize count = env->GetArrayLength(value);
  const char **texts = keep.array<const char *>(static_cast<size_t>(count));
  for (jsize i = 0; i < count; ++i) {
    const Local<jobject> text(env, env->GetObjectArrayElement(value, i));
    if (!is_given(env, text.get(), "a String") ||
        !fill_text(env, static_cast<jstring>(text.get()), &texts[i], keep))
      return false;
  }
  slot_at<const char *const *>(out, field.at) = texts;
  set_count(out, field, static_cast<size_t>(count));
  return true;
}

// `value` is not null.
bool fill_field(JNIEnv *env, jobject value, const Field &field, void *out, Keep &keep) {
  switch (field.slot) {
  case Slot::i32: return fill_integer(env, value, &slot_at<int32_t>(out, field.at));
  case Slot::u32: return fill_integer(env, value, &slot_at<uint32_t>(out, field.at));
  case Slot::i64: return fill_integer(env, value, &slot_at<int64_t>(out, field.at));
  case Slot::u64: return fill_integer(env, value, &slot_at<uint64_t>(out, field.at));
  case Slot::f64:
    slot_at<double>(out, field.at) = env->CallDoubleMethod(value, known.double_value);
    return !env->ExceptionCheck();
  case Slot::string:
    return fill_text(env, static_cast<jstring>(value), &slot_at<const char *>(out, field.at), keep);
  case Slot::strings: return fill_strings(env, static_cast<jobjectArray>(value), field, out, keep);
  case Slot::ints: {
    std::vector<int64_t> values;
    if (!take_longs(env, static_cast<jlongArray>(value), &values))
      return false;
    slot_at<const int64_t *>(out, field.at) = keep.copy(values);
    set_count(out, field, values.size());
    return true;
  }
  case Slot::numbers: {
    std::vector<uint32_t> values;
    if (!take_numbers(env, static_cast<jintArray>(value), &values))
      return false;
    slot_at<const uint32_t *>(out, field.at) = keep.copy(values);
    set_count(out, field, values.size());
    return true;
  }
  case Slot::structs: {
    size_t count = 0;
    if (!fill_all(env, static_cast<jobjectArray>(value), *field.of, &slot_at<void *>(out, field.at), &count,
                  keep))
      return false;
    set_count(out, field, count);
    return true;
  }
  case Slot::inner:
    return fill(env, static_cast<jobjectArray>(value), *field.of, &slot_at<char>(out, field.at), keep);
  case Slot::struct_pointer: {
    char *item = keep.array<char>(field.of->bytes);
    slot_at<const char *>(out, field.at) = item;
    return fill(env, static_cast<jobjectArray>(value), *field.of, item, keep);
  }
  case Slot::handle: // options that name an object only read it
    return keep.use().take(env, value, static_cast<Kind>(field.kind), false, &slot_at<void *>(out, field.at));
  case Slot::struct_pointers:
  case Slot::progress: break;
  }
  throw_java(env, kIllegalArgument, "%s cannot be given", field.name);
  return false;
}

jobject boxed(JNIEnv *env, int64_t value) {
  return env->CallStaticObjectMethod(known.long_class, known.long_of, static_cast<jlong>(value));
}

jobjectArray read_structs(JNIEnv *env, const Field &field, const void *from) {
  const size_t count = count_of(from, field);
  jobjectArray array = env->NewObjectArray(static_cast<jsize>(count), known.object, nullptr);
  for (size_t i = 0; array && i < count; ++i) {
    const Local<jobjectArray> item(env, read(env, *field.of, struct_at(from, field, i)));
    if (!item)
      return nullptr;
    env->SetObjectArrayElement(array, static_cast<jsize>(i), item.get());
  }
  return array;
}

jintArray numbers_of(JNIEnv *env, const uint32_t *values, size_t count) {
  jintArray array = env->NewIntArray(static_cast<jsize>(count));
  if (array && count)
    env->SetIntArrayRegion(array, 0, static_cast<jsize>(count), reinterpret_cast<const jint *>(values));
  return array;
}

jobject read_field(JNIEnv *env, const Field &field, const void *from) {
  switch (field.slot) {
  case Slot::i32: return boxed(env, slot_at<int32_t>(from, field.at));
  case Slot::u32: // -1 for none, as in Constants.java
    return boxed(env, static_cast<int32_t>(slot_at<uint32_t>(from, field.at)));
  case Slot::i64: return boxed(env, slot_at<int64_t>(from, field.at));
  case Slot::u64: return boxed(env, static_cast<int64_t>(slot_at<uint64_t>(from, field.at)));
  case Slot::f64:
    return env->CallStaticObjectMethod(known.double_class, known.double_of, slot_at<double>(from, field.at));
  case Slot::string: return java_text(env, slot_at<const char *>(from, field.at));
  case Slot::ints: return longs_of(env, slot_at<const int64_t *>(from, field.at), count_of(from, field));
  case Slot::numbers:
    return numbers_of(env, slot_at<const uint32_t *>(from, field.at), count_of(from, field));
  case Slot::structs:
  case Slot::struct_pointers: return read_structs(env, field, from);
  case Slot::inner: return read(env, *field.of, &slot_at<char>(from, field.at));
  case Slot::strings:
  case Slot::struct_pointer:
  case Slot::handle:
  case Slot::progress: break; // never asked for
  }
  return nullptr;
}

} // namespace

bool fill(JNIEnv *env, jobjectArray pairs, const Struct &of, void *out, Keep &keep) {
  prepare(of, out);
  if (!is_given(env, pairs, "options"))
    return false;
  const jsize count = env->GetArrayLength(pairs);
  for (jsize i = 0; i + 1 < count; i += 2) {
    const Local<jobject> key(env, env->GetObjectArrayElement(pairs, i));
    const Local<jobject> value(env, env->GetObjectArrayElement(pairs, i + 1));
    std::string name;
    if (!text_of(env, static_cast<jstring>(key.get()), &name))
      return false;
    const Field *found = nullptr;
    for (size_t f = 0; f < of.num_fields; ++f)
      if (name == of.fields[f].name)
        found = &of.fields[f];
    if (!found) {
      throw_java(env, kIllegalArgument, "there is no option %s", name.c_str());
      return false;
    }
    if (value && !fill_field(env, value.get(), *found, out, keep))
      return false;
  }
  return true;
}

bool fill_all(JNIEnv *env, jobjectArray items, const Struct &of, void **out, size_t *count, Keep &keep) {
  if (!is_given(env, items, "an array"))
    return false;
  *count = static_cast<size_t>(env->GetArrayLength(items));
  char *structs = keep.array<char>(*count * of.bytes);
  *out = structs;
  for (size_t i = 0; i < *count; ++i) {
    const Local<jobject> item(env, env->GetObjectArrayElement(items, static_cast<jsize>(i)));
    if (!fill(env, static_cast<jobjectArray>(item.get()), of, structs + i * of.bytes, keep))
      return false;
  }
  return true;
}

jobjectArray read(JNIEnv *env, const Struct &of, const void *from) {
  Local<jobjectArray> values(env,
                             env->NewObjectArray(static_cast<jsize>(of.num_fields), known.object, nullptr));
  for (size_t i = 0; values && i < of.num_fields; ++i) {
    const Local<jobject> value(env, read_field(env, of.fields[i], from));
    if (env->ExceptionCheck())
      return nullptr;
    env->SetObjectArrayElement(values.get(), static_cast<jsize>(i), value.get());
  }
  return values.take();
}

jlongArray longs_of(JNIEnv *env, const int64_t *values, size_t count) {
  jlongArray array = env->NewLongArray(static_cast<jsize>(values ? count : 0));
  if (array && values && count)
    env->SetLongArrayRegion(array, 0, static_cast<jsize>(count), values);
  return array;
}

bool take_longs(JNIEnv *env, jlongArray array, std::vector<int64_t> *out) {
  if (!is_given(env, array, "a long[]"))
    return false;
  out->resize(static_cast<size_t>(env->GetArrayLength(array)));
  get_region(env, array, static_cast<jsize>(out->size()), out->data());
  return !env->ExceptionCheck();
}

bool take_numbers(JNIEnv *env, jintArray array, std::vector<uint32_t> *out) {
  if (!is_given(env, array, "an int[]"))
    return false;
  out->resize(static_cast<size_t>(env->GetArrayLength(array)));
  get_region(env, array, static_cast<jsize>(out->size()), out->data());
  return !env->ExceptionCheck();
}

bool take_strings(JNIEnv *env, jobjectArray array, std::vector<std::string> *storage,
                  std::vector<const char *> *out) {
  if (!is_given(env, array, "a String[]"))
    return false;
  storage->resize(static_cast<size_t>(env->GetArrayLength(array)));
  for (size_t i = 0; i < storage->size(); ++i) {
    const Local<jobject> text(env, env->GetObjectArrayElement(array, static_cast<jsize>(i)));
    if (!is_given(env, text.get(), "a String") ||
        !text_of(env, static_cast<jstring>(text.get()), &(*storage)[i]))
      return false;
    out->push_back((*storage)[i].c_str());
  }
  return true;
}

bool take_pair(JNIEnv *env, jobjectArray pair, jobject *first, jobject *second) {
  if (!is_given(env, pair, "a pair"))
    return false;
  if (env->GetArrayLength(pair) != 2) {
    throw_java(env, kIllegalArgument, "expected a pair, not %d objects", env->GetArrayLength(pair));
    return false;
  }
  *first = env->GetObjectArrayElement(pair, 0);
  *second = env->GetObjectArrayElement(pair, 1);
  return !env->ExceptionCheck();
}

bool Text::take(JNIEnv *env, jstring string) {
  given_ = string != nullptr;
  return !given_ || text_of(env, string, &text_);
}

bool Bytes::take(JNIEnv *env, jbyteArray array) {
  if (!is_given(env, array, "a byte[]"))
    return false;
  size = static_cast<size_t>(env->GetArrayLength(array));
  storage_.resize(size + 1);
  get_region(env, array, static_cast<jsize>(size), storage_.data());
  data = storage_.data();
  return !env->ExceptionCheck();
}

template <class T, class Array, class Element>
bool Written<T, Array, Element>::take(JNIEnv *env, Array array) {
  static_assert(sizeof(T) == sizeof(Element));
  if (!array)
    return true;
  env_ = env;
  array_ = array;
  size = static_cast<size_t>(env->GetArrayLength(array));
  values_.resize(size + 1);
  get_region(env, array, static_cast<jsize>(size), values_.data());
  data = values_.data();
  return !env->ExceptionCheck();
}

template <class T, class Array, class Element> Written<T, Array, Element>::~Written() {
  if (array_ && !env_->ExceptionCheck())
    set_region(env_, array_, static_cast<jsize>(size), values_.data());
}

template class Written<int32_t, jintArray, jint>;
template class Written<uint32_t, jintArray, jint>;
template class Written<int64_t, jlongArray, jlong>;
template class Written<size_t, jlongArray, jlong>;
template class Written<double, jdoubleArray, jdouble>;
template class Written<float, jfloatArray, jfloat>;
template class Written<char, jbyteArray, jbyte>;

jbyteArray java_bytes(JNIEnv *env, const void *data, size_t size) {
  jbyteArray bytes = fits(env, size) ? env->NewByteArray(static_cast<jsize>(size)) : nullptr;
  if (bytes)
    env->SetByteArrayRegion(bytes, 0, static_cast<jsize>(size), static_cast<const jbyte *>(data));
  return bytes;
}

jstring take_text(JNIEnv *env, tw_blob_t *blob) {
  jstring text = java_text(env, tw_blob_data(blob), tw_blob_size(blob));
  tw_blob_release(blob);
  return text;
}

jbyteArray take_bytes(JNIEnv *env, tw_blob_t *blob) {
  jbyteArray bytes = java_bytes(env, tw_blob_data(blob), tw_blob_size(blob));
  tw_blob_release(blob);
  return bytes;
}

} // namespace tw::java
