// SPDX-License-Identifier: Apache-2.0
// NumPy's archive, .npz: a zip of .npy files, one an array.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/npy.hpp"

namespace tw::cli {

using NpzEntries =
    std::vector<std::pair<std::string, NpyArray>>; // key (without .npy) and array, in the file's order

NpzEntries read_npz(const std::string &path);

// An archive of which only parts of arrays are wanted.
class NpzFile {
public:
  explicit NpzFile(const std::string &path);
  ~NpzFile();
  NpzFile(const NpzFile &) = delete;
  const std::vector<std::string> &keys() const { return keys_; } // in the file's order
  // As part_of_npy. What is compressed is read up to the part's end, and not kept.
  std::string part(size_t entry, tw_dtype_t dtype, const std::vector<int64_t> &dims,
                   const std::vector<int64_t> &offset, const std::vector<int64_t> &extent) const;

private:
  struct Archive;
  std::string path_;
  std::unique_ptr<Archive> archive_;
  std::vector<std::string> keys_;
};

void write_npz(const std::string &path, const NpzEntries &entries);

} // namespace tw::cli
