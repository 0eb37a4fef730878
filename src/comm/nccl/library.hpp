// SPDX-License-Identifier: Apache-2.0
// The way to NCCL: a plug-in, opened when somebody asks for it, which opens the library. Both stay open.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/status.hpp"
#include "comm/nccl/abi.hpp"
#include "comm/nccl/plugin.hpp"

namespace tw::comm::nccl {

using Id = std::array<std::byte, kIdBytes>;

// An operation of a group, between ranks of a communicator.
using Op = tw_nccl_op;

// One rank of an ncclComm_t. Calls do not wait; one thread at a time calls. It ends in order after `finish`,
// else by an abort.
class Link {
public:
  Link(const tw_nccl_plugin &plugin, tw_nccl_comm *comm) : plugin_(plugin), comm_(comm) {}
  ~Link();
  Link(const Link &) = delete;

  // Null where `processes` is empty: this one takes no part.
  Result<std::unique_ptr<Link>> split(std::span<const int32_t> processes, int32_t rank);
  Result<bool> is_ready(); // what was called last is through
  Status launch(std::span<const Op> ops, void *stream);
  Status finish(); // all ranks call

private:
  const tw_nccl_plugin &plugin_;
  tw_nccl_comm *comm_;
  bool finishes_ = false, finished_ = false;
};

class Library {
public:
  // `path`: of libnccl.so.2, or its name as the loader looks for it. Empty: what the environment variable
  // TW_NCCL names, else "libnccl.so.2".
  static Result<std::shared_ptr<Library>> open(const std::string &path = {});

  const std::string &path() const { return path_; }
  std::string version() const; // "2.28.9"
  Result<Id> make_id();
  Result<std::unique_ptr<Link>> init(const Id &id, std::span<const int32_t> processes, int32_t rank);

private:
  Library(const tw_nccl_plugin &plugin, tw_nccl_library *library, std::string path, int32_t version)
      : plugin_(plugin), library_(library), path_(std::move(path)), version_(version) {}

  const tw_nccl_plugin &plugin_;
  tw_nccl_library *library_;
  std::string path_;
  int32_t version_;
};

// What was found, for `tw info --build`: "2.28.9 (libnccl.so.2)", or why there is none.
std::string found();

} // namespace tw::comm::nccl
