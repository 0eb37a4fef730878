// SPDX-License-Identifier: Apache-2.0
// The table of the methods of Native, and of these the calls that have neither memory nor callbacks.
#include "natives.hpp"

#include <iterator>

#include <tilewright/tw_cuda.h>
#include <tilewright/tw_mpi.h>

#include "errors.hpp"
#include "handle.hpp"
#include "values.hpp"

namespace tw::java {

bool register_natives(JNIEnv *env) {
#define TW_NATIVE(name, signature, function)                                                                 \
  { const_cast<char *>(name), const_cast<char *>(signature), reinterpret_cast<void *>(function) }
  const JNINativeMethod methods[] = {
      TW_NATIVE("address", "(Lorg/tilewright/Tensor;)J", tensor_address),
      TW_NATIVE("close", "(Lorg/tilewright/TilewrightObject;)V", close_handle),
      TW_NATIVE("commCreateMpi", "([Ljava/lang/Object;)J", comm_create_mpi),
      TW_NATIVE("compare",
                "(Lorg/tilewright/Program;[[Lorg/tilewright/Tensor;[Ljava/lang/Object;"
                "Ljava/util/function/DoublePredicate;)[Ljava/lang/Object;",
                program_compare),
      TW_NATIVE("constant", "(Lorg/tilewright/Graph;I[Z)[B", graph_constant),
      TW_NATIVE("context", "(ILjava/lang/System$Logger;)J", context_create),
      TW_NATIVE("customCallsAdd",
                "(Lorg/tilewright/CustomCalls;Ljava/lang/String;Ljava/lang/String;"
                "Lorg/tilewright/CustomCalls$Host;I)V",
                custom_calls_add),
      TW_NATIVE("free", "(J)V", free_handle),
      TW_NATIVE("isClosed", "(Lorg/tilewright/TilewrightObject;)Z", is_closed),
      TW_NATIVE("onAction", "(Lorg/tilewright/Plan;Lorg/tilewright/Plan$ActionListener;)V", plan_on_action),
      TW_NATIVE("readOnly", "(Lorg/tilewright/Tensor;)Z", tensor_read_only),
      TW_NATIVE("redistribute",
                "(Lorg/tilewright/Redistributor;[Ljava/nio/ByteBuffer;[Ljava/nio/ByteBuffer;)V",
                redistributor_run),
      TW_NATIVE("releaseTensor", "(J)V", release_tensor),
      TW_NATIVE("retainTensor", "(Lorg/tilewright/Tensor;)J", retain_tensor),
      TW_NATIVE("watch", "(Lorg/tilewright/Watched;Ljava/util/function/DoublePredicate;D)Ljava/lang/Object;",
                watch_calls),
      TW_NATIVE("window", "(Lorg/tilewright/Tensor;JJ)Ljava/nio/ByteBuffer;", tensor_window),
      TW_NATIVE("wrap", "(Ljava/nio/ByteBuffer;I[J)J", wrap_buffer),
  };
#undef TW_NATIVE
  const Local<jclass> native(env, env->FindClass("org/tilewright/Native"));
  return native &&
         env->RegisterNatives(native.get(), methods, static_cast<jint>(std::size(methods))) == JNI_OK;
}

jlong comm_create_mpi(JNIEnv *env, jclass, jobjectArray options) {
  Keep keep;
  tw_mpi_options_t mpi;
  if (!fill(env, options, struct_tw_mpi_options_t, &mpi, keep))
    return 0;
  tw_comm_t *comm = nullptr;
  const tw_status_t status = tw_comm_create_mpi(nullptr, &mpi, &comm);
  if (status != TW_OK) {
    throw_failure(env, status);
    return 0;
  }
  return new_handle(kind_tw_comm_t, comm);
}

} // namespace tw::java
