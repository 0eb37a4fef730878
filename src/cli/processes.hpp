// SPDX-License-Identifier: Apache-2.0
// The processes of one run of tw: this one alone, or those that mpirun started, of which the first speaks.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cli/handles.hpp"

namespace tw::cli {

class Processes {
public:
  explicit Processes(bool mpi);

  tw_comm_t *comm() const { return comm_.get(); } // null: alone
  bool is_first() const { return tw_comm_rank(comm_.get()) == 0; }

  // What all were told alike: names and values.
  using Facts = std::vector<std::pair<std::string, std::string>>;
  void agree(const Facts &facts) const;
  // The hosts on which the devices of a plan run, as `--levels` has them; empty where that is one.
  std::string levels(const tw_plan_t *plan) const;
  // The first one's exit status, on all of them.
  int verdict(int status) const;
  // Tells the others that this one gives up, unless it is theirs that it heard.
  void fail(const Failure &failure) const;
  // Whether it is for this process to print a failure: its own, or of the first one what all have come to
  // alike.
  bool prints(const Failure &failure) const;

  // Leaves MPI where all went well. Where not, the process ends without: MPI would wait for the others.
  void finish();

private:
  Comm comm_;
  bool mpi_;
};

// Does the work of a verb in all processes. The exit status is the first one's; where one fails, the others
// hear of it, and who should prints it.
int in_processes(bool mpi, const std::function<int(const Processes &)> &body);

} // namespace tw::cli
