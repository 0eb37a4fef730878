// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

/** What an instruction of a program does. */
public enum InstrKind implements Coded {
  /** The caller's tile of an argument. */
  ARGUMENT(Constants.TW_INSTR_ARGUMENT),
  /** Runs an op on tiles. */
  COMPUTE(Constants.TW_INSTR_COMPUTE),
  /** Devices exchange or combine what they hold. */
  COLLECTIVE(Constants.TW_INSTR_COLLECTIVE),
  /** Its operand is the caller's tile of a result. */
  RESULT(Constants.TW_INSTR_RESULT),
  /** A while, if or case: stands before each of its regions and behind the last. */
  REGION(Constants.TW_INSTR_REGION),
  /** What follows runs once for each place along a serial or threads axis. */
  LOOP(Constants.TW_INSTR_LOOP),
  /** The end of that loop. */
  END_LOOP(Constants.TW_INSTR_END_LOOP),
  /** A step of such loops puts its tile into the result, or adds its partial value. */
  ACCUMULATE(Constants.TW_INSTR_ACCUMULATE),
  /** Each device takes a part of what it holds itself. */
  SLICE(Constants.TW_INSTR_SLICE);

  private static final InstrKind[] ALL = values();

  private final int code;

  InstrKind(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }

  static InstrKind of(int code) {
    return Struct.coded(ALL, code);
  }
}
