// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the host knows of custom calls, by target: code for calls that a program names but does not hold.
 * Graphs keep what was there when they were made.
 *
 * <p>An exception out of a rule, a check or a kernel ends what the library was doing: the call fails with a
 * TilewrightException whose cause it is. Errors go on as they are.
 */
public final class CustomCalls extends TilewrightObject {
  /**
   * Knows no target.
   *
   * @throws TilewrightException there is no memory
   */
  public CustomCalls() throws TilewrightException {
    super(Core.tw_custom_calls_create());
  }

  /**
   * The part of an operand or result that a device holds. Its elements are copied when a kernel first asks
   * for them, and those of results are copied back when it returns: memory of the library that a kernel kept
   * would end or change under it, and Java cannot take a buffer back.
   */
  public static final class Tile {
    private final ArrayType type;
    private final List<Long> whole;
    private final Box box;
    private final List<Long> strides;
    private final ByteBuffer lent; // the library's memory, which nobody else sees; null where there is none
    private final boolean readOnly;
    private ByteBuffer own, memory; // the copy, and what the kernel sees of it; null before it asks
    private boolean ended;

    private Tile(Struct fields, ByteBuffer lent, boolean readOnly) {
      long[] extent = fields.longs(Fields.Tile.EXTENT);
      this.type = ArrayType.of(DType.of(fields.integer(Fields.Tile.DTYPE)), extent);
      this.whole = Struct.list(fields.longs(Fields.Tile.WHOLE));
      this.box = Box.of(fields.longs(Fields.Tile.OFFSET), extent);
      this.strides = Struct.list(fields.longs(Fields.Tile.STRIDES));
      this.lent = lent;
      this.readOnly = readOnly;
    }

    /**
     * Elements and sizes of the part.
     *
     * @return the type of the part as an array
     */
    public ArrayType type() {
      return type;
    }

    /**
     * Sizes of the whole array.
     *
     * @return by dimension
     */
    public List<Long> whole() {
      return whole;
    }

    /**
     * Where the part lies in the whole array.
     *
     * @return offset and extent
     */
    public Box box() {
      return box;
    }

    /**
     * Strides of the part.
     *
     * @return elements, by dimension
     */
    public List<Long> strides() {
      return strides;
    }

    /**
     * Whether there are elements to look at: kernels have them, checks and rules do not.
     *
     * @return true in a kernel
     */
    public boolean hasMemory() {
      return lent != null;
    }

    /**
     * The elements, in the order of the machine. Operands are read-only; results begin as zeros. The buffer
     * is the tile's own: a kernel may keep it, but what is written to it after the call goes nowhere.
     *
     * @return a direct buffer, the same each time
     * @throws IllegalStateException there are none, or the call has ended
     */
    public synchronized ByteBuffer memory() {
      if (lent == null || ended) {
        throw new IllegalStateException(ended ? "the memory of a tile ends with the call" : "the tile has no memory");
      }
      if (memory == null) {
        own = ByteBuffer.allocateDirect(lent.capacity());
        if (readOnly) {
          own.put(0, lent, 0, lent.capacity());
        }
        memory = (readOnly ? own.asReadOnlyBuffer() : own.duplicate()).order(ByteOrder.nativeOrder());
      }
      return memory;
    }

    /** The call is over: the library's memory is not touched any more. */
    private synchronized void end(boolean succeeded) {
      if (succeeded && own != null && !readOnly) {
        lent.put(0, own, 0, own.capacity());
      }
      ended = true;
    }

    /**
     * The elements of a tile of F32.
     *
     * @return a buffer over the memory of {@link #memory()}
     * @throws IllegalStateException the elements are of another type, there are none, or the call has ended
     */
    public FloatBuffer floats() {
      if (type.dtype() != DType.F32) {
        throw new IllegalStateException("the elements are " + type.dtype().text() + ", not f32");
      }
      return memory().asFloatBuffer();
    }
  }

