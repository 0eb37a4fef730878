// SPDX-License-Identifier: Apache-2.0
// The processes of one `tw run`: this one alone, or those that mpirun started, of which the first speaks.
#pragma once

#include "cli/handles.hpp"

namespace tw::cli {

class Processes {
public:
  explicit Processes(bool mpi);

  tw_comm_t *comm() const { return comm_.get(); } // null: alone
  bool is_first() const { return tw_comm_rank(comm_.get()) == 0; }
  // Leaves MPI where all went well. Where not, the process ends without: MPI would wait for the others.
  void finish();

private:
  Comm comm_;
  bool mpi_;
};

} // namespace tw::cli
