// SPDX-License-Identifier: Apache-2.0
// Records that own one reference to an object of the library, one for each object of Java. Each remembers who
// uses it, so that closing it, or changing it from two threads, is an exception.
#pragma once

#include <jni.h>

#include <mutex>
#include <thread>
#include <vector>

#include <tilewright/tw.h>

namespace tw::java {

enum Kind : int {
#define TW_KIND(type, release, exclusive) kind_##type,
#include "kinds.inc"
#undef TW_KIND
  num_kinds
};

struct Handle {
  std::mutex mutex; // of what follows
  void *pointer;    // NULL once it is closed
  Kind kind;
  int uses = 0;           // calls under way that read it
  std::thread::id writer; // the thread that changes it, or none
  Handle(void *object, Kind of) : pointer(object), kind(of) {}
};

// The address of a new record, which takes over the reference.
jlong new_handle(Kind kind, void *pointer);
Handle *handle_of(JNIEnv *env, jobject object);

// Holds a record for the time of a call.
class HandleUse {
public:
  HandleUse() = default;
  HandleUse(HandleUse &&other) noexcept : handle_(other.handle_), writes_(other.writes_) {
    other.handle_ = nullptr;
  }
  HandleUse(const HandleUse &) = delete;
  HandleUse &operator=(const HandleUse &) = delete;
  ~HandleUse();

  // The object behind a TilewrightObject, or NULL for null. False with an exception: closed, in use.
  bool take(JNIEnv *env, jobject object, Kind kind, bool writes, void **out);

private:
  Handle *handle_ = nullptr;
  bool writes_ = false;
};

// The records of an array.
struct HandleList {
  std::vector<HandleUse> uses;
  std::vector<void *> pointers;
  bool take(JNIEnv *env, jobjectArray objects, Kind kind);
};

// Gives up the reference. An exception where the object is in use.
void close_handle(JNIEnv *env, jclass, jobject object);
jboolean is_closed(JNIEnv *env, jclass, jobject object);
// Ends a record, whose object nobody reaches any more.
void free_handle(JNIEnv *env, jclass, jlong address);

} // namespace tw::java
