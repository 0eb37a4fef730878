// SPDX-License-Identifier: Apache-2.0
// Eigenvalues, singular values and what goes before them, by LAPACK; and matrices that are empty or not
// finite.
#include <limits>

#include "unit/kernels/lapack_run.hpp"

namespace tw::test_lapack_eigen {

using namespace tw::test;
using namespace tw::test::lapack;

namespace {

bool all_nan(const Matrix &m) {
  return std::all_of(m.values.begin(), m.values.end(), [](Complex v) { return std::isnan(v.real()); });
}

// Of orgqr of the part below the first row: reflectors that leave the first row alone.
Matrix with_first_row(const Matrix &q) {
  return map(q, q.rows + 1, q.rows + 1, [](const Matrix &m, int64_t i, int64_t j) {
    return i == 0 || j == 0 ? Complex(i == j) : m.at(i - 1, j - 1);
  });
}

// A routine of n by n matrices, then orgqr of its reflectors below the first row.
std::string with_reflectors(const LapackText &text, const std::string &target, const std::string &attributes,
                            const std::vector<std::string> &results, size_t tau) {
  const size_t rank = static_cast<size_t>(std::count(text.batch.begin(), text.batch.end(), 'x'));
  std::string ranges;
  for (size_t at = 0, d = 0; d < rank; ++d, at = text.batch.find('x', at) + 1)
    ranges += fmt::format("0:{}, ", text.batch.substr(at, text.batch.find('x', at) - at));
  std::string names, types;
  for (size_t i = 0; i < results.size(); ++i) {
    names += fmt::format("%r#{}, ", i);
    types += text.type(results[i]) + ", ";
  }
  return fmt::format(
      "func.func @main(%a: {0}) -> ({6}{3}) {{\n{1}  %s = stablehlo.slice %r#0 [{2}1:4, 0:3] : ({0}) -> {3}\n"
      "{4}  return {5}%q#0 : {6}{3}\n}}",
      text.type("4x4xT"), text.call("r", "%a", target, attributes, {"4x4xT"}, results), ranges,
      text.type("3x3xT"),
      text.call("q", fmt::format("%s, %r#{}", tau), text.target("orgqr", "ungqr"), "", {"3x3xT", "3xT"},
                {"3x3xT"}),
      names, types);
}

} // namespace

TEST_CASE("lapack: gesdd and gesvd make all, some or no vectors of matrices of any shape") {
  each_kind([](const LapackText &text) {
    for (const char *routine : {"gesdd", "gesvd"})
      for (const auto &size : {std::pair<int64_t, int64_t>{5, 3}, {3, 5}, {4, 4}, {1, 1}})
        for (const char mode : {'A', 'S', 'N'}) {
          const int64_t m = size.first, n = size.second;
          const int64_t k = std::min(m, n), u = mode == 'A' ? m : k, v = mode == 'A' ? n : k;
          const std::string a = fmt::format("{}x{}xT", m, n);
          run_call(text,
                   text.program(text.target(routine, ""), character("mode", mode), {a},
                                {a, fmt::format("{}xR", k), fmt::format("{}x{}xT", m, u),
                                 fmt::format("{}x{}xT", v, n), "I"}),
                   draws({{m, n}}, text.is_complex()),
                   [&](const Matrices &given, const Matrices &made, double tolerance) {
                     CHECK(made[4].at(0) == 0.);
                     for (int64_t i = 1; i < k; ++i)
                       CHECK(made[1].at(i).real() <= made[1].at(i - 1).real());
                     double squares = 0, wanted = 0;
                     for (const Complex s : made[1].values)
                       squares += std::norm(s);
                     for (const Complex x : given[0].values)
                       wanted += std::norm(x);
                     CHECK(std::abs(squares - wanted) < 10 * tolerance * wanted);
                     if (mode == 'N') {
                       CHECK(distance(made[2], Matrix(m, u)) == 0);
                       return;
                     }
                     CHECK(is_unitary(made[2], tolerance));
                     CHECK(is_unitary(adjoint(made[3]), tolerance));
                     CHECK(distance(made[2] * diagonal(made[1], u, v) * made[3], given[0]) < tolerance);
                   });
        }
  });
}

TEST_CASE("lapack: syevd finds real eigenvalues in order, from one triangle") {
  each_kind([](const LapackText &text) {
    for (const char uplo : {'L', 'U'})
      for (const char mode : {'V', 'N'})
        run_call(
            text,
            text.program(text.target("syevd", "heevd"),
                         fmt::format("{}, {}", character("mode", mode), character("uplo", uplo)), {"4x4xT"},
                         {"4x4xT", "4xR", "I"}),
            [&](std::mt19937_64 &random) {
              Matrices all = draws_hermitian(4, text.is_complex(), 0)(random);
              for (int64_t i = 0; i < 4; ++i)
                for (int64_t j = 0; j < 4; ++j)
                  if (i != j && (uplo == 'L') == (i < j))
                    all[0].at(i, j) = std::numeric_limits<double>::quiet_NaN(); // is not read
              return all;
            },
            [&](const Matrices &given, const Matrices &made, double tolerance) {
              const Matrix half = triangle(given[0], uplo);
              const Matrix a = map(half, 4, 4, [&](const Matrix &m, int64_t i, int64_t j) {
                return (uplo == 'L') == (i >= j) || i == j ? m.at(i, j) : std::conj(m.at(j, i));
              });
              CHECK(made[2].at(0) == 0.);
              Complex trace = 0, sum = 0;
              for (int64_t i = 0; i < 4; ++i) {
                trace += a.at(i, i);
                sum += made[1].at(i);
                CHECK((i == 0 || made[1].at(i - 1).real() <= made[1].at(i).real()));
              }
              CHECK(std::abs(trace - sum) < tolerance);
              if (mode == 'V') {
                CHECK(is_unitary(made[0], tolerance));
                CHECK(distance(a * made[0], made[0] * diagonal(made[1], 4, 4)) < tolerance);
              }
            });
  });
}

TEST_CASE("lapack: geev finds eigenvectors on both sides, complex ones of real matrices too") {
  each_kind([](const LapackText &text) {
    const bool complex = text.is_complex();
    for (const int64_t n : {5, 1})
      for (const char left : {'V', 'N'}) {
        const std::string a = fmt::format("{0}x{0}xT", n), v = fmt::format("{0}x{0}xC", n),
                          w = fmt::format("{}xR", n);
        const std::vector<std::string> results =
            complex ? std::vector<std::string>{fmt::format("{}xT", n), a, a, "I"}
                    : std::vector<std::string>{w, w, v, v, "I"};
        run_call(text,
                 text.program(
                     text.target("geev", ""),
                     fmt::format("{}, {}", character("compute_left", left), character("compute_right", 'V')),
                     {a}, results),
                 draws({{n, n}}, complex),
                 [&](const Matrices &given, const Matrices &made, double tolerance) {
                   const size_t at = complex ? 1 : 2;
                   Matrix values = made[0];
                   for (int64_t i = 0; i < n && !complex; ++i)
                     values.at(i, 0) += Complex(0, 1) * made[1].at(i);
                   const Matrix d = diagonal(values, n, n);
                   CHECK(made[at + 2].at(0) == 0.);
                   CHECK(distance(given[0] * made[at + 1], made[at + 1] * d) < 4 * tolerance);
                   if (left == 'V')
                     CHECK(distance(adjoint(made[at]) * given[0], d * adjoint(made[at])) < 4 * tolerance);
                   else
                     CHECK(distance(made[at], Matrix(n, n)) == 0);
                   CHECK(std::abs((adjoint(made[at + 1]) * made[at + 1]).at(0, 0) - 1.) < tolerance);
                 });
      }
  });
}

TEST_CASE("lapack: gees makes a triangle that is similar to the matrix") {
  each_kind([](const LapackText &text) {
    const std::vector<std::string> results =
        text.is_complex() ? std::vector<std::string>{"5x5xT", "5x5xT", "5xT", "I", "I"}
                          : std::vector<std::string>{"5x5xT", "5x5xT", "5xT", "5xT", "I", "I"};
    run_call(text,
             text.program(text.target("gees", ""),
                          fmt::format("{}, {}", character("mode", 'V'), character("sort", 'N')), {"5x5xT"},
                          results),
             draws({{5, 5}}, text.is_complex()),
             [&](const Matrices &given, const Matrices &made, double tolerance) {
               CHECK(is_unitary(made[1], tolerance));
               CHECK(distance(made[1] * made[0] * adjoint(made[1]), given[0]) < tolerance);
               CHECK(made.back().at(0) == 0.);
               for (int64_t i = 0; i < 5; ++i)
                 for (int64_t j = 0; j < i - (text.is_complex() ? 0 : 1); ++j)
                   CHECK(made[0].at(i, j) == 0.);
             });
  });
}

TEST_CASE("lapack: gehrd and sytrd make matrices that are similar, of few diagonals") {
  each_kind([](const LapackText &text) {
    run_call(text,
             with_reflectors(text, text.target("gehrd", ""), "high = 4 : i32, low = 1 : i32",
                             {"4x4xT", "3xT", "I"}, 1),
             draws({{4, 4}}, text.is_complex()),
             [](const Matrices &given, const Matrices &made, double tolerance) {
               const Matrix q = with_first_row(made[3]);
               const Matrix h = map(made[0], 4, 4, [](const Matrix &m, int64_t i, int64_t j) {
                 return i <= j + 1 ? m.at(i, j) : Complex(0);
               });
               CHECK(is_unitary(q, tolerance));
               CHECK(distance(q * h * adjoint(q), given[0]) < tolerance);
             });
    run_call(
        text,
        with_reflectors(text, text.target("sytrd", "hetrd"), character("uplo", 'L'),
                        {"4x4xT", "4xR", "3xR", "3xT", "I"}, 3),
        draws_hermitian(4, text.is_complex(), 0),
        [](const Matrices &given, const Matrices &made, double tolerance) {
          const Matrix q = with_first_row(made[5]);
          const Matrix t = map({}, 4, 4, [&](const Matrix &, int64_t i, int64_t j) {
            return i == j ? made[1].at(i) : std::abs(i - j) == 1 ? made[2].at(std::min(i, j)) : Complex(0);
          });
          CHECK(distance(q * t * adjoint(q), given[0]) < tolerance);
        });
  });
}

TEST_CASE("lapack: matrices without rows, and batches without matrices") {
  if (!has_lapack())
    return;
  const auto count = [](const LapackText &text, const std::string &program, size_t bytes) {
    CAPTURE(program);
    const auto graph = import_of(program);
    std::vector<Array> arguments;
    for (const graph::OpId op : graph->arguments()) {
      arguments.push_back({graph->type(graph->result(op)), {}});
      arguments.back().bytes.resize(static_cast<size_t>(arguments.back().type.bytes()));
    }
    size_t all = 0;
    for (const Array &r : results_of(*graph, arguments)) {
      all += r.bytes.size();
      if (r.type.dtype == graph::DType::s32)
        CHECK(std::all_of(r.bytes.begin(), r.bytes.end(), [](std::byte b) { return b == std::byte{0}; }));
    }
    CHECK(all == bytes);
    if (!text.batch.empty())
      check_tiled(graph, arguments, results_of(*graph, arguments));
  };
  for (const graph::DType dtype : kLapackTypes)
    for (const char *batch : {"4x", "0x", ""}) {
      const LapackText text{dtype, batch};
      const size_t n = batch[0] == '\0' ? 1 : static_cast<size_t>(batch[0] - '0');
      count(text, text.program(text.target("potrf", ""), character("uplo", 'L'), {"0x0xT"}, {"0x0xT", "I"}),
            4 * n);
      count(text, text.program(text.target("getrf", ""), "", {"0x3xT"}, {"0x3xT", "0xI", "I"}), 4 * n);
      count(text, text.program(text.target("geqrf", ""), "", {"3x0xT"}, {"3x0xT", "0xT"}), 0);
      count(text,
            text.program(text.target("syevd", "heevd"),
                         fmt::format("{}, {}", character("mode", 'V'), character("uplo", 'L')), {"0x0xT"},
                         {"0x0xT", "0xR", "I"}),
            4 * n);
      count(text,
            text.program(text.target("gesdd", ""), character("mode", 'S'), {"0x3xT"},
                         {"0x3xT", "0xR", "0x0xT", "0x3xT", "I"}),
            4 * n);
      count(text,
            text.program(text.target("gtsv", ""), "", {"0xT", "0xT", "0xT", "0x2xT"},
                         {"0xT", "0xT", "0xT", "0x2xT", "I"}),
            4 * n);
    }
}

TEST_CASE(
    "lapack: a matrix that is not finite gives NaN and info -4, and its neighbours in the batch do not") {
  if (!has_lapack())
    return;
  for (const graph::DType dtype : kLapackTypes)
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      const LapackText text{dtype, "4x"};
      const auto test = [&](const std::string &program) {
        int64_t i = 0;
        const Make make = [&](std::mt19937_64 &random) {
          Matrices all = draws_hermitian(3, text.is_complex(), 0)(random);
          if (i++ == 2)
            all[0].at(1, 0) = bad;
          return all;
        };
        i = 0;
        int64_t seen = 0;
        run_call(text, program, make, [&](const Matrices &, const Matrices &made, double) {
          const bool is_bad = seen++ == 2;
          CHECK(made.back().at(0) == (is_bad ? -4. : 0.));
          CHECK(all_nan(made[1]) == is_bad);
        });
      };
      test(text.program(text.target("gesdd", ""), character("mode", 'S'), {"3x3xT"},
                        {"3x3xT", "3xR", "3x3xT", "3x3xT", "I"}));
      test(text.program(text.target("gesvd", ""), character("mode", 'A'), {"3x3xT"},
                        {"3x3xT", "3xR", "3x3xT", "3x3xT", "I"}));
      test(text.program(text.target("syevd", "heevd"),
                        fmt::format("{}, {}", character("mode", 'V'), character("uplo", 'L')), {"3x3xT"},
                        {"3x3xT", "3xR", "I"}));
      test(text.program(text.target("gees", ""),
                        fmt::format("{}, {}", character("mode", 'V'), character("sort", 'N')), {"3x3xT"},
                        text.is_complex()
                            ? std::vector<std::string>{"3x3xT", "3x3xT", "3xT", "I", "I"}
                            : std::vector<std::string>{"3x3xT", "3x3xT", "3xT", "3xT", "I", "I"}));
      test(text.program(
          text.target("geev", ""),
          fmt::format("{}, {}", character("compute_left", 'V'), character("compute_right", 'V')), {"3x3xT"},
          text.is_complex() ? std::vector<std::string>{"3xT", "3x3xT", "3x3xT", "I"}
                            : std::vector<std::string>{"3xR", "3xR", "3x3xC", "3x3xC", "I"}));
    }
}

} // namespace tw::test_lapack_eigen
