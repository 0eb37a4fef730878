// SPDX-License-Identifier: Apache-2.0
// The methods of org.tilewright.Native: memory, callbacks, and the ends of objects.
#pragma once

#include <jni.h>

namespace tw::java {

bool register_natives(JNIEnv *env);

// Buffers.
jlong wrap_buffer(JNIEnv *env, jclass, jobject buffer, jint dtype, jlongArray shape);
jobject tensor_window(JNIEnv *env, jclass, jobject tensor, jlong offset, jlong bytes);
jlong tensor_address(JNIEnv *env, jclass, jobject tensor);
jboolean tensor_read_only(JNIEnv *env, jclass, jobject tensor);
jlong retain_tensor(JNIEnv *env, jclass, jobject tensor);
void release_tensor(JNIEnv *env, jclass, jlong tensor);
jbyteArray graph_constant(JNIEnv *env, jclass, jobject graph, jint op, jbooleanArray out_is_splat);
void redistributor_run(JNIEnv *env, jclass, jobject redistributor, jobjectArray sources,
                       jobjectArray targets);

// Calls in which the library calls Java.
void custom_calls_add(JNIEnv *env, jclass, jobject calls, jstring target, jstring rule, jobject host,
                      jint which);
void plan_on_action(JNIEnv *env, jclass, jobject plan, jobject listener);
jobject watch_calls(JNIEnv *env, jclass, jobject body, jobject progress, jdouble interval);
jlong context_create(JNIEnv *env, jclass, jint workers, jobject logger);
jobjectArray program_compare(JNIEnv *env, jclass, jobject program, jobjectArray tensors, jobjectArray options,
                             jobject progress);

// Processes.
jlong comm_create_mpi(JNIEnv *env, jclass, jobjectArray options);

} // namespace tw::java
