// SPDX-License-Identifier: Apache-2.0
// Factors of LAPACK and what is done with them: for each element type, one matrix and batches, whole and
// tiled.
#include "unit/kernels/lapack_run.hpp"

namespace tw::test_lapack {

using namespace tw::test;
using namespace tw::test::lapack;

TEST_CASE("lapack: potrf factors, and says which matrix is not positive definite") {
  each_kind([](const LapackText &text) {
    for (const char uplo : {'L', 'U'})
      run_call(text,
               text.program(text.target("potrf", ""), character("uplo", uplo), {"4x4xT"}, {"4x4xT", "I"}),
               draws_hermitian(4, text.is_complex(), 4),
               [&](const Matrices &given, const Matrices &made, double tolerance) {
                 const Matrix l = uplo == 'L' ? triangle(made[0], 'L') : adjoint(triangle(made[0], 'U'));
                 CHECK(distance(l * adjoint(l), given[0]) < 8 * tolerance);
                 CHECK(made[1].at(0) == 0.);
               });
    run_call(
        text, text.program(text.target("potrf", ""), character("uplo", 'L'), {"3x3xT"}, {"3x3xT", "I"}),
        [](std::mt19937_64 &) {
          Matrix a = identity(3);
          a.at(1, 1) = -1;
          return Matrices{a};
        },
        [](const Matrices &, const Matrices &made, double) { CHECK(made[1].at(0) == 2.); });
  });
}

TEST_CASE("lapack: trsm solves on each side, with each triangle as it is, transposed or conjugated") {
  each_kind([](const LapackText &text) {
    for (const char side : {'L', 'R'})
      for (const char uplo : {'L', 'U'})
        for (const char trans : {'N', 'T', 'C'})
          for (const char diag : {'N', 'U'}) {
            const std::string attributes =
                fmt::format("{}, {}, {}, {}", character("diag", diag), character("side", side),
                            character("trans_x", trans), character("uplo", uplo));
            const int64_t n = side == 'L' ? 3 : 2;
            run_call(
                text,
                text.program(text.target("trsm", ""), attributes, {fmt::format("{0}x{0}xT", n), "3x2xT"},
                             {"3x2xT"}),
                [&](std::mt19937_64 &random) {
                  Matrices all = draws({{n, n}, {3, 2}}, text.is_complex())(random);
                  for (int64_t i = 0; i < n; ++i)
                    all[0].at(i, i) += 3.;
                  return all;
                },
                [&](const Matrices &given, const Matrices &made, double tolerance) {
                  Matrix a = triangle(given[0], uplo, diag == 'U');
                  a = trans == 'N' ? a : trans == 'T' ? transposed(a) : adjoint(a);
                  CHECK(distance(side == 'L' ? a * made[0] : made[0] * a, given[1]) < tolerance);
                });
          }
  });
}

TEST_CASE("lapack: getrf factors matrices of any shape, with its pivots") {
  each_kind([](const LapackText &text) {
    for (const auto &size : {std::pair<int64_t, int64_t>{4, 4}, {5, 3}, {3, 5}, {1, 1}}) {
      const int64_t m = size.first, n = size.second;
      const int64_t k = std::min(m, n);
      run_call(text,
               text.program(text.target("getrf", ""), "", {fmt::format("{}x{}xT", m, n)},
                            {fmt::format("{}x{}xT", m, n), fmt::format("{}xI", k), "I"}),
               draws({{m, n}}, text.is_complex()),
               [&](const Matrices &given, const Matrices &made, double tolerance) {
                 Matrix a = given[0];
                 for (int64_t i = 0; i < k; ++i) {
                   const auto pivot = static_cast<int64_t>(made[1].at(i).real()) - 1;
                   for (int64_t j = 0; j < n && pivot != i; ++j)
                     std::swap(a.at(i, j), a.at(pivot, j));
                 }
                 CHECK(
                     distance(block(triangle(made[0], 'L', true), m, k) * block(triangle(made[0], 'U'), k, n),
                              a) < tolerance);
                 CHECK(made[2].at(0) == 0.);
               });
    }
    run_call(
        text, text.program(text.target("getrf", ""), "", {"2x2xT"}, {"2x2xT", "2xI", "I"}),
        [](std::mt19937_64 &) { return Matrices{Matrix(2, 2)}; },
        [](const Matrices &, const Matrices &made, double) { CHECK(made[2].at(0) == 1.); });
  });
}

TEST_CASE("lapack: geqrf, geqp3 and orgqr, by JAX's names and by those for any platform") {
  each_kind([](const LapackText &text) {
    for (const auto &size : {std::pair<int64_t, int64_t>{5, 3}, {4, 4}, {1, 1}}) {
      const int64_t m = size.first, n = size.second;
      const std::string a = fmt::format("{}x{}xT", m, n), tau = fmt::format("{}xT", n),
                        pivots = fmt::format("{}xI", n);
      const auto program = [&](bool pivoted, bool portable) {
        const std::string geqrf = portable ? "Qr" : text.target(pivoted ? "geqp3" : "geqrf", ""),
                          orgqr = portable ? "ProductOfElementaryHouseholderReflectors"
                                           : text.target("orgqr", "ungqr");
        const std::vector<std::string> from = pivoted ? std::vector<std::string>{a, pivots}
                                                      : std::vector<std::string>{a},
                                       to = pivoted ? std::vector<std::string>{a, pivots, tau}
                                                    : std::vector<std::string>{a, tau};
        return fmt::format(
            "func.func @main(%a: {}{}) -> ({}, {}{}) {{\n{}{}  return %f#0, %q#0{} : {}, {}{}\n}}",
            text.type(a), pivoted ? ", %p: " + text.type(pivots) : "", text.type(a), text.type(a),
            pivoted ? ", " + text.type(pivots) : "",
            text.call("f", pivoted ? "%a, %p" : "%a", geqrf, "", from, to),
            text.call("q", pivoted ? "%f#0, %f#2" : "%f#0, %f#1", orgqr, "", {a, tau}, {a}),
            pivoted ? ", %f#1" : "", text.type(a), text.type(a), pivoted ? ", " + text.type(pivots) : "");
      };
      for (const bool portable : {false, true})
        run_call(text, program(false, portable), draws({{m, n}}, text.is_complex()),
                 [&](const Matrices &given, const Matrices &made, double tolerance) {
                   CHECK(is_unitary(made[1], tolerance));
                   CHECK(distance(made[1] * block(triangle(made[0], 'U'), n, n), given[0]) < tolerance);
                 });
      run_call(
          text, program(true, false),
          [&](std::mt19937_64 &random) {
            return Matrices{random_matrix(m, n, text.is_complex(), random), Matrix(n, 1)};
          },
          [&](const Matrices &given, const Matrices &made, double tolerance) {
            const Matrix chosen = map(given[0], m, n, [&](const Matrix &g, int64_t i, int64_t j) {
              return g.at(i, static_cast<int64_t>(made[2].at(j).real()) - 1);
            });
            CHECK(distance(made[1] * block(triangle(made[0], 'U'), n, n), chosen) < tolerance);
            for (int64_t i = 1; i < n; ++i)
              CHECK(std::abs(made[0].at(i, i)) <= std::abs(made[0].at(i - 1, i - 1)) + tolerance);
          });
    }
  });
}

TEST_CASE("lapack: ormqr multiplies by what orgqr makes, from each side") {
  each_kind([](const LapackText &text) {
    for (const bool left : {true, false})
      for (const bool transpose : {true, false})
        run_call(
            text,
            fmt::format(
                "func.func @main(%a: {0}, %c: {1}) -> ({0}, {1}) {{\n{2}{3}{4}  return %q#0, %m#0 : {0}, "
                "{1}\n}}",
                text.type("3x3xT"), text.type(left ? "3x2xT" : "2x3xT"),
                text.call("f", "%a", text.target("geqrf", ""), "", {"3x3xT"}, {"3x3xT", "3xT"}),
                text.call("q", "%f#0, %f#1", text.target("orgqr", "ungqr"), "", {"3x3xT", "3xT"}, {"3x3xT"}),
                text.call("m", "%f#0, %f#1, %c", text.target("ormqr", "unmqr"),
                          fmt::format("left = {}, transpose = {}", left, transpose),
                          {"3x3xT", "3xT", left ? "3x2xT" : "2x3xT"}, {left ? "3x2xT" : "2x3xT"})),
            draws({{3, 3}, {left ? 3 : 2, left ? 2 : 3}}, text.is_complex()),
            [&](const Matrices &given, const Matrices &made, double tolerance) {
              const Matrix q = transpose ? adjoint(made[0]) : made[0];
              CHECK(distance(left ? q * given[1] : given[1] * q, made[1]) < tolerance);
            });
  });
}

TEST_CASE("lapack: gtsv solves tridiagonal systems, and names the pivot that is 0") {
  each_kind([](const LapackText &text) {
    const std::string program = text.program(text.target("gtsv", ""), "", {"4xT", "4xT", "4xT", "4x2xT"},
                                             {"4xT", "4xT", "4xT", "4x2xT", "I"});
    run_call(text, program, draws({{4, 1}, {4, 1}, {4, 1}, {4, 2}}, text.is_complex()),
             [](const Matrices &given, const Matrices &made, double tolerance) {
               const Matrix a = map({}, 4, 4, [&](const Matrix &, int64_t i, int64_t j) {
                 return j == i - 1   ? given[0].at(i)
                        : j == i     ? given[1].at(i)
                        : j == i + 1 ? given[2].at(i)
                                     : Complex(0);
               });
               CHECK(distance(a * made[3], given[3]) < 100 * tolerance);
               CHECK(made[4].at(0) == 0.);
             });
    run_call(
        text, program,
        [](std::mt19937_64 &) {
          return Matrices{Matrix(4, 1), Matrix(4, 1), Matrix(4, 1), Matrix(4, 2)};
        },
        [](const Matrices &, const Matrices &made, double) { CHECK(made[4].at(0) == 1.); });
  });
}

TEST_CASE("tridiagonal systems that may be singular have finite solutions, large ones where they are") {
  for (const graph::DType dtype : kLapackTypes)
    for (const char *batch : {"", "4x"})
      for (const int64_t n : {6, 2, 1, 0}) {
        const LapackText text{dtype, batch};
        const std::string d = fmt::format("{}xT", n), b = fmt::format("{}x2xT", n);
        const std::string program = text.program("tridiagonal_solve_perturbed_ffi", "", {d, d, d, b}, {b});
        const auto matrix = [&](const Matrices &given) {
          return map({}, n, n, [&](const Matrix &, int64_t i, int64_t j) {
            return j == i - 1   ? given[0].at(i)
                   : j == i     ? given[1].at(i)
                   : j == i + 1 ? given[2].at(i)
                                : Complex(0);
          });
        };
        run_call(text, program, draws({{n, 1}, {n, 1}, {n, 1}, {n, 2}}, text.is_complex()),
                 [&](const Matrices &given, const Matrices &made, double tolerance) {
                   double largest = 1;
                   for (const Complex x : made[0].values)
                     largest = std::max(largest, std::abs(x));
                   CHECK(distance(matrix(given) * made[0], given[3]) < largest * 4 * tolerance);
                 });
        if (n < 2)
          continue;
        // Each row the same: [1 2], or a last row of zeros.
        run_call(
            text, program,
            [&](std::mt19937_64 &random) {
              Matrices all{Matrix(n, 1), Matrix(n, 1), Matrix(n, 1),
                           random_matrix(n, 2, text.is_complex(), random)};
              for (int64_t i = 0; i < n; ++i)
                all[1].at(i, 0) = n == 2 ? i + 1. : i + 1 < n ? 2. : 0.;
              all[0].at(n - 1, 0) = n == 2;
              all[2].at(0, 0) = n == 2 ? 2. : 0.;
              return all;
            },
            [&](const Matrices &, const Matrices &made, double) {
              double largest = 0;
              for (const Complex x : made[0].values) {
                CHECK(std::isfinite(std::abs(x)));
                largest = std::max(largest, std::abs(x));
              }
              CHECK(largest > (text.is_single() ? 1e5 : 1e14));
            });
      }
}

} // namespace tw::test_lapack
