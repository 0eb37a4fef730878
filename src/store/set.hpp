// SPDX-License-Identifier: Apache-2.0
// A set of arrays on disk that is read by boxes.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.hpp"
#include "store/array.hpp"
#include "store/format.hpp"

namespace tw::store {

class Set {
public:
  // A file or folder; `format` "" is found out. Parts of every array are checked.
  static Result<Set> open(const std::string &path, std::string_view format = {});

  const std::string &path() const { return path_; }
  const Format &format() const { return *format_; }
  std::span<const Array> arrays() const { return contents_.arrays; }
  std::span<const std::shared_ptr<Bytes>> sources() const { return contents_.sources; }
  std::optional<size_t> find(std::string_view name) const;
  void rename(size_t array, std::string name) { contents_.arrays[array].name = std::move(name); }
  void remove(size_t array) {
    contents_.arrays.erase(contents_.arrays.begin() + static_cast<std::ptrdiff_t>(array));
  }

  // The elements of a box, each read once, as they lie in the file but in this machine's byte order.
  Status read(size_t array, const sharding::Box &box, void *memory,
              std::span<const int64_t> memory_strides) const;
  // The same of one part, which contains the box.
  Status read_part(const Array &array, const Part &part, const sharding::Box &box, void *memory,
                   std::span<const int64_t> memory_strides) const;
  uint64_t bytes_read() const;

private:
  Set(std::string path, const Format &format, Contents contents)
      : path_(std::move(path)), format_(&format), contents_(std::move(contents)) {}
  std::string path_;
  const Format *format_;
  Contents contents_;
};

} // namespace tw::store
