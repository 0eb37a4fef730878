// SPDX-License-Identifier: Apache-2.0
// Failures of the library as exceptions, and exceptions of callbacks as failures of the library.
#pragma once

#include <jni.h>

#include <tilewright/tw.h>

namespace tw::java {

inline constexpr const char *kIllegalArgument = "java/lang/IllegalArgumentException";
inline constexpr const char *kIllegalState = "java/lang/IllegalStateException";
inline constexpr const char *kNullPointer = "java/lang/NullPointerException";

// Throws a TilewrightException of this thread's last failure. Its cause is what a callback threw.
void throw_failure(JNIEnv *env, tw_status_t status);

// Throws an exception of a class of Java.
void throw_java(JNIEnv *env, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));

// Takes the exception that a callback threw, and makes it a failure of the library, which the call that ends
// by it throws with the exception as its cause.
tw_status_t fail_with_exception(JNIEnv *env);

// Takes the exception of a callback that cannot answer a status.
void keep_exception(JNIEnv *env);
// Throws what such a callback threw during this thread's call. Whether there was one.
bool callback_threw(JNIEnv *env);

} // namespace tw::java
