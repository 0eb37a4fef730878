// SPDX-License-Identifier: Apache-2.0
// The Java machine: its threads, and the classes and methods that the core uses.
#pragma once

#include <jni.h>

#include <string>

namespace tw::java {

// What the core calls in Java, looked up once.
struct Known {
  jclass object, number, long_class, double_class, string, upcalls;
  jfieldID address; // of a TilewrightObject
  jmethodID long_value, double_value, long_of, double_of;
  jmethodID utf8, text, failure, describe, status_of, log;       // of Upcalls
  jmethodID host_call, action_told, progress_asked, watched_run; // of callbacks
  jmethodID is_direct, is_read_only;                             // of buffers
};
extern Known known;

// The environment of this thread. A thread that the machine does not know is attached, until it ends. NULL
// with the library's last failure set: the machine takes no more threads.
JNIEnv *env_of_thread();

// A local reference that ends with its scope: threads of the library never give them back by themselves.
template <class T> class Local {
public:
  Local(JNIEnv *env, T object) : env_(env), object_(object) {}
  Local(const Local &) = delete;
  Local &operator=(const Local &) = delete;
  ~Local() {
    if (object_)
      env_->DeleteLocalRef(object_);
  }
  T get() const { return object_; }
  T take() {
    T object = object_;
    object_ = nullptr;
    return object;
  }
  explicit operator bool() const { return object_ != nullptr; }

private:
  JNIEnv *env_;
  T object_;
};

// Whether so many bytes fit into an array or buffer of Java. An exception where not.
bool fits(JNIEnv *env, size_t bytes);

// UTF-8 of a String, without NUL characters. False with an exception.
bool text_of(JNIEnv *env, jstring string, std::string *out);
// A String of UTF-8; NULL of NULL.
jstring java_text(JNIEnv *env, const char *text, size_t size);
jstring java_text(JNIEnv *env, const char *text);

} // namespace tw::java
