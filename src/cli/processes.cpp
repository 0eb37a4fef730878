// SPDX-License-Identifier: Apache-2.0
// tw leaves MPI to the library.
#include "cli/processes.hpp"

#include <tilewright/tw_mpi.h>

namespace tw::cli {

Processes::Processes(bool mpi) : mpi_(mpi) {
  if (!mpi)
    return;
  check(tw_mpi_start(nullptr));
  comm_ = make<Comm>([](tw_comm_t **out) { return tw_comm_create_mpi(nullptr, nullptr, out); });
}

void Processes::finish() {
  comm_.reset();
  if (mpi_)
    check(tw_mpi_finish(nullptr));
}

} // namespace tw::cli
