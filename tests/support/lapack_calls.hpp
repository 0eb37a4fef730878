// SPDX-License-Identifier: Apache-2.0
// Calls of LAPACK as text, and complex matrices to check with what they make.
#pragma once

#include <doctest/doctest.h>

#include <complex>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/ref/evaluate.hpp"

namespace tw::test::lapack {

using Complex = std::complex<double>;

// Row by row; an array of one dimension is a column.
struct Matrix {
  int64_t rows = 0, columns = 0;
  std::vector<Complex> values;
  Matrix() = default;
  Matrix(int64_t m, int64_t n) : rows(m), columns(n), values(static_cast<size_t>(m * n)) {}
  Complex &at(int64_t i, int64_t j) { return values[static_cast<size_t>(i * columns + j)]; }
  Complex at(int64_t i, int64_t j) const { return values[static_cast<size_t>(i * columns + j)]; }
  Complex at(int64_t i) const { return values[static_cast<size_t>(i)]; }
};

inline Matrix operator*(const Matrix &a, const Matrix &b) {
  REQUIRE(a.columns == b.rows);
  Matrix c(a.rows, b.columns);
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t k = 0; k < a.columns; ++k)
      for (int64_t j = 0; j < b.columns; ++j)
        c.at(i, j) += a.at(i, k) * b.at(k, j);
  return c;
}
inline Matrix map(const Matrix &a, int64_t rows, int64_t columns, auto &&element) {
  Matrix b(rows, columns);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      b.at(i, j) = element(a, i, j);
  return b;
}
inline Matrix transposed(const Matrix &a) {
  return map(a, a.columns, a.rows, [](const Matrix &m, int64_t i, int64_t j) { return m.at(j, i); });
}
inline Matrix adjoint(const Matrix &a) {
  return map(a, a.columns, a.rows,
             [](const Matrix &m, int64_t i, int64_t j) { return std::conj(m.at(j, i)); });
}
// 'L' or 'U', with the diagonal or with ones there.
inline Matrix triangle(const Matrix &a, char uplo, bool unit = false) {
  return map(a, a.rows, a.columns, [=](const Matrix &m, int64_t i, int64_t j) {
    return i == j ? (unit ? Complex(1) : m.at(i, j)) : (uplo == 'L') == (i > j) ? m.at(i, j) : Complex(0);
  });
}
inline Matrix block(const Matrix &a, int64_t rows, int64_t columns) {
  return map(a, rows, columns, [](const Matrix &m, int64_t i, int64_t j) { return m.at(i, j); });
}
inline Matrix identity(int64_t n) {
  return map({}, n, n, [](const Matrix &, int64_t i, int64_t j) { return Complex(i == j); });
}
inline Matrix diagonal(const Matrix &values, int64_t rows, int64_t columns) {
  return map(values, rows, columns,
             [](const Matrix &v, int64_t i, int64_t j) { return i == j ? v.at(i) : Complex(0); });
}
inline double distance(const Matrix &a, const Matrix &b) {
  REQUIRE(a.values.size() == b.values.size());
  double worst = 0;
  for (size_t i = 0; i < a.values.size(); ++i)
    if (const double d = std::abs(a.values[i] - b.values[i]); !(d <= worst))
      worst = d;
  return worst;
}

// A call of "potrf" for the element type f32, f64, c64 or c128; arrays are "4x4xT", and T, R, C and I are as
// in ops/lapack_list.inc. `batch` is "2x3x".
struct LapackText {
  graph::DType dtype;
  std::string batch;

