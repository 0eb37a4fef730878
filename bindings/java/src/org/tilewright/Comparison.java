// SPDX-License-Identifier: Apache-2.0
package org.tilewright;

/**
 * How two tensors compare.
 *
 * @param passes whether they are equal by the rule {@code judgedBy}
 * @param bitEqual whether every element has the same bits
 * @param maxAbs the largest difference
 * @param maxRel the largest difference over the largest element that was expected
 * @param mistrusted passing says little: most of the expectation is one value, or not finite, or it equals an
 *     argument
 * @param nonfinite elements of the expectation that are NaN or infinite
 * @param judgedBy the rule
 * @param tolerance the bound on maxRel; 0 where bits decide
 * @param fromDouble the largest distance from the program in double precision; -1 where that was not
 *     evaluated
 * @param expectedFromDouble the same of the expectation
 * @param equalArgument the first argument that the expectation equals within its tolerance; -1: none
 */
public record Comparison(
    boolean passes,
    boolean bitEqual,
    double maxAbs,
    double maxRel,
    boolean mistrusted,
    long nonfinite,
    JudgedBy judgedBy,
    double tolerance,
    double fromDouble,
    double expectedFromDouble,
    int equalArgument) {
  static Comparison of(Struct fields) {
    return new Comparison(
        fields.flag(Fields.Comparison.PASSES),
        fields.flag(Fields.Comparison.BIT_EQUAL),
        fields.real(Fields.Comparison.MAX_ABS),
        fields.real(Fields.Comparison.MAX_REL),
        fields.flag(Fields.Comparison.MISTRUSTED),
        fields.number(Fields.Comparison.NONFINITE),
        JudgedBy.of(fields.integer(Fields.Comparison.JUDGED_BY)),
        fields.real(Fields.Comparison.TOLERANCE),
        fields.real(Fields.Comparison.FROM_DOUBLE),
        fields.real(Fields.Comparison.EXPECTED_FROM_DOUBLE),
        fields.integer(Fields.Comparison.EQUAL_ARGUMENT));
  }
}
