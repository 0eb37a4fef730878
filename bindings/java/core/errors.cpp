// SPDX-License-Identifier: Apache-2.0
// How errors cross between the library and Java, in both directions.
#include "errors.hpp"

#include <cstdarg>
#include <cstdio>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "jvm.hpp"

namespace tw::java {
namespace {

// Exceptions of callbacks whose failure is on its way through the library, with the text it goes by.
// Callbacks of a run are called by any thread, so they are found by that text. The exceptions are global
// references.
struct Travelling {
  std::string text;
  jthrowable exception;
};
std::mutex travelling_mutex;
std::vector<Travelling> travelling;
constexpr size_t kMostTravelling = 16;

thread_local jthrowable kept = nullptr;

// The pending exception as a global reference; none is pending afterwards.
jthrowable take_exception(JNIEnv *env) {
  const Local<jthrowable> local(env, env->ExceptionOccurred());
  env->ExceptionClear();
  return static_cast<jthrowable>(env->NewGlobalRef(local.get()));
}

std::string described(JNIEnv *env, jthrowable exception) {
  const Local<jstring> text(
      env, static_cast<jstring>(env->CallStaticObjectMethod(known.upcalls, known.describe, exception)));
  std::string out;
  if (env->ExceptionCheck() || !text || !text_of(env, text.get(), &out) || out.empty())
    out = "an exception of Java";
  env->ExceptionClear();
  return out;
}

// The exception that the failure of this text began with, or NULL.
jthrowable cause_of(const std::string &text) {
  const std::lock_guard lock(travelling_mutex);
  for (size_t i = travelling.size(); i-- > 0;)
    if (text.find(travelling[i].text) != std::string::npos) {
      jthrowable exception = travelling[i].exception;
      travelling.erase(travelling.begin() + static_cast<std::ptrdiff_t>(i));
      return exception;
    }
  return nullptr;
}

jobjectArray notes_of(JNIEnv *env, const tw_error_t *error, std::string *all) {
  const size_t count = error ? tw_error_num_notes(error) : 0;
  jobjectArray notes = env->NewObjectArray(static_cast<jsize>(count), known.string, nullptr);
  for (size_t i = 0; notes && i < count; ++i) {
    *all += std::string("\n") + tw_error_note(error, i);
    const Local<jstring> note(env, java_text(env, tw_error_note(error, i)));
    env->SetObjectArrayElement(notes, static_cast<jsize>(i), note.get());
  }
  return notes;
}

} // namespace

void throw_failure(JNIEnv *env, tw_status_t status) {
  if (env->ExceptionCheck() || callback_threw(env))
    return;
  tw_error_t *error = nullptr;
  tw_error_take(&error);
  const char *text = error ? tw_error_text(error) : tw_status_name(status);
  std::string all = text;
  {
    const Local<jobjectArray> notes(env, notes_of(env, error, &all));
    const Local<jstring> java(env, java_text(env, text));
    const Local<jstring> id(env, java_text(env, error ? tw_error_id(error) : ""));
    const Local<jstring> file(env, java_text(env, error ? tw_error_file(error) : ""));
    jthrowable cause = cause_of(all);
    const Local<jthrowable> made(
        env, static_cast<jthrowable>(env->CallStaticObjectMethod(
                 known.upcalls, known.failure, static_cast<jint>(status), java.get(), id.get(), file.get(),
                 static_cast<jint>(error ? tw_error_line(error) : 0),
                 static_cast<jint>(error ? tw_error_column(error) : 0), notes.get(), cause)));
    if (!env->ExceptionCheck())
      env->Throw(made.get());
    if (cause)
      env->DeleteGlobalRef(cause);
  }
  tw_error_release(error);
}

void throw_java(JNIEnv *env, const char *name, const char *format, ...) {
  char text[400];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  const Local<jclass> found(env, env->FindClass(name));
  if (found)
    env->ThrowNew(found.get(), text);
}

tw_status_t fail_with_exception(JNIEnv *env) {
  jthrowable exception = take_exception(env);
  const jint status = env->CallStaticIntMethod(known.upcalls, known.status_of, exception);
  if (env->ExceptionCheck())
    env->ExceptionClear();
  const std::string text = described(env, exception);
  {
    const std::lock_guard lock(travelling_mutex);
    if (travelling.size() == kMostTravelling) {
      env->DeleteGlobalRef(travelling.front().exception);
      travelling.erase(travelling.begin());
    }
    travelling.push_back({text, exception});
  }
  return tw_error_set(status, text.c_str());
}

void keep_exception(JNIEnv *env) {
  jthrowable exception = take_exception(env);
  if (kept)
    env->DeleteGlobalRef(exception); // the first one is what the call ends by
  else
    kept = exception;
}

bool callback_threw(JNIEnv *env) {
  if (!kept)
    return false;
  jthrowable exception = std::exchange(kept, nullptr);
  env->Throw(exception);
  env->DeleteGlobalRef(exception);
  return true;
}

} // namespace tw::java
