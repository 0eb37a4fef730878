// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

/**
 * StableHLO's element types. Sub-byte integers and floats are held one element a byte, booleans as a byte
 * that is 0 or 1.
 */
public enum DType implements Coded {
  /** 64 bit float. */
  F64(Constants.TW_F64),
  /** 32 bit float. */
  F32(Constants.TW_F32),
  /** 16 bit float. */
  F16(Constants.TW_F16),
  /** The upper half of a 32 bit float. */
  BF16(Constants.TW_BF16),
  /** 8 bit float, finite. */
  F8E4M3FN(Constants.TW_F8E4M3FN),
  /** 8 bit float. */
  F8E5M2(Constants.TW_F8E5M2),
  /** 8 bit float, finite, without a negative zero. */
  F8E4M3FNUZ(Constants.TW_F8E4M3FNUZ),
  /** 8 bit float, finite, without a negative zero. */
  F8E5M2FNUZ(Constants.TW_F8E5M2FNUZ),
  /** 8 bit float, finite, without a negative zero. */
  F8E4M3B11FNUZ(Constants.TW_F8E4M3B11FNUZ),
  /** 8 bit float. */
  F8E4M3(Constants.TW_F8E4M3),
  /** 8 bit float. */
  F8E3M4(Constants.TW_F8E3M4),
  /** Boolean. */
  I1(Constants.TW_I1),
  /** Signed, 2 bits. */
  S2(Constants.TW_S2),
  /** Signed, 4 bits. */
  S4(Constants.TW_S4),
  /** Signed, 8 bits. */
  S8(Constants.TW_S8),
  /** Signed, 16 bits. */
  S16(Constants.TW_S16),
  /** Signed, 32 bits. */
  S32(Constants.TW_S32),
  /** Signed, 64 bits. */
  S64(Constants.TW_S64),
  /** Unsigned, 2 bits. */
  U2(Constants.TW_U2),
  /** Unsigned, 4 bits. */
  U4(Constants.TW_U4),
  /** Unsigned, 8 bits. */
  U8(Constants.TW_U8),
  /** Unsigned, 16 bits. */
  U16(Constants.TW_U16),
  /** Unsigned, 32 bits. */
  U32(Constants.TW_U32),
  /** Unsigned, 64 bits. */
  U64(Constants.TW_U64),
  /** Complex of two 32 bit floats. */
  C64(Constants.TW_C64),
  /** Complex of two 64 bit floats. */
  C128(Constants.TW_C128),
  /** No elements: an order between ops. */
  TOKEN(Constants.TW_TOKEN),
  /** 4 bit float. */
  F4E2M1FN(Constants.TW_F4E2M1FN),
  /** 6 bit float. */
  F6E2M3FN(Constants.TW_F6E2M3FN),
  /** 6 bit float. */
  F6E3M2FN(Constants.TW_F6E3M2FN),
  /** Powers of two, and one NaN. */
  F8E8M0FNU(Constants.TW_F8E8M0FNU);

  private static final DType[] ALL = values();

  private final int code;

  DType(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }

  /** The one that MLIR calls so. */
  static DType named(String text) {
    for (DType dtype : ALL) {
      if (dtype.text().equals(text)) {
        return dtype;
      }
    }
    throw new IllegalArgumentException("there is no element type " + text);
  }

  static DType of(int code) {
    return Struct.coded(ALL, code);
  }

  /**
   * MLIR's spelling.
   *
   * @return a name such as "f32", "i32", "ui8" or "complex&lt;f32&gt;"
   */
  public String text() {
    return Core.tw_dtype_name(code);
  }

  /**
   * The size of an element as held in memory.
   *
   * @return bytes
   */
  public int bytes() {
    return (int) Core.tw_dtype_size(code);
  }

  /**
   * The value of one element; the imaginary part of complex types is left out.
   *
   * @param element its bytes
   * @return the value; booleans are 0 and 1
   * @throws TilewrightException the type has no elements
   */
  public double decode(byte... element) throws TilewrightException {
    Checks.length("an element of " + text(), element.length, bytes());
    double[] real = new double[1];
    Core.tw_dtype_decode(code, element, real, new double[1]);
    return real[0];
  }

  /**
   * The element that stands for a value, rounded to the nearest.
   *
   * @param value what it stands for; the imaginary part of complex types is 0
   * @return its bytes
   * @throws TilewrightException the type has no elements
   */
  public byte[] encode(double value) throws TilewrightException {
    byte[] element = new byte[Math.max(bytes(), 1)];
    Core.tw_dtype_encode(code, value, 0, element);
    return element;
  }
}
