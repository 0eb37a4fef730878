// SPDX-License-Identifier: Apache-2.0
// The way to MPI: a plug-in for each MPI library, opened when somebody asks for it.
#pragma once

#include <chrono>
#include <memory>
#include <string_view>

#include "base/status.hpp"
#include "comm/remote/transport.hpp"

namespace tw::comm {

// `library`: "openmpi" or "mpich"; empty: the one that this process has loaded, else the one that started it,
// else any that there is. For programs that leave MPI to us.
Status start_mpi(std::string_view library);
Status finish_mpi(std::string_view library);

// `comm` points at an MPI_Comm of that library; null: MPI_COMM_WORLD. All its processes call.
Result<std::unique_ptr<Transport>> open_mpi(const void *comm, std::string_view library,
                                            std::chrono::nanoseconds deadline);

} // namespace tw::comm
