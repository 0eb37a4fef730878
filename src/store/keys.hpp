// SPDX-License-Identifier: Apache-2.0
// Values by their keys, as zarr wants them: the files of a folder, by their paths in it, or what an OCDBT
// database in a folder has.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/status.hpp"
#include "store/file.hpp"

namespace tw::store {

// Bytes of a file, or of a text that stands where the key does.
struct KeyValue {
  std::shared_ptr<Bytes> source;
  uint64_t at = 0, size = 0;

  // All of it; more than `most` bytes are an error that begins with `what`.
  Result<std::string> read(uint64_t most, const std::string &what) const;
};

using Keys = std::map<std::string, KeyValue>;

constexpr const char *kManifest = "manifest.ocdbt"; // a folder that has one is a database

// The files below a folder, and for databases below it what they have, behind the path of their folder.
Result<Keys> keys_in(const std::string &folder);
// Of a database alone.
Result<Keys> keys_of_database(const std::string &folder, std::shared_ptr<OpenFiles> files);

} // namespace tw::store
