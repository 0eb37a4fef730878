// SPDX-License-Identifier: Apache-2.0
// NumPy's array file, .npy: read with suspicion (files come from anywhere), written in version 1.0.
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tilewright/tw.h>

namespace tw::cli {

// Elements dense and row-major, in this machine's byte order, as one of the types that NumPy has.
struct NpyArray {
  tw_dtype_t dtype = TW_DTYPE_INVALID;
  std::vector<int64_t> dims;
  std::string bytes;
};

// The bytes of such a file, wherever they are.
class NpyBytes {
public:
  virtual ~NpyBytes() = default;
  virtual size_t size() const = 0;
  virtual void read(size_t at, size_t n, char *to) = 0; // best in ascending order
};

std::string to_npy(const NpyArray &array);

// A part of an argument. Where its first `grid_rank` dimensions count devices, an array without them is what
// every device gets.
struct ArgumentPart {
  tw_dtype_t dtype = TW_DTYPE_INVALID;
  std::vector<int64_t> dims; // of the argument
  std::vector<int64_t> offset, extent;
  size_t grid_rank = 0;
};
// The elements of that part in a file's array: the same values, each exactly, or a Failure naming the first
// that has no such value. Shapes must agree. The rest of the file is not read. `what` names the array in
// messages: "inputs.npz: w1".
std::string part_of_npy(const std::string &path, const ArgumentPart &part);
std::string part_of_npy(NpyBytes &file, const std::string &what, const ArgumentPart &part);
// The NumPy type of an array of texts or objects, '<U5'; "" of any other, and of what is no array.
std::string text_type_of_npy(NpyBytes &file);
// Writes a tensor as that part of the file's array, of dimensions `dims`; whoever comes first makes the file.
void store_part_of_npy(const std::string &path, const tw_tensor_t *part, const std::vector<int64_t> &dims,
                       const std::vector<int64_t> &offset);

// A tensor's elements as the type that NumPy has for them: bf16 and f8 as float32, 2 and 4 bit integers as
// int8.
NpyArray npy_of(const tw_tensor_t *tensor);

// "f32[3,4]".
std::string type_text(tw_dtype_t dtype, const std::vector<int64_t> &dims);

} // namespace tw::cli
