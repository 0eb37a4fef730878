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

// An archive that is read. The header of an array is compared with what is wanted before anything of it is
// inflated.
class NpzFile {
public:
  explicit NpzFile(const std::string &path);
  ~NpzFile();
  NpzFile(const NpzFile &) = delete;
  const std::vector<std::string> &keys() const { return keys_; } // in the file's order
  // As part_of_npy. What is compressed is read up to the part's end, and not kept.
  std::string part(size_t entry, const ArgumentPart &part) const;
  std::string text_type(size_t entry) const; // as text_type_of_npy

private:
  struct Archive;
  std::string path_;
  std::unique_ptr<Archive> archive_;
  std::vector<std::string> keys_;
};

void write_npz(const std::string &path, const NpzEntries &entries);

} // namespace tw::cli
