// SPDX-License-Identifier: Apache-2.0
// Events as Chrome and Perfetto read them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

namespace tw::report {

// What a row ("thread_name"), or all rows of a process ("process_name"), are called.
inline nlohmann::ordered_json named(int process, int64_t row, const char *what, const std::string &name) {
  return {{"name", what}, {"ph", "M"}, {"pid", process}, {"tid", row}, {"args", {{"name", name}}}};
}
// Times in microseconds.
inline nlohmann::ordered_json slice(int process, int64_t row, const std::string &name,
                                    nlohmann::ordered_json begin, nlohmann::ordered_json lasts,
                                    nlohmann::ordered_json args) {
  return {{"name", name},           {"ph", "X"},
          {"pid", process},         {"tid", row},
          {"ts", std::move(begin)}, {"dur", std::move(lasts)},
          {"args", std::move(args)}};
}
// A figure of a process that goes up and down.
inline nlohmann::ordered_json counter(int process, const std::string &name, nlohmann::ordered_json at,
                                      nlohmann::ordered_json figures) {
  return {{"name", name}, {"ph", "C"}, {"pid", process}, {"ts", std::move(at)}, {"args", std::move(figures)}};
}
inline std::string trace_text(nlohmann::ordered_json about, nlohmann::ordered_json events) {
  return nlohmann::ordered_json{
             {"displayTimeUnit", "ms"}, {"otherData", std::move(about)}, {"traceEvents", std::move(events)}}
             .dump() +
         "\n";
}

} // namespace tw::report
