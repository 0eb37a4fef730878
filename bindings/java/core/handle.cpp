// SPDX-License-Identifier: Apache-2.0
// Use and end of the records behind objects of Java.
#include "handle.hpp"

#include <string>
#include <utility>

#include "errors.hpp"
#include "jvm.hpp"

namespace tw::java {
namespace {

struct KindInfo {
  const char *name;
  void (*release)(void *);
  bool exclusive; // one thread at a time builds it
};

const KindInfo kinds[] = {
#define TW_KIND(type, release, exclusive)                                                                    \
  {#type, [](void *pointer) { release(static_cast<type *>(pointer)); }, exclusive},
#include "kinds.inc"
#undef TW_KIND
};

// What users call it: tw_custom_calls_t is a CustomCalls.
std::string kind_name(Kind kind) {
  const std::string name = kinds[kind].name;
  std::string out;
  bool begins = true;
  for (const char c : name.substr(3, name.size() - 5)) {
    if (c != '_')
      out += begins ? static_cast<char>(c - 'a' + 'A') : c;
    begins = c == '_';
  }
  return out;
}

} // namespace

jlong new_handle(Kind kind, void *pointer) { return reinterpret_cast<jlong>(new Handle(pointer, kind)); }

Handle *handle_of(JNIEnv *env, jobject object) {
  return reinterpret_cast<Handle *>(env->GetLongField(object, known.address));
}

bool HandleUse::take(JNIEnv *env, jobject object, Kind kind, bool writes, void **out) {
  *out = nullptr;
  if (!object)
    return true;
  Handle *handle = handle_of(env, object);
  const std::lock_guard lock(handle->mutex);
  const auto name = [kind] { return kind_name(kind); };
  if (handle->kind != kind) {
    throw_java(env, kIllegalArgument, "expected a %s, not a %s", name().c_str(),
               kind_name(handle->kind).c_str());
    return false;
  }
  if (!handle->pointer) {
    throw_java(env, kIllegalState, "the %s is closed", name().c_str());
    return false;
  }
  const std::thread::id nobody, thread = std::this_thread::get_id();
  writes = writes && kinds[kind].exclusive;
  if (writes && (handle->uses > 0 || handle->writer != nobody)) {
    throw_java(env, kIllegalState,
               "the %s is in use: one thread at a time changes it, and callbacks only read it",
               name().c_str());
    return false;
  }
  if (!writes && handle->writer != nobody && handle->writer != thread) {
    throw_java(env, kIllegalState, "the %s is being changed by another thread", name().c_str());
    return false;
  }
  if (writes)
    handle->writer = thread;
  else
    ++handle->uses;
  handle_ = handle;
  writes_ = writes;
  *out = handle->pointer;
  return true;
}

HandleUse::~HandleUse() {
  if (!handle_)
    return;
  const std::lock_guard lock(handle_->mutex);
  if (writes_)
    handle_->writer = {};
  else
    --handle_->uses;
}

bool HandleList::take(JNIEnv *env, jobjectArray objects, Kind kind) {
  if (!objects) {
    throw_java(env, kNullPointer, "expected an array of %s objects", kind_name(kind).c_str());
    return false;
  }
  const jsize count = env->GetArrayLength(objects);
  uses.reserve(static_cast<size_t>(count));
  pointers.reserve(static_cast<size_t>(count));
  for (jsize i = 0; i < count; ++i) {
    const Local<jobject> object(env, env->GetObjectArrayElement(objects, i));
    void *pointer = nullptr;
    if (!object) {
      throw_java(env, kNullPointer, "element %d of the array of %s objects is null", static_cast<int>(i),
                 kind_name(kind).c_str());
      return false;
    }
    if (!uses.emplace_back().take(env, object.get(), kind, false, &pointer))
      return false;
    pointers.push_back(pointer);
  }
  return true;
}

void close_handle(JNIEnv *env, jclass, jobject object) {
  Handle *handle = handle_of(env, object);
  void *pointer = nullptr;
  {
    const std::lock_guard lock(handle->mutex);
    if (handle->uses > 0 || handle->writer != std::thread::id()) {
      throw_java(env, kIllegalState, "the %s is in use: a call is under way",
                 kind_name(handle->kind).c_str());
      return;
    }
    pointer = std::exchange(handle->pointer, nullptr);
  }
  if (pointer)
    kinds[handle->kind].release(pointer);
}

jboolean is_closed(JNIEnv *env, jclass, jobject object) {
  Handle *handle = handle_of(env, object);
  const std::lock_guard lock(handle->mutex);
  return handle->pointer == nullptr;
}

void free_handle(JNIEnv *, jclass, jlong address) {
  auto *handle = reinterpret_cast<Handle *>(address);
  if (handle->pointer)
    kinds[handle->kind].release(handle->pointer);
  delete handle;
}

} // namespace tw::java
