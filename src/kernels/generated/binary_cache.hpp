// SPDX-License-Identifier: Apache-2.0
// Device binaries of generated files, kept in memory and, where a folder is given, on disk: a file is
// compiled once for an architecture.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "base/status.hpp"

namespace tw::kernels::generated {

class BinaryCache {
public:
  using Compile =
      std::function<Result<std::string>(const std::string &file, const std::string &architecture)>;

  // `compiler` names what compiles, with its version and options, since another one makes other binaries. An
  // empty folder: memory alone.
  BinaryCache(std::string folder, std::vector<std::string> compiler, Compile compile)
      : folder_(std::move(folder)), compiler_(std::move(compiler)), compile_(std::move(compile)) {}

  // Any thread may ask, and several files are compiled at once. A file on disk that cannot be read, or was
  // damaged, is compiled again; one that cannot be written is not kept.
  Result<std::shared_ptr<const std::string>> binary(const std::string &file, const std::string &architecture);

private:
  Result<std::string> read_or_compile(const std::string &key, const std::string &file,
                                      const std::string &architecture) const;

  std::string folder_;
  std::vector<std::string> compiler_;
  Compile compile_;
  std::mutex mutex_; // of the rest
  std::condition_variable changed_;
  std::set<std::string> in_work_;
  std::map<std::string, std::shared_ptr<const std::string>> binaries_; // by cache_key
};

} // namespace tw::kernels::generated
