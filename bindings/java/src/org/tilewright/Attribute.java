// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Attributes of ops: Long, Double, String, Boolean, or List of Long. */
final class Attribute {
  private Attribute() {}

  /** The field of a tw_attr_t that its kind says. */
  static Object valueOf(Struct attr) {
    return switch (attr.integer(Fields.Attr.KIND)) {
      case Constants.TW_ATTR_INTEGER -> attr.number(Fields.Attr.INTEGER);
      case Constants.TW_ATTR_REAL -> attr.real(Fields.Attr.REAL);
      case Constants.TW_ATTR_INTS -> Struct.list(attr.longs(Fields.Attr.INTS));
      case Constants.TW_ATTR_BOOLEAN -> attr.flag(Fields.Attr.INTEGER);
      default -> attr.text(Fields.Attr.STRING);
    };
  }

  static Object[][] pairs(Map<String, ?> attributes) {
    return attributes.entrySet().stream().map(e -> pairs(e.getKey(), e.getValue())).toArray(Object[][]::new);
  }

  private static Object[] pairs(String name, Object value) {
    if (value instanceof Boolean is) {
      return pairs(name, Constants.TW_ATTR_BOOLEAN, "integer", is ? 1 : 0);
    }
    if (value instanceof Double || value instanceof Float) {
      return pairs(name, Constants.TW_ATTR_REAL, "real", value);
    }
    if (value instanceof Number) {
      return pairs(name, Constants.TW_ATTR_INTEGER, "integer", value);
    }
    if (value instanceof String) {
      return pairs(name, Constants.TW_ATTR_STRING, "string", value);
    }
    if (value instanceof DType dtype) {
      return pairs(name, Constants.TW_ATTR_INTEGER, "integer", dtype.code());
    }
    return pairs(name, Constants.TW_ATTR_INTS, "ints", longs(name, value));
  }

  private static Object[] pairs(String name, int kind, String field, Object value) {
    return new Object[] {"name", name, "kind", kind, field, value};
  }

  private static long[] longs(String name, Object value) {
    if (value instanceof long[] longs) {
      return longs;
    }
    if (value instanceof int[] ints) {
      return Arrays.stream(ints).asLongStream().toArray();
    }
    if (value instanceof List<?> list && list.stream().allMatch(Number.class::isInstance)) {
      return list.stream().mapToLong(number -> ((Number) number).longValue()).toArray();
    }
    throw new IllegalArgumentException(
        "attribute " + name + " is neither a number, a boolean, a String nor a list of integers: " + value);
  }
}
