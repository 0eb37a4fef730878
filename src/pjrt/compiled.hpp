// SPDX-License-Identifier: Apache-2.0
// A program that was compiled: what there is to know of it, and what runs it. Does not know devices: those
// are of who loaded it.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pjrt/array_spec.hpp"
#include "pjrt/client.hpp"
#include "pjrt/processes.hpp"

namespace tw::pjrt {

struct Compiled {
  std::string code;        // as it was given
  std::string name;        // of the module
  std::string fingerprint; // of code, partitions and the client's options
  int64_t num_partitions = 1;
  std::string policy; // of its plan
  ProgramHandle program;
  // Where several processes run it: those, and what runs it is the team's; programs of one identity are the
  // same.
  std::shared_ptr<Team> team;
  std::string identity;
  ExecutableHandle executable;
  std::vector<ArraySpec> arguments, results;
  std::vector<int64_t> partitions;   // of each position of the mesh
  std::vector<size_t> positions;     // of each partition of this process: its place among those
  std::vector<bool> is_donated;      // by argument
  std::vector<int64_t> result_in;    // by argument: the result that is made in its memory, or -1
  std::vector<int64_t> argument_of;  // by result: the argument in whose memory it is made, or -1
  std::vector<size_t> result_owners; // by result, by position: the first that makes the same, in one memory
  bool is_whole = true;              // runs take whole arrays; else tiles
  bool is_quick = false;             // runs take less time than handing them over

  // What the table answers, as lists.
  std::vector<abi::Type> result_types;
  std::vector<int64_t> result_dims;
  std::vector<size_t> result_ranks;
  struct Texts {
    std::vector<const char *> data;
    std::vector<size_t> sizes;
    void add(const std::string &text);
  };
  Texts argument_shardings, result_shardings, argument_kinds, result_kinds;
  std::span<const abi::NamedValue> costs() const; // found when it is first asked for
  int64_t bytes_accessed = 0;                     // by all devices, bodies of loops once
  abi::ExecutableMemoryStats::Figures bytes{};    // of a device
  int64_t peak_bytes = 0;

private:
  mutable std::once_flag costs_known_;
  mutable NamedValues costs_;
};

// Everything from the bytes of a module to what runs. A Failure has the op and its source line. `team`: who
// runs it; null: this process alone.
std::shared_ptr<const Compiled> compile(Client &client, std::string_view code, int64_t num_partitions,
                                        const std::string &policy, std::shared_ptr<Team> team);

// How what runs it is made.
tw_executable_options_t options_of(const Compiled &compiled, const tw_context_t *context);

} // namespace tw::pjrt
