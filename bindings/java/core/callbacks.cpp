// SPDX-License-Identifier: Apache-2.0
// Kernels, rules, checks, actions and progress: objects of Java as callbacks of the library, in any thread.
#include <iterator>
#include <vector>

#include <tilewright/tw.h>

#include "errors.hpp"
#include "handle.hpp"
#include "jvm.hpp"
#include "natives.hpp"
#include "values.hpp"

namespace tw::java {
namespace {

// Where an empty tile has no memory.
char empty_tile[1];

// What CustomCalls.Host is asked.
enum What : jint { kCheck = 0, kKernel = 1, kRule = 2 };

// Ends a global reference.
void drop_reference(void *user) {
  if (JNIEnv *env = env_of_thread())
    env->DeleteGlobalRef(static_cast<jobject>(user));
}

// The memory of tiles as buffers, which only the class Tile sees; null where no elements are looked at.
jobjectArray memories_of(JNIEnv *env, jclass buffer_class, const tw_tile_t *const *tiles, size_t count) {
  Local<jobjectArray> buffers(env, env->NewObjectArray(static_cast<jsize>(count), buffer_class, nullptr));
  for (size_t i = 0; buffers && i < count; ++i) {
    const tw_tile_t &tile = *tiles[i];
    size_t bytes = tw_dtype_size(tile.dtype);
    for (size_t d = 0; d < tile.ndims; ++d)
      bytes *= static_cast<size_t>(tile.extent[d]);
    if (!tile.data && bytes > 0)
      continue;
    void *data = tile.data ? tile.data : empty_tile;
    const Local<jobject> buffer(
        env, fits(env, bytes) ? env->NewDirectByteBuffer(data, static_cast<jlong>(bytes)) : nullptr);
    if (!buffer)
      return nullptr;
    env->SetObjectArrayElement(buffers.get(), static_cast<jsize>(i), buffer.get());
  }
  return buffers.take();
}

// Asks the host about a call. `answer`, if wanted, gets what it returned.
tw_status_t ask_host(void *user, What what, const tw_call_t *call, std::string *answer) {
  JNIEnv *env = env_of_thread();
  if (!env)
    return TW_UNAVAILABLE; // the last failure says why
  const Local<jclass> buffer_class(env, env->FindClass("java/nio/ByteBuffer"));
  const Local<jobjectArray> fields(env, buffer_class ? read(env, struct_tw_call_t, call) : nullptr);
  const Local<jobjectArray> operands(
      env, fields ? memories_of(env, buffer_class.get(), call->operands, call->num_operands) : nullptr);
  const Local<jobjectArray> results(
      env, operands ? memories_of(env, buffer_class.get(), call->results, call->num_results) : nullptr);
  if (!results)
    return fail_with_exception(env);
  const Local<jstring> text(env, static_cast<jstring>(env->CallObjectMethod(
                                     static_cast<jobject>(user), known.host_call, static_cast<jint>(what),
                                     fields.get(), operands.get(), results.get())));
  if (env->ExceptionCheck())
    return fail_with_exception(env);
  if (answer && (!text || !text_of(env, text.get(), answer))) {
    if (!text)
      throw_java(env, kNullPointer, "the rule of a custom call is null");
    return fail_with_exception(env);
  }
  return TW_OK;
}

tw_status_t check_call(const tw_call_t *call, void *user) { return ask_host(user, kCheck, call, nullptr); }
tw_status_t run_kernel(const tw_call_t *call, void *user) { return ask_host(user, kKernel, call, nullptr); }
tw_status_t ask_rule(const tw_call_t *call, void *user, tw_blob_t **out_rule) {
  std::string rule;
  const tw_status_t status = ask_host(user, kRule, call, &rule);
  return status == TW_OK ? tw_blob_create(rule.data(), rule.size(), out_rule) : status;
}

void drop_listener(void *user) {
  if (JNIEnv *env = env_of_thread())
    env->DeleteWeakGlobalRef(static_cast<jweak>(user));
}

void tell_action(const tw_plan_t *, const char *action, const char *file, uint32_t line, void *user) {
  JNIEnv *env = env_of_thread();
  if (!env)
    return;
  const Local<jobject> listener(env, env->NewLocalRef(static_cast<jweak>(user)));
  const Local<jstring> text(env, java_text(env, action));
  const Local<jstring> name(env, java_text(env, file));
  if (listener && !env->ExceptionCheck())
    env->CallVoidMethod(listener.get(), known.action_told, text.get(), name.get(), static_cast<jint>(line));
  if (env->ExceptionCheck())
    keep_exception(env);
}

struct Progress {
  JNIEnv *env;
  jobject predicate;
};

// The caller's thread asks.
int call_progress(void *user, double seconds) {
  const auto *progress = static_cast<const Progress *>(user);
  const bool stop = progress->env->CallBooleanMethod(progress->predicate, known.progress_asked, seconds);
  if (!progress->env->ExceptionCheck())
    return stop;
  keep_exception(progress->env);
  return 1;
}

struct Body {
  JNIEnv *env;
  jobject watched;
  jobject result;
};

// What it throws stays pending: it is the exception of the call.
tw_status_t run_body(void *user) {
  auto *body = static_cast<Body *>(user);
  body->result = body->env->CallObjectMethod(body->watched, known.watched_run);
  return body->env->ExceptionCheck() ? tw_error_set(TW_CANCELLED, "an exception of Java") : TW_OK;
}

// What the logger throws belongs to nobody.
void log_line(int32_t level, const char *area, const char *text, void *user) {
  JNIEnv *env = env_of_thread();
  if (!env || env->ExceptionCheck())
    return;
  const Local<jstring> where(env, java_text(env, area));
  const Local<jstring> what(env, java_text(env, text));
  if (where && what)
    env->CallStaticVoidMethod(known.upcalls, known.log, static_cast<jobject>(user), static_cast<jint>(level),
                              where.get(), what.get());
  if (env->ExceptionCheck())
    env->ExceptionClear();
}

jobjectArray comparisons_of(JNIEnv *env, const std::vector<tw_comparison_t> &comparisons, size_t count,
                            tw_blob_t *note) {
  Local<jobjectArray> out(env, env->NewObjectArray(static_cast<jsize>(count) + 1, known.object, nullptr));
  for (size_t i = 0; out && i < count; ++i) {
    const Local<jobjectArray> fields(env, read(env, struct_tw_comparison_t, &comparisons[i]));
    if (!fields)
      break;
    env->SetObjectArrayElement(out.get(), static_cast<jsize>(i), fields.get());
  }
  const Local<jstring> text(
      env, env->ExceptionCheck() || !note ? nullptr : java_text(env, tw_blob_data(note), tw_blob_size(note)));
  tw_blob_release(note);
  if (env->ExceptionCheck())
    return nullptr;
  env->SetObjectArrayElement(out.get(), static_cast<jsize>(count), text.get());
  return out.take();
}

} // namespace

void custom_calls_add(JNIEnv *env, jclass, jobject calls, jstring target, jstring rule, jobject host,
                      jint which) {
  HandleUse use;
  void *pointer = nullptr;
  Text target_text, rule_text;
  if (!use.take(env, calls, kind_tw_custom_calls_t, true, &pointer) || !target_text.take(env, target) ||
      !rule_text.take(env, rule))
    return;
  tw_custom_call_t call = {};
  call.struct_size = sizeof call;
  call.target = target_text.get();
  call.rule = rule_text.get();
  call.rule_fn = which & 1 << kRule ? ask_rule : nullptr;
  call.check = which & 1 << kCheck ? check_call : nullptr;
  call.kernel = which & 1 << kKernel ? run_kernel : nullptr;
  jobject owned = env->NewGlobalRef(host);
  call.user = owned;
  call.destroy = drop_reference;
  const tw_status_t status = tw_custom_calls_add(static_cast<tw_custom_calls_t *>(pointer), &call);
  if (status == TW_OK)
    return;
  env->DeleteGlobalRef(owned);
  throw_failure(env, status);
}

void plan_on_action(JNIEnv *env, jclass, jobject plan, jobject listener) {
  HandleUse use;
  void *pointer = nullptr;
  if (!use.take(env, plan, kind_tw_plan_t, true, &pointer))
    return;
  // Weak, since a listener mostly knows its plan: Plan.java keeps it alive.
  jweak weak = listener ? env->NewWeakGlobalRef(listener) : nullptr;
  const tw_status_t status =
      tw_plan_own_action(static_cast<tw_plan_t *>(pointer), listener ? tell_action : nullptr, weak,
                         listener ? drop_listener : nullptr);
  if (status == TW_OK)
    return;
  if (weak)
    env->DeleteWeakGlobalRef(weak);
  throw_failure(env, status);
}

jobject watch_calls(JNIEnv *env, jclass, jobject body, jobject progress, jdouble interval) {
  Progress asked = {env, progress};
  Body watched = {env, body, nullptr};
  tw_watch_options_t options = {};
  options.struct_size = sizeof options;
  options.progress = call_progress;
  options.user = &asked;
  options.interval = interval;
  const tw_status_t status = tw_watch_calls(run_body, &watched, &options);
  if (status != TW_OK)
    throw_failure(env, status); // unless the body threw
  return watched.result;
}

jlong context_create(JNIEnv *env, jclass, jint workers, jobject logger) {
  tw_context_options_t options = {};
  options.struct_size = sizeof options;
  options.workers = workers;
  jobject owned = logger ? env->NewGlobalRef(logger) : nullptr;
  if (owned) {
    options.log = log_line;
    options.log_user = owned;
    options.destroy_log_user = drop_reference;
  }
  tw_context_t *context = nullptr;
  const tw_status_t status = tw_context_create(&options, &context);
  if (status == TW_OK)
    return new_handle(kind_tw_context_t, context);
  if (owned)
    env->DeleteGlobalRef(owned);
  throw_failure(env, status);
  return 0;
}

jobjectArray program_compare(JNIEnv *env, jclass, jobject program, jobjectArray tensors, jobjectArray options,
                             jobject progress) {
  HandleUse use;
  void *pointer = nullptr;
  HandleList lists[3]; // inputs, outputs, expected
  Keep keep;
  tw_compare_options_t compare;
  if (!use.take(env, program, kind_tw_program_t, false, &pointer) ||
      !fill(env, options, struct_tw_compare_options_t, &compare, keep))
    return nullptr;
  for (jsize i = 0; i < 3; ++i) {
    const Local<jobject> list(env, env->GetObjectArrayElement(tensors, i));
    if (!lists[i].take(env, static_cast<jobjectArray>(list.get()), kind_tw_tensor_t))
      return nullptr;
  }
  const size_t count = lists[1].pointers.size();
  if (lists[2].pointers.size() != count) {
    throw_java(env, kIllegalArgument, "%zu results and %zu expected ones", count, lists[2].pointers.size());
    return nullptr;
  }
  Progress asked = {env, progress};
  if (progress) {
    compare.progress = call_progress;
    compare.user = &asked;
  }
  const auto pointers = [&](int i) {
    return reinterpret_cast<const tw_tensor_t *const *>(lists[i].pointers.data());
  };
  std::vector<tw_comparison_t> comparisons(count + 1);
  prepare(struct_tw_comparison_t, comparisons.data());
  tw_blob_t *note = nullptr;
  const tw_status_t status =
      tw_program_compare(static_cast<tw_program_t *>(pointer), pointers(0), lists[0].pointers.size(),
                         pointers(1), pointers(2), count, &compare, comparisons.data(), &note);
  if (status == TW_OK && !callback_threw(env))
    return comparisons_of(env, comparisons, count, note);
  tw_blob_release(note);
  throw_failure(env, status); // unless a callback threw
  return nullptr;
}

} // namespace tw::java