  bool is_complex() const { return graph::is_complex(dtype); }
  bool is_single() const { return dtype == graph::DType::f32 || dtype == graph::DType::c64; }
  std::string type(std::string_view array) const {
    const std::string real = is_single() ? "f32" : "f64", complex = fmt::format("complex<{}>", real);
    const char letter = array.back();
    array.remove_suffix(1);
    return fmt::format("tensor<{}{}{}>", batch, array,
                       letter == 'I'   ? "i32"
                       : letter == 'R' ? real
                       : letter == 'C' ? complex
                                       : (is_complex() ? complex : real));
  }
  std::string types(const std::vector<std::string> &arrays) const {
    std::vector<std::string> all;
    for (const std::string &a : arrays)
      all.push_back(type(a));
    return fmt::format("{}", fmt::join(all, ", "));
  }
  std::string layouts(const std::vector<std::string> &arrays) const {
    std::string all;
    const auto batch_rank = std::count(batch.begin(), batch.end(), 'x');
    for (const std::string &a : arrays) {
      const auto own = std::count(a.begin(), a.end(), 'x'), rank = own + batch_rank;
      std::vector<int64_t> order;
      for (auto d = rank; d-- > 0;)
        order.push_back(d);
      if (own == 2)
        std::swap(order[0], order[1]);
      all += fmt::format("{}dense<[{}]> : tensor<{}xindex>", all.empty() ? "" : ", ", fmt::join(order, ", "),
                         rank);
    }
    return all;
  }
  std::string target(std::string_view name, std::string_view complex_name) const {
    return fmt::format("lapack_{}{}_ffi",
                       is_complex() ? (is_single() ? 'c' : 'z') : (is_single() ? 's' : 'd'),
                       is_complex() && !complex_name.empty() ? complex_name : name);
  }
  std::string call(std::string_view name, std::string_view operands, std::string_view target_name,
                   std::string_view attributes, const std::vector<std::string> &from,
                   const std::vector<std::string> &to) const {
    return fmt::format(
        "  %{}:{} = stablehlo.custom_call @{}({}) {{mhlo.backend_config = {{{}}}, operand_layouts = [{}], "
        "result_layouts = [{}]}} : ({}) -> ({})\n",
        name, to.size(), target_name, operands, attributes, layouts(from), layouts(to), types(from),
        types(to));
  }
  // One call, all of whose operands are arguments and all of whose results are the program's.
  std::string program(std::string_view target_name, std::string_view attributes,
                      const std::vector<std::string> &from, const std::vector<std::string> &to) const {
    std::string arguments, operands, results;
    for (size_t i = 0; i < from.size(); ++i) {
      arguments += fmt::format("{}%a{}: {}", i == 0 ? "" : ", ", i, type(from[i]));
      operands += fmt::format("{}%a{}", i == 0 ? "" : ", ", i);
    }
    for (size_t i = 0; i < to.size(); ++i)
      results += fmt::format("{}%r#{}", i == 0 ? "" : ", ", i);
    return fmt::format("func.func @main({}) -> ({}) {{\n{}  return {} : {}\n}}", arguments, types(to),
                       call("r", operands, target_name, attributes, from, to), results, types(to));
  }
};

inline std::string character(const char *name, char value) {
  return fmt::format("{} = {} : ui8", name, static_cast<int>(value));
}

// Matrix `i` of a batch.
inline Matrix matrix_of(const kernels::ref::Array &array, size_t batch_rank, int64_t i) {
  const auto &dims = array.type.dims;
  Matrix m(dims.size() > batch_rank ? dims[batch_rank] : 1,
           dims.size() > batch_rank + 1 ? dims[batch_rank + 1] : 1);
  const size_t each = graph::byte_size(array.type.dtype);
  const std::byte *from = array.bytes.data() + static_cast<size_t>(i) * m.values.size() * each;
  for (Complex &v : m.values) {
    const auto read = [&]<class T>(T value) {
      std::memcpy(&value, from, sizeof value);
      return value;
    };
    switch (array.type.dtype) {
    case graph::DType::f32: v = read(0.f); break;
    case graph::DType::f64: v = read(0.); break;
    case graph::DType::c64: v = Complex(read(std::complex<float>())); break;
    case graph::DType::c128: v = read(Complex()); break;
    default: v = read(int32_t{0});
    }
    from += each;
  }
  return m;
}

inline void append(kernels::ref::Array &array, const Matrix &m) {
  for (const Complex v : m.values) {
    const auto write = [&](auto value) {
      const auto *bytes = reinterpret_cast<const std::byte *>(&value);
      array.bytes.insert(array.bytes.end(), bytes, bytes + sizeof value);
    };
    switch (array.type.dtype) {
    case graph::DType::f32: write(static_cast<float>(v.real())); break;
    case graph::DType::f64: write(v.real()); break;
    case graph::DType::c64: write(std::complex<float>(v)); break;
    case graph::DType::c128: write(v); break;
    default: write(static_cast<int32_t>(v.real()));
    }
  }
}

// Random numbers that f32 holds.
inline Matrix random_matrix(int64_t m, int64_t n, bool complex, std::mt19937_64 &random) {
  std::uniform_real_distribution<float> in(-1, 1);
  Matrix a(m, n);
  for (Complex &v : a.values)
    v = Complex(in(random), complex ? in(random) : 0);
  return a;
}

} // namespace tw::test::lapack
