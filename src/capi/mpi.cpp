// SPDX-License-Identifier: Apache-2.0
// tw_mpi.h, and the communicators of tw_runtime.h.
#include "comm/mpi/mpi.hpp"

#include <chrono>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "capi/call.hpp"
#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "comm/remote/hosts.hpp"
#include "partition/plan.hpp"
#include <tilewright/tw_mpi.h>

using namespace tw;
using namespace tw::capi;

namespace {

const char *or_empty(const char *text) { return text ? text : ""; }

} // namespace

tw_status_t tw_comm_create_mpi(const void *mpi_comm, const tw_mpi_options_t *options, tw_comm_t **out_comm) {
  return guard([&]() -> Status {
    TW_TRY(require(out_comm, "out_comm"));
    TW_TRY(check_options(options));
    const double deadline = has_field(options, &tw_mpi_options_t::deadline) ? options->deadline : 0;
    TW_ASSIGN(const auto time, checked_comm_deadline(deadline));
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

tw_status_t tw_comm_agree(tw_comm_t *comm, const char *const *names, const char *const *values,
                          size_t num_facts) {
  return guard([&]() -> Status {
    TW_TRY(require(comm, "comm"));
    if (num_facts != 0) {
      TW_TRY(require(names, "names"));
      TW_TRY(require(values, "values"));
    }
    std::vector<comm::Fact> facts;
    for (size_t i = 0; i < num_facts; ++i) {
      TW_TRY(require_at(names[i], "names", i));
      TW_TRY(require_at(values[i], "values", i));
      facts.push_back({names[i], values[i]});
    }
    return comm->processes->agree(facts);
  });
}

tw_status_t tw_comm_share(tw_comm_t *comm, int32_t root, int64_t *value) {
  return guard([&]() -> Status {
    TW_TRY(require(comm, "comm"));
    TW_TRY(require(value, "value"));
    if (root < 0 || root >= comm->processes->size())
      return fail(Code::out_of_range, "TW-722",
                  fmt::format("process {} of {}", root, comm->processes->size()));
    return comm->processes->share(root, std::as_writable_bytes(std::span(value, 1)));
  });
}

tw_status_t tw_comm_levels(tw_comm_t *comm, const tw_plan_t *plan, tw_blob_t **out_levels) {
  return guard([&]() -> Status {
    TW_TRY(require(comm, "comm"));
    TW_TRY(require(plan, "plan"));
    TW_TRY(require(out_levels, "out_levels"));
    TW_ASSIGN(std::string levels, comm::levels_of(plan->plan->mesh(), comm->processes));
    return give(std::move(levels), out_levels);
  });
}

tw_status_t tw_comm_fail(tw_comm_t *comm, tw_status_t status, const char *message) {
  return guard([&]() -> Status {
    TW_TRY(require(comm, "comm"));
    TW_TRY(require(message, "message"));
    if (status <= TW_OK || status > TW_DEVICE_LOST)
      return fail(Code::invalid_argument, "TW-722", fmt::format("{} is no status of a failure", status));
    comm->processes->abort(Error(static_cast<Code>(status), "TW-646", message));
    return {};
  });
}