  /**
   * One call, for the time of the callback.
   *
   * @param target the name of the call
   * @param operands what it takes
   * @param results what it makes
   * @param attributes by name: Long, Double, String, Boolean, or List of Long
   */
  public record Call(String target, List<Tile> operands, List<Tile> results, Map<String, Object> attributes) {
    private static Call of(Struct fields, ByteBuffer[] operands, ByteBuffer[] results) {
      Map<String, Object> attributes = new LinkedHashMap<>();
      for (Struct attribute : fields.structs(Fields.Call.ATTRS, attr -> attr)) {
        attributes.put(attribute.text(Fields.Attr.NAME), Attribute.valueOf(attribute));
      }
      return new Call(
          fields.text(Fields.Call.TARGET),
          tiles(fields, Fields.Call.OPERANDS, operands, true),
          tiles(fields, Fields.Call.RESULTS, results, false),
          attributes);
    }

    private static List<Tile> tiles(Struct fields, int at, ByteBuffer[] memories, boolean readOnly) {
      List<Struct> structs = fields.structs(at, tile -> tile);
      List<Tile> tiles = new ArrayList<>();
      for (int i = 0; i < memories.length; ++i) {
        tiles.add(new Tile(structs.get(i), memories[i], readOnly));
      }
      return tiles;
    }
  }

  /**
   * Computes the results of one device from its operands. Called by any thread, for several devices at once.
   */
  @FunctionalInterface
  public interface Kernel {
    /**
     * Writes the results of a call.
     *
     * @param call the tiles of one device
     * @throws Exception ends the run
     */
    void run(Call call) throws Exception;
  }

  /**
   * Asked once for each call of a program, while it is made: whether operands, results and attributes fit
   * together.
   */
  @FunctionalInterface
  public interface Check {
    /**
     * Looks at a call.
     *
     * @param call whole arrays, without memory
     * @throws Exception they do not fit; the error gets the position of the call
     */
    void check(Call call) throws Exception;
  }

  /** Says which dimensions go together, for each call as it stands in the program. */
  @FunctionalInterface
  public interface Rule {
    /**
     * The rule of a call.
     *
     * @param call whole arrays, without memory
     * @return "b s h, h -&gt; b s h"
     * @throws Exception there is none
     */
    String rule(Call call) throws Exception;
  }

  /** What the core calls. */
  static final class Host {
    private final Check check;
    private final Kernel kernel;
    private final Rule rule;

    Host(Check check, Kernel kernel, Rule rule) {
      this.check = check;
      this.kernel = kernel;
      this.rule = rule;
    }

    /** Bit i is set where this answers question i of {@link #call}. */
    int answers() {
      return (check == null ? 0 : 1) | (kernel == null ? 0 : 2) | (rule == null ? 0 : 4);
    }

    /** Question 0 checks, 1 runs the kernel, 2 asks for the rule, which is the answer. */
    String call(int question, Object[] fields, ByteBuffer[] operands, ByteBuffer[] results) throws Exception {
      Call call = Call.of(new Struct(fields), operands, results);
      boolean succeeded = false;
      try {
        String answer = ask(question, call);
        succeeded = true;
        return answer;
      } finally {
        for (List<Tile> tiles : List.of(call.operands, call.results)) {
          for (Tile tile : tiles) {
            tile.end(succeeded);
          }
        }
      }
    }

    private String ask(int question, Call call) throws Exception {
      if (question == 2) {
        return rule.rule(call);
      }
      if (question == 1) {
        kernel.run(call);
      } else {
        check.check(call);
      }
      return null;
    }
  }

  /**
   * Adds a target.
   *
   * @param target the name of the call
   * @param rule which dimensions go together, "b s h, h -&gt; b s h"; null: all stay whole
   * @param kernel null: such calls may be planned, not run
   * @param check null: all calls fit
   * @return this
   * @throws TilewrightException there is such a target, or no call could have that rule
   */
  public CustomCalls add(String target, String rule, Kernel kernel, Check check) throws TilewrightException {
    return add(target, rule, new Host(check, kernel, null));
  }

  /**
   * Adds a target whose rule depends on the call.
   *
   * @param target the name of the call
   * @param rule is asked for each call
   * @param kernel null: such calls may be planned, not run
   * @param check null: all calls fit
   * @return this
   * @throws TilewrightException there is such a target
   */
  public CustomCalls add(String target, Rule rule, Kernel kernel, Check check) throws TilewrightException {
    return add(target, null, new Host(check, kernel, rule));
  }

  private CustomCalls add(String target, String rule, Host host) throws TilewrightException {
    Native.customCallsAdd(this, target, rule, host, host.answers()); // tw_custom_calls_add
    return this;
  }
}
