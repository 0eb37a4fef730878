// SPDX-License-Identifier: Apache-2.0
// What an executable did, as JSON: the last things of each device, every part of every step for a viewer of
// traces, and what steps cost.
#pragma once

#include <string>

#include "runtime/executable.hpp"

namespace tw::report {

// {"steps": [{"step", "name", "bytes"}], "devices": [{"device", "at", "state", "records": [{"us", "for_us",
// "did", "first", "last", "worker"}]}]} of the last run: where each device is, and the records of its flight
// recorder. Times count from the making of the executable.
std::string flight_json(const runtime::Executable &executable);

// Chrome's trace events (chrome://tracing, Perfetto): a track for each device and one for each worker, since
// the executable was made. Of one that was made to trace.
std::string trace_json(const runtime::Executable &executable);

// {"runs", "steps": [{"step", "name", "kernel", "shape", "location", "ops", "calls", "ns", "flops",
// "bytes"}]}, since the executable was made; ns is processor time of all workers together. Of one that was
// made to profile.
std::string profile_json(const runtime::Executable &executable);

// {"steps", "of", "bytes", "groups": [{"name", "steps", "bytes", "reason"}]}: the steps of a run that the
// host takes for devices that are not the host, out of how many, and what is copied for it.
std::string on_host_json(const runtime::Executable &executable);

} // namespace tw::report
