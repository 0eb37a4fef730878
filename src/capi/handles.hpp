// SPDX-License-Identifier: Apache-2.0
// What the opaque handles of the C ABI are: a reference count around a shared immutable object, or around one
// being built.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/blob.hpp"
#include "base/log.hpp"
#include "base/ref_counted.hpp"
#include "base/worker_pool.hpp"
#include "comm/remote/processes.hpp"
#include "cost/estimate.hpp"
#include "device/queue.hpp"
#include "device/where.hpp"
#include "import/import.hpp"
#include "kernels/custom_calls.hpp"
#include "redistribute/lost.hpp"
#include "redistribute/planner.hpp"
#include "report/estimate.hpp"
#include "report/facts.hpp"
#include "report/subject.hpp"
#include "runtime/executable.hpp"
#include "runtime/redistributor.hpp"
#include "runtime/tensor.hpp"
#include "sharding/halo.hpp"
#include "sharding/mesh.hpp"
#include "spmd/program.hpp"
#include "system/system.hpp"
#include <tilewright/tw.h>

namespace tw::partition {
class Plan;
}

struct tw_error {
  tw::Error error;
};

struct tw_blob final : tw::RefCounted {
  explicit tw_blob(std::string text) : blob(tw::Blob::from(std::move(text))) {}
  tw::Ref<const tw::Blob> blob;
};

struct tw_context final : tw::RefCounted {
  ~tw_context() override;
  tw_context_options_t options{};
  tw::Log log() const; // which must not outlive the context
  tw::HostExecutor host() const { return {options.parallel_for, options.parallel_for_user}; }
  // The workers that its executables share; made when first asked for.
  std::shared_ptr<tw::WorkerPool> pool() const;

private:
  mutable std::mutex mutex_;
  mutable std::shared_ptr<tw::WorkerPool> pool_;
};

struct tw_mesh final : tw::RefCounted {
  explicit tw_mesh(tw::sharding::Mesh m) : mesh(std::move(m)) {}
  tw::sharding::Mesh mesh;
};

struct tw_sharding final : tw::RefCounted {
  tw_sharding(tw::sharding::Mesh m, tw::graph::Shape s, tw::sharding::Distribution l,
              std::vector<bool> o = {}, std::vector<int32_t> p = {});
  const tw::sharding::Mesh mesh; // with the parts of axes that the layout names
  const tw::graph::Shape dims;
  const tw::sharding::Distribution layout;
  const tw::sharding::Distribution shown; // spans that are tiles and what lies around them, as these
  const std::vector<bool> open;           // by dimension; none: all are closed
  const std::vector<int32_t> priorities;  // the same; none: 0
  // What the views point at.
  std::vector<std::vector<tw_axis_part_t>> parts; // by dimension
  std::vector<tw_partial_t> partials;
};

struct tw_custom_calls final : tw::RefCounted {
  std::shared_ptr<const tw::kernels::CustomCalls> calls = std::make_shared<tw::kernels::CustomCalls>();
};

struct tw_graph final : tw::RefCounted {
  explicit tw_graph(std::shared_ptr<const tw::import::Imported> i);
  std::shared_ptr<const tw::import::Imported> imported; // a built graph has no annotations and no notes
  std::shared_ptr<const tw::kernels::CustomCalls> custom_calls; // null: none
  std::vector<tw::ops::OpaqueRule> rules;                       // what they say of the graph's calls
  std::vector<std::string> argument_names, result_names;
  std::string mesh_text;
  double import_ms = 0;
  const tw::graph::Graph &graph() const { return *imported->graph; }
};

