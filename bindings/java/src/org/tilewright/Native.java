// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

import java.nio.ByteBuffer;
import java.util.function.DoublePredicate;

/** The part of the core that is written by hand: memory, callbacks, and the ends of objects. */
final class Native {
  static {
    NativeLibrary.load();
  }

  private Native() {}

  static native long address(Tensor tensor);

  static native void close(TilewrightObject object);

  static native long commCreateMpi(Object[] options) throws TilewrightException;

  /** The fields of a comparison for each result, and at last the note. */
  static native Object[] compare(Program program, Tensor[][] tensors, Object[] options, DoublePredicate progress)
      throws TilewrightException;

  /** A logger may be null. */
  static native long context(int workers, System.Logger logger) throws TilewrightException;

  static native byte[] constant(Graph graph, int op, boolean[] outIsSplat) throws TilewrightException;

  /** {@code which} has bit i where the host answers question i. */
  static native void customCallsAdd(CustomCalls calls, String target, String rule, CustomCalls.Host host, int which)
      throws TilewrightException;

  static native void free(long address);

  static native boolean isClosed(TilewrightObject object);

  static native void onAction(Plan plan, Plan.ActionListener listener) throws TilewrightException;

  static native boolean readOnly(Tensor tensor);

  static native void redistribute(Redistributor redistributor, ByteBuffer[] sources, ByteBuffer[] targets)
      throws TilewrightException;

  static native void releaseTensor(long tensor);

  static native long retainTensor(Tensor tensor);

  /** Throws what the body throws. */
  static native Object watch(Watched<?, ?> body, DoublePredicate stops, double interval);

  /** Does not keep the tensor alive by itself. */
  static native ByteBuffer window(Tensor tensor, long offset, long bytes);

  static native long wrap(ByteBuffer buffer, int dtype, long[] shape) throws TilewrightException;
}
