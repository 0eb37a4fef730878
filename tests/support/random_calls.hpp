// SPDX-License-Identifier: Apache-2.0
// A sequence of calls of the C interface, chosen by bytes: builds a program, looks at it, plans it, lowers it
// and runs it. Most calls are right; wrong ones must be refused as the headers say.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "support/call_bytes.hpp"
#include <tilewright/tw.h>

namespace tw::test {

template <auto release> struct Release {
  template <class T> void operator()(T *object) const { release(object); }
};
template <class T, auto release> using Handle = std::unique_ptr<T, Release<release>>;
using BuilderHandle = Handle<tw_builder_t, tw_builder_release>;
using GraphHandle = Handle<tw_graph_t, tw_graph_release>;
using MeshHandle = Handle<tw_mesh_t, tw_mesh_release>;
using PlanHandle = Handle<tw_plan_t, tw_plan_release>;
using ProgramHandle = Handle<tw_program_t, tw_program_release>;
using ExecutableHandle = Handle<tw_executable_t, tw_executable_release>;
using TensorHandle = Handle<tw_tensor_t, tw_tensor_release>;
using BlobHandle = Handle<tw_blob_t, tw_blob_release>;

// What was done, and the first thing that was wrong; then everything else is left out.
class CallLog {
public:
  explicit CallLog(bool print) : print_(print) {}
  void say(const std::string &line) const;
  void wrong(std::string what); // keeps the first
  bool is_wrong() const { return !problem_.empty(); }
  const std::string &problem() const { return problem_; }

  // Whether a call succeeded. One that did not must have left a status that says what the caller can do, an
  // id, and one line of text.
  bool ok(tw_status_t status, const char *call);
  // The same of a call that makes something: it is there afterwards where the call succeeded, and untouched
  // where not.
  template <class H, class Make> H made(const char *call, Make &&make) {
    using T = typename H::element_type;
    auto *const untouched = reinterpret_cast<T *>(uintptr_t{0x5a5a5a50});
    T *out = untouched;
    const bool good = ok(make(&out), call);
    if (good ? out == untouched || out == nullptr : out != untouched)
      wrong(std::string(call) + (good ? " made nothing" : " wrote its output though it failed"));
    return H(good && out != untouched ? out : nullptr);
  }
  // A document; "" where there is none.
  template <class Make> std::string text(const char *call, Make &&make) {
    const auto blob = made<BlobHandle>(call, make);
    return blob ? std::string(tw_blob_data(blob.get()), tw_blob_size(blob.get())) : std::string();
  }

private:
  bool print_;
  std::string problem_;
};

// A program as the calls that make it, so that it can be made again.
class BuiltCalls {
public:
  explicit BuiltCalls(CallLog &log) : log_(log) {}

  void add_one(CallBytes &bytes); // one more call; it stays where the builder takes it
  // The program with some of its values as results, or all.
  GraphHandle finish(CallBytes &bytes) const;
  GraphHandle finish_with_all() const;
  size_t num_values() const { return values_.size(); }
  bool has_foreign_code() const { return foreign_; }

private:
  struct Known {
    tw_value_t value;
    tw_dtype_t dtype;
    std::vector<int64_t> dims;
  };
  struct Call {
    std::string text;                                                // for people
    std::function<tw_value_t(tw_builder_t *, tw_value_t *out)> make; // writes at most kMostResults results
    bool foreign = false;
  };
  class Chooser;

  static constexpr size_t kMostResults = 4;
  BuilderHandle replay() const;
  GraphHandle finish(tw_builder_t *builder, std::span<const size_t> results) const;
  void attempt(Call call);

  CallLog &log_;
  std::vector<Call> calls_;
  std::vector<Known> values_;
  bool foreign_ = false;
};

// Empty, or what went wrong. `print` says on standard output what is done.
std::string run_random_calls(std::span<const uint8_t> bytes, bool print);

} // namespace tw::test