struct tw_plan final : tw::RefCounted {
  tw_plan(std::shared_ptr<const tw::import::Imported> i, std::shared_ptr<tw::partition::Plan> p)
      : imported(std::move(i)), plan(std::move(p)) {}
  std::shared_ptr<const tw::import::Imported> imported;
  std::shared_ptr<tw::partition::Plan> plan;
  std::shared_ptr<const tw::kernels::CustomCalls> custom_calls;
  std::vector<std::string> notes; // annotations that were left out, and why
  tw::report::Timing timing;
  // Who is told of actions. At most one; it ends when another one takes its place.
  struct Listener {
    tw_action_fn callback = nullptr;
    void *user = nullptr;
    tw_destroy_fn destroy = nullptr;
    ~Listener() {
      if (destroy != nullptr)
        destroy(user);
    }
  };
  std::shared_ptr<const Listener> listener;
};

struct tw_program final : tw::RefCounted {
  tw_program(tw::report::Subject s, std::shared_ptr<const tw::kernels::CustomCalls> c)
      : subject(std::move(s)), custom_calls(std::move(c)) {}
  tw::report::Subject subject;
  std::shared_ptr<const tw::kernels::CustomCalls> custom_calls;
  // Valid as long as the program lives.
  const tw::report::Facts &facts() const { return *tw::report::facts_of(subject); }
};

struct tw_system final : tw::RefCounted {
  explicit tw_system(tw::system::System s) : system(std::move(s)) {}
  const tw::system::System system;
};

struct tw_estimate final : tw::RefCounted {
  tw_estimate(tw::Ref<const tw_program> p, tw::Ref<const tw_system> s, tw::cost::Estimate e)
      : program(std::move(p)), system(std::move(s)), estimate(std::move(e)) {}
  const tw::Ref<const tw_program> program;
  const tw::Ref<const tw_system> system;
  const tw::cost::Estimate estimate;
  // Found when first asked for.
  const tw::report::EstimateFacts &facts() const;
  tw::report::Estimated estimated() const {
    return {program->subject, estimate, facts(), system->system.file};
  }

private:
  mutable std::once_flag found_;
  mutable std::unique_ptr<const tw::report::EstimateFacts> facts_;
};

struct tw_redistribution final : tw::RefCounted {
  std::string mesh, src, dst; // as the caller wrote them
  std::shared_ptr<const tw::redistribute::Problem> problem;
  tw::redistribute::PlanOptions options;
  tw::redistribute::Costed chosen;
  std::vector<tw::redistribute::Missing> missing;
  double synthesis_us = 0;
};

struct tw_redistributor final : tw::RefCounted {
  tw_redistributor(tw::Ref<const tw_context> c, std::unique_ptr<tw::runtime::Redistributor> r,
                   std::shared_ptr<tw::WorkerPool> p)
      : context(std::move(c)), redistributor(std::move(r)), pool(std::move(p)) {}
  const tw::Ref<const tw_context> context; // whose allocator owns the memory
  std::unique_ptr<tw::runtime::Redistributor> redistributor;
  std::shared_ptr<tw::WorkerPool> pool;
};

struct tw_tensor final : tw::RefCounted {
  explicit tw_tensor(tw::runtime::Tensor t) : tensor(std::move(t)) {}
  tw::Ref<const tw_context> context; // whose allocator owns the memory
  bool read_only = false;            // wraps memory that must not be written
  // Behind this event the elements are there; null: they are.
  std::shared_ptr<tw::device::Event> ready() const {
    if (!is_late_.load(std::memory_order_acquire))
      return nullptr;
    const std::lock_guard lock(mutex_);
    return ready_;
  }
  void set_ready(std::shared_ptr<tw::device::Event> event) const {
    const std::lock_guard lock(mutex_);
    ready_ = std::move(event);
    is_late_.store(ready_ != nullptr, std::memory_order_release);
  }
  tw::runtime::Tensor tensor;

private:
  mutable std::mutex mutex_;
  mutable std::shared_ptr<tw::device::Event> ready_;
  mutable std::atomic<bool> is_late_{false}; // so that nobody locks who need not
};

