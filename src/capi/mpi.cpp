// SPDX-License-Identifier: Apache-2.0
// tw_mpi.h, and the communicators of tw_runtime.h.
#include "comm/mpi/mpi.hpp"

#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include <tilewright/tw_mpi.h>

using namespace tw;
using namespace tw::capi;

namespace {

const char *or_empty(const char *text) { return text ? text : ""; }

} // namespace

tw_status_t tw_comm_create_mpi(const void *mpi_comm, const tw_mpi_options_t *options, tw_comm_t **out_comm) {
  return guard([&]() -> Status {
    TW_TRY(require(out_comm, "out_comm"));
    double deadline = 30;
    if (has_field(options, &tw_mpi_options_t::deadline) && options->deadline != 0)
      deadline = options->deadline;
    if (!(deadline > 0 && deadline < 1e9))
      return fail(Code::out_of_range, "TW-722", fmt::format("a deadline of {} s", deadline));
    const auto time =
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(deadline));
    const char *library = has_field(options, &tw_mpi_options_t::library) ? options->library : nullptr;
    TW_ASSIGN(auto transport, comm::open_mpi(mpi_comm, or_empty(library), time));
    *out_comm = new tw_comm(std::make_shared<comm::Processes>(std::move(transport), time));
    return {};
  });
}

tw_status_t tw_mpi_start(const char *library) {
  return guard([&] { return comm::start_mpi(or_empty(library)); });
}

tw_status_t tw_mpi_finish(const char *library) {
  return guard([&] { return comm::finish_mpi(or_empty(library)); });
}

tw_comm_t *tw_comm_retain(tw_comm_t *comm) {
  if (comm)
    comm->retain();
  return comm;
}
void tw_comm_release(tw_comm_t *comm) {
  if (comm)
    comm->release();
}
int32_t tw_comm_rank(const tw_comm_t *comm) {
  return comm ? static_cast<int32_t>(comm->processes->rank()) : 0;
}
int32_t tw_comm_size(const tw_comm_t *comm) {
  return comm ? static_cast<int32_t>(comm->processes->size()) : 1;
}
