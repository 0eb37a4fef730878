// SPDX-License-Identifier: Apache-2.0
// Tensors over buffers of Java, and buffers over memory of tensors: nothing here copies arrays.
#include <algorithm>
#include <vector>

#include <tilewright/tw.h>

#include "errors.hpp"
#include "handle.hpp"
#include "jvm.hpp"
#include "natives.hpp"
#include "values.hpp"

namespace tw::java {
namespace {

// Holds the buffer whose memory a tensor is.
void let_buffer_go(void *user) {
  if (JNIEnv *env = env_of_thread())
    env->DeleteGlobalRef(static_cast<jobject>(user));
}

// The memory of a direct buffer that begins at its first element, whatever its position; NULL with an
// exception.
void *memory_of(JNIEnv *env, jobject buffer) {
  if (!buffer) {
    throw_java(env, kNullPointer, "expected a direct ByteBuffer, not null");
    return nullptr;
  }
  const bool direct = env->CallBooleanMethod(buffer, known.is_direct);
  if (env->ExceptionCheck())
    return nullptr;
  if (!direct)
    throw_java(env, kIllegalArgument,
               "the buffer is on the heap, where it moves: ByteBuffer.allocateDirect makes one that stays");
  return direct ? env->GetDirectBufferAddress(buffer) : nullptr;
}

// Where an empty buffer may have no memory at all.
char nothing[64];

tw_tensor_t *tensor_of(JNIEnv *env, jobject object, HandleUse *use) {
  void *pointer = nullptr;
  if (!object)
    throw_java(env, kNullPointer, "expected a Tensor, not null");
  return object && use->take(env, object, kind_tw_tensor_t, false, &pointer)
             ? static_cast<tw_tensor_t *>(pointer)
             : nullptr;
}

// The memory of an array of buffers; NULL for null.
bool take_buffers(JNIEnv *env, jobjectArray buffers, bool writes, std::vector<void *> *out) {
  const jsize count = env->GetArrayLength(buffers);
  for (jsize i = 0; i < count; ++i) {
    const Local<jobject> buffer(env, env->GetObjectArrayElement(buffers, i));
    out->push_back(buffer ? memory_of(env, buffer.get()) : nullptr);
    if (env->ExceptionCheck())
      return false;
    const bool read_only = buffer && env->CallBooleanMethod(buffer.get(), known.is_read_only);
    if (env->ExceptionCheck())
      return false;
    if (writes && read_only) {
      throw_java(env, kIllegalArgument, "buffer %d is read-only: nothing can be written to it",
                 static_cast<int>(i));
      return false;
    }
  }
  return true;
}

} // namespace

jlong wrap_buffer(JNIEnv *env, jclass, jobject buffer, jint dtype, jlongArray shape) {
  std::vector<int64_t> dims;
  void *memory = memory_of(env, buffer);
  if (env->ExceptionCheck() || !take_longs(env, shape, &dims))
    return 0;
  if (!memory)
    memory = nothing; // of an empty buffer
  const size_t alignment = std::clamp<size_t>(tw_dtype_size(dtype), 1, 8);
  if (reinterpret_cast<uintptr_t>(memory) % alignment != 0) {
    throw_java(env, kIllegalArgument,
               "the memory of the buffer is not aligned to %zu bytes: ByteBuffer.alignedSlice aligns it",
               alignment);
    return 0;
  }
  const bool read_only = env->CallBooleanMethod(buffer, known.is_read_only);
  if (env->ExceptionCheck())
    return 0;
  jobject owner = env->NewGlobalRef(buffer);
  tw_tensor_t *tensor = nullptr;
  const tw_status_t status =
      read_only ? tw_tensor_wrap_const(dtype, dims.data(), dims.size(), memory, let_buffer_go, owner, &tensor)
                : tw_tensor_wrap(dtype, dims.data(), dims.size(), memory, let_buffer_go, owner, &tensor);
  if (status != TW_OK) {
    env->DeleteGlobalRef(owner);
    throw_failure(env, status);
    return 0;
  }
  return new_handle(kind_tw_tensor_t, tensor);
}

jobject tensor_window(JNIEnv *env, jclass, jobject object, jlong offset, jlong bytes) {
  HandleUse use;
  tw_tensor_t *tensor = tensor_of(env, object, &use);
  if (!tensor)
    return nullptr;
  const auto *data = static_cast<const char *>(tw_tensor_const_data(tensor));
  return env->NewDirectByteBuffer(const_cast<char *>(data ? data + offset : nothing), bytes);
}

jlong tensor_address(JNIEnv *env, jclass, jobject object) {
  HandleUse use;
  const tw_tensor_t *tensor = tensor_of(env, object, &use);
  return tensor ? reinterpret_cast<jlong>(tw_tensor_const_data(tensor)) : 0;
}

jboolean tensor_read_only(JNIEnv *env, jclass, jobject object) {
  HandleUse use;
  tw_tensor_t *tensor = tensor_of(env, object, &use);
  return tensor && !tw_tensor_data(tensor) && tw_tensor_bytes(tensor) > 0;
}

jlong retain_tensor(JNIEnv *env, jclass, jobject object) {
  HandleUse use;
  tw_tensor_t *tensor = tensor_of(env, object, &use);
  return tensor ? reinterpret_cast<jlong>(tw_tensor_retain(tensor)) : 0;
}

void release_tensor(JNIEnv *, jclass, jlong tensor) {
  tw_tensor_release(reinterpret_cast<tw_tensor_t *>(tensor));
}

jbyteArray graph_constant(JNIEnv *env, jclass, jobject graph, jint op, jbooleanArray out_is_splat) {
  HandleUse use;
  void *pointer = nullptr;
  if (!use.take(env, graph, kind_tw_graph_t, false, &pointer))
    return nullptr;
  const void *data = nullptr;
  size_t size = 0;
  int is_splat = 0;
  const tw_status_t status = tw_graph_constant(static_cast<tw_graph_t *>(pointer), static_cast<tw_op_t>(op),
                                               &data, &size, &is_splat);
  if (status != TW_OK) {
    throw_failure(env, status);
    return nullptr;
  }
  const jboolean splat = is_splat != 0;
  env->SetBooleanArrayRegion(out_is_splat, 0, 1, &splat);
  return java_bytes(env, data, size);
}

void redistributor_run(JNIEnv *env, jclass, jobject redistributor, jobjectArray sources,
                       jobjectArray targets) {
  HandleUse use;
  void *pointer = nullptr;
  std::vector<void *> from, to;
  if (!use.take(env, redistributor, kind_tw_redistributor_t, false, &pointer) ||
      !take_buffers(env, sources, false, &from) || !take_buffers(env, targets, true, &to))
    return;
  const tw_status_t status =
      tw_redistributor_run(static_cast<tw_redistributor_t *>(pointer), from.data(), to.data());
  if (status != TW_OK)
    throw_failure(env, status);
}

} // namespace tw::java