struct tw_stream final : tw::RefCounted {
  tw_stream(tw::device::Where w, std::unique_ptr<tw::device::Queue> q, bool o)
      : where(w), is_ours(o), queue(std::move(q)) {}
  ~tw_stream() override;
  const tw::device::Where where;
  const bool is_ours; // else the program's
  const std::unique_ptr<tw::device::Queue> queue;
  // What its commands use until this event is reached.
  struct Kept {
    std::shared_ptr<tw::device::Event> behind;
    tw::Ref<const tw_tensor> src, dst;
    tw::device::Memory between;
  };
  std::vector<Kept> kept;
};

struct tw_event final : tw::RefCounted {
  tw_event(tw::device::Where w, std::unique_ptr<tw::device::Event> e) : where(w), event(std::move(e)) {}
  const tw::device::Where where;
  const std::unique_ptr<tw::device::Event> event;
};

struct tw_comm final : tw::RefCounted {
  explicit tw_comm(std::shared_ptr<tw::comm::Processes> p) : processes(std::move(p)) {}
  std::shared_ptr<tw::comm::Processes> processes;
};

struct tw_executable final : tw::RefCounted {
  tw_executable(tw::Ref<const tw_context> c, std::shared_ptr<tw::runtime::Executable> e)
      : context(std::move(c)), executable(std::move(e)) {}
  tw::Ref<const tw_context> context; // its allocator outlives the arenas
  std::shared_ptr<tw::runtime::Executable> executable;
  int32_t observe = 0; // TW_OBSERVE_*
};

struct tw_run final : tw::RefCounted {
  explicit tw_run(tw::Ref<tw_executable> e) : executable(std::move(e)) {}
  ~tw_run() override;
  tw::Ref<tw_executable> executable;
  std::vector<tw::Ref<const tw_tensor>> inputs; // until it is over
  std::vector<tw::Ref<tw_tensor>> outputs;
  tw::Ref<tw_stream> stream;
  uint64_t number = 0;
  bool over = true; // nobody works on it, and the executable may run again
  std::optional<tw::Error> error;
};

namespace tw::capi {

// A JSON document: what an object means is said by its schema. Strings of attributes, which may hold any
// bytes, are shown with U+FFFD for those that are no UTF-8.
template <class Json> std::string json_text(Json json) {
  if (json.is_object()) {
    Json document = {{"schema", report::kSchema}};
    document.update(json);
    json = std::move(document);
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// Gives a text away as a blob.
inline Status give(std::string text, tw_blob_t **out) {
  *out = new tw_blob(std::move(text));
  return {};
}

// A graph with what the host knows of its custom_calls; each of these is checked.
Result<Ref<tw_graph>> make_graph(import::Imported imported,
                                 std::shared_ptr<const kernels::CustomCalls> custom_calls);

// A handle of another plan of the same program. What is known of that goes along, who listens does not.
Ref<tw_plan> handle_of(const tw_plan &like, std::shared_ptr<partition::Plan> plan);

// A type given as a C triple: a known element type, and what graph::check_size asks for.
Result<graph::TensorType> checked_type(tw_dtype_t dtype, const int64_t *dims, size_t ndims);
// Memory of the caller for an array: there, and aligned as kernels, the host's own among them, read it.
Status check_memory(const graph::TensorType &type, const void *data, const char *name);

// Whether an option struct of the caller's (possibly older) version reaches up to a field.
template <class Options, class Field> bool has_field(const Options *options, const Field Options::*field) {
  if (!options)
    return false;
  const auto *end = reinterpret_cast<const char *>(&(options->*field)) + sizeof(Field);
  return static_cast<size_t>(end - reinterpret_cast<const char *>(options)) <= options->struct_size;
}

// The whole struct, with zeros behind where the caller's ends; null: all of it zeros.
template <class Options> Options completed(const Options *given) {
  Options all{};
  if (given != nullptr)
    std::memcpy(&all, given, std::min(given->struct_size, sizeof all));
  return all;
}

} // namespace tw::capi
