// SPDX-License-Identifier: Apache-2.0
// Where files are written before they are what they are to be: DST.partial, which one process at a time works
// in, and which the next one continues.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/status.hpp"
#include "store/file.hpp"

namespace tw::store {

class JobFolder {
public:
  // Opens the folder for a job, or makes it. An error where DST is there, where another process is at work,
  // or where the folder holds another job: `job` is equal for equal ones.
  static Result<std::unique_ptr<JobFolder>> open(const std::string &dst, const std::string &job);

  // DST is there already and was made by this very job, which did not come to its end.
  bool is_done() const { return done_; }
  std::string path(const std::string &name) const; // of a file; "" the one file that DST is to be
  std::string files() const;                       // the folder of them all
  // Bytes of a file that an earlier process wrote and that are surely there.
  uint64_t written(const std::string &name) const;
  Status forget(); // what was written before
  // All of DST at once, and the folder goes.
  Status finish(bool is_file);

private:
  JobFolder(std::string dst) : dst_(std::move(dst)), folder_(dst_ + ".partial") {}
  const std::string dst_, folder_;
  std::shared_ptr<const Descriptor> lock_;
  bool done_ = false;

  Status begin(const std::string &job);
  Status remove();
};

} // namespace tw::store
