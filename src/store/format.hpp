// SPDX-License-Identifier: Apache-2.0
// Formats of arrays on disk. Each is the one thing that src/store/NAME.cpp defines, and a line of
// store_list.inc.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.hpp"
#include "store/array.hpp"
#include "store/target.hpp"

namespace tw::store {

struct Format {
  const char *name; // "safetensors"
  const char *what; // one line
  // Whether a file, with these first bytes, or a folder ("" then) looks like it.
  bool (*looks_like)(const std::string &path, std::string_view first);
  Result<Contents> (*open)(const std::string &path);
  // How it is written: as files of which every byte has its place, or as one file that `pack` makes of whole
  // arrays. Null: not so.
  Result<std::unique_ptr<Target>> (*target)(const std::string &path, const Layout &layout);
  Status (*pack)(const std::string &path, const Layout &layout, const TakeBytes &take);
  // The type in which elements are written: another one only where the format lacks theirs and that one holds
  // every value. `invalid`: there is none.
  graph::DType (*written_as)(graph::DType dtype);
};

#define TW_STORE(name) extern const Format name##_format;
#include "store/store_list.inc"
#undef TW_STORE

std::span<const Format *const> all_formats();
// An error that lists them where there is no such format.
Result<const Format *> find_format(std::string_view name);
// What lies at a path.
Result<const Format *> format_of(const std::string &path);
// What a path that does not exist yet is to be: the format of that name, or where it is "" as the path's end
// says, NAME.npz; a folder is safetensors. An error for formats that are only read.
Result<const Format *> format_to_write(const std::string &path, std::string_view name);

} // namespace tw::store
