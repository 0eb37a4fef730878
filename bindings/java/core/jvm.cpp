// SPDX-License-Identifier: Apache-2.0
// Looks up what the core uses when the library is loaded, and attaches threads.
#include "jvm.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include <tilewright/tw.h>

#include "errors.hpp"
#include "natives.hpp"

namespace tw::java {

Known known = {};

namespace {

JavaVM *machine = nullptr;

jclass class_named(JNIEnv *env, const char *name) {
  if (env->ExceptionCheck())
    return nullptr;
  const Local<jclass> found(env, env->FindClass(name));
  return found ? static_cast<jclass>(env->NewGlobalRef(found.get())) : nullptr;
}

jmethodID method_of(JNIEnv *env, jclass in, const char *name, const char *signature) {
  return in && !env->ExceptionCheck() ? env->GetMethodID(in, name, signature) : nullptr;
}

jmethodID static_method_of(JNIEnv *env, jclass in, const char *name, const char *signature) {
  return in && !env->ExceptionCheck() ? env->GetStaticMethodID(in, name, signature) : nullptr;
}

// The method of a class that is not kept.
jmethodID method_named(JNIEnv *env, const char *in, const char *name, const char *signature) {
  if (env->ExceptionCheck())
    return nullptr;
  const Local<jclass> found(env, env->FindClass(in));
  return method_of(env, found.get(), name, signature);
}

bool look_up(JNIEnv *env) {
  known.object = class_named(env, "java/lang/Object");
  known.number = class_named(env, "java/lang/Number");
  known.long_class = class_named(env, "java/lang/Long");
  known.double_class = class_named(env, "java/lang/Double");
  known.string = class_named(env, "java/lang/String");
  known.upcalls = class_named(env, "org/tilewright/Upcalls");
  known.long_value = method_of(env, known.number, "longValue", "()J");
  known.double_value = method_of(env, known.number, "doubleValue", "()D");
  known.long_of = static_method_of(env, known.long_class, "valueOf", "(J)Ljava/lang/Long;");
  known.double_of = static_method_of(env, known.double_class, "valueOf", "(D)Ljava/lang/Double;");
  known.utf8 = static_method_of(env, known.upcalls, "utf8", "(Ljava/lang/String;)[B");
  known.text = static_method_of(env, known.upcalls, "text", "([B)Ljava/lang/String;");
  known.describe =
      static_method_of(env, known.upcalls, "describe", "(Ljava/lang/Throwable;)Ljava/lang/String;");
  known.status_of = static_method_of(env, known.upcalls, "statusOf", "(Ljava/lang/Throwable;)I");
  known.failure =
      static_method_of(env, known.upcalls, "failure",
                       "(ILjava/lang/String;Ljava/lang/String;Ljava/lang/String;II[Ljava/lang/String;"
                       "Ljava/lang/Throwable;)Ljava/lang/Throwable;");
  known.log = static_method_of(env, known.upcalls, "log",
                               "(Ljava/lang/System$Logger;ILjava/lang/String;Ljava/lang/String;)V");
  known.host_call = method_named(env, "org/tilewright/CustomCalls$Host", "call",
                                 "(I[Ljava/lang/Object;[Ljava/nio/ByteBuffer;[Ljava/nio/ByteBuffer;)"
                                 "Ljava/lang/String;");
  known.action_told = method_named(env, "org/tilewright/Plan$ActionListener", "applied",
                                   "(Ljava/lang/String;Ljava/lang/String;I)V");
  known.progress_asked = method_named(env, "java/util/function/DoublePredicate", "test", "(D)Z");
  known.watched_run = method_named(env, "org/tilewright/Watched", "run", "()Ljava/lang/Object;");
  known.is_direct = method_named(env, "java/nio/ByteBuffer", "isDirect", "()Z");
  known.is_read_only = method_named(env, "java/nio/Buffer", "isReadOnly", "()Z");
  if (env->ExceptionCheck())
    return false;
  const Local<jclass> base(env, env->FindClass("org/tilewright/TilewrightObject"));
  known.address = base ? env->GetFieldID(base.get(), "address", "J") : nullptr;
  return known.address != nullptr;
}

// Detaches, when it ends, a thread that this attached.
struct Attachment {
  bool ours = false;
  ~Attachment() {
    if (ours)
      machine->DetachCurrentThread();
  }
};
thread_local Attachment attachment;

bool is_plain(const char *text, size_t size) {
  return std::all_of(text, text + size, [](char c) { return static_cast<signed char>(c) > 0; });
}

} // namespace

JNIEnv *env_of_thread() {
  void *env = nullptr;
  if (machine->GetEnv(&env, JNI_VERSION_10) == JNI_OK)
    return static_cast<JNIEnv *>(env);
  char name[] = "tilewright";
  JavaVMAttachArgs arguments = {JNI_VERSION_10, name, nullptr};
  // A daemon: the machine does not wait for it.
  if (machine->AttachCurrentThreadAsDaemon(&env, &arguments) != JNI_OK) {
    tw_error_set(TW_UNAVAILABLE,
                 "the Java machine takes no more threads, so that nothing can be called back");
    return nullptr;
  }
  attachment.ours = true;
  return static_cast<JNIEnv *>(env);
}

bool fits(JNIEnv *env, size_t bytes) {
  if (bytes <= static_cast<size_t>(std::numeric_limits<jsize>::max()))
    return true;
  throw_java(env, kIllegalArgument, "%zu bytes are more than an array or a buffer of Java can hold", bytes);
  return false;
}

bool text_of(JNIEnv *env, jstring string, std::string *out) {
  const jsize length = env->GetStringLength(string);
  // Where both lengths agree there is neither a NUL nor a character beyond ASCII.
  if (env->GetStringUTFLength(string) == length) {
    out->resize(static_cast<size_t>(length) + 1); // with the NUL that is written too
    env->GetStringUTFRegion(string, 0, length, out->data());
    out->resize(static_cast<size_t>(length));
    return !env->ExceptionCheck();
  }
  const Local<jbyteArray> bytes(
      env, static_cast<jbyteArray>(env->CallStaticObjectMethod(known.upcalls, known.utf8, string)));
  if (env->ExceptionCheck())
    return false;
  out->resize(static_cast<size_t>(env->GetArrayLength(bytes.get())));
  env->GetByteArrayRegion(bytes.get(), 0, static_cast<jsize>(out->size()),
                          reinterpret_cast<jbyte *>(out->data()));
  if (out->find('\0') == std::string::npos)
    return true;
  throw_java(env, kIllegalArgument, "the text holds a NUL character");
  return false;
}

jstring java_text(JNIEnv *env, const char *text, size_t size) {
  if (!text || !fits(env, size))
    return nullptr;
  if (is_plain(text, size) && text[size] == '\0')
    return env->NewStringUTF(text);
  const Local<jbyteArray> bytes(env, env->NewByteArray(static_cast<jsize>(size)));
  if (!bytes)
    return nullptr;
  env->SetByteArrayRegion(bytes.get(), 0, static_cast<jsize>(size), reinterpret_cast<const jbyte *>(text));
  auto *made = static_cast<jstring>(env->CallStaticObjectMethod(known.upcalls, known.text, bytes.get()));
  return env->ExceptionCheck() ? nullptr : made;
}

jstring java_text(JNIEnv *env, const char *text) {
  return java_text(env, text, text ? std::strlen(text) : 0);
}

} // namespace tw::java

extern "C" JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *) {
  tw::java::machine = vm;
  void *env = nullptr;
  if (vm->GetEnv(&env, JNI_VERSION_10) != JNI_OK)
    return JNI_ERR;
  auto *java = static_cast<JNIEnv *>(env);
  return tw::java::look_up(java) && tw::java::register_natives(java) ? JNI_VERSION_10 : JNI_ERR;
}
