// SPDX-License-Identifier: Apache-2.0
// tw_store.h: arrays on disk.
#include <utility>

#include <nlohmann/json.hpp>

#include "capi/call.hpp"
#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "store/rename.hpp"
#include "store/reshard.hpp"
#include "store/set.hpp"
#include "store/write_arrays.hpp"
#include <tilewright/tw_store.h>

using namespace tw;
using namespace tw::capi;

struct tw_store final : tw::RefCounted {
  explicit tw_store(store::Set s) : set(std::move(s)) {}
  const store::Set set;
  const store::Array *find(size_t i) const { return i < set.arrays().size() ? &set.arrays()[i] : nullptr; }
};

namespace {

Result<const store::Array *> array_of(const tw_store_t *store, size_t array) {
  TW_TRY(require(store, "store"));
  if (const store::Array *found = store->find(array))
    return found;
  return fail(Code::out_of_range, "TW-722",
              fmt::format("array {}: the set has {}", array, store->set.arrays().size()));
}

// Dense tensors of the host.
Result<store::InMemory> in_memory(const char *name, const tw_tensor_t *tensor) {
  TW_TRY(check_on_host(tensor, name));
  const runtime::Tensor &t = tensor->tensor;
  return store::InMemory{name, t.type(), t.data()};
}

Result<store::Placement> placement_of(const store::Set &set, const tw_mesh_t *mesh,
                                      const tw_sharding_t *const *shardings, size_t num_shardings) {
  store::Placement placement;
  placement.whole = mesh == nullptr;
  if (placement.whole && num_shardings != 0)
    return fail(Code::invalid_argument, "TW-722", "shardings are given, and no mesh");
  if (placement.whole)
    return placement;
  if (num_shardings != set.arrays().size())
    return fail(
        Code::invalid_argument, "TW-722",
        fmt::format("{} shardings are given, the set has {} arrays", num_shardings, set.arrays().size()));
  TW_TRY(require(shardings, "shardings"));
  placement.mesh = mesh->mesh;
  for (size_t a = 0; a < num_shardings; ++a) {
    const store::Array &array = set.arrays()[a];
    if (shardings[a] == nullptr) {
      placement.arrays.push_back({mesh->mesh, sharding::Sharding::replicated(array.dims.size())});
      continue;
    }
    const tw_sharding &given = *shardings[a];
    if (given.mesh.num_devices() != mesh->mesh.num_devices())
      return fail(Code::invalid_argument, "TW-722",
                  fmt::format("shardings[{}] is over a mesh of {} devices, not {}", a,
                              given.mesh.num_devices(), mesh->mesh.num_devices()));
    if (given.dims != array.dims)
      return fail(Code::invalid_argument, "TW-903",
                  fmt::format("shardings[{}] is of {}, array '{}' is {}", a,
                              graph::to_short_text({array.dtype, given.dims}), array.name,
                              graph::to_short_text({array.dtype, array.dims})));
    for (const sharding::Halo &halo : given.layout.halos)
      if (!halo.empty())
        return fail(Code::invalid_argument, "TW-903",
                    fmt::format("array '{}': files hold no halos around tiles", array.name));
    placement.arrays.push_back({given.mesh, given.layout.sharding});
  }
  return placement;
}

nlohmann::ordered_json json_of(const store::ReshardReport &report) {
  return {{"arrays", report.arrays},
          {"files_read", report.files_read},
          {"files_written", report.files_written},
          {"bytes_read", report.bytes_read},
          {"least_bytes_read", report.least_bytes_read},
          {"bytes_written", report.bytes_written},
          {"least_bytes_written", report.least_bytes_written},
          {"bytes_kept", report.bytes_kept},
          {"peak_memory_bytes", report.peak_memory_bytes},
          {"seconds", report.seconds},
          {"verified", report.verified},
          {"left_out", report.left_out}};
}

} // namespace

tw_status_t tw_store_open(const char *path, const tw_store_options_t *options, tw_store_t **out_store) {
  return guard([&]() -> Status {
    TW_TRY(require(path, "path"));
    TW_TRY(require(out_store, "out_store"));
    TW_TRY(check_options(options));
    const auto given = completed(options);
    TW_ASSIGN(auto set, store::Set::open(path, given.format != nullptr ? given.format : ""));
    if (given.rename != nullptr) {
      TW_TRY(require_text(given.rename, "rename"));
      TW_TRY(store::rename_arrays(set, given.rename,
                                  given.rename_file != nullptr ? given.rename_file : "rename"));
    }
    *out_store = new tw_store(std::move(set));
    return {};
  });
}

tw_store_t *tw_store_retain(tw_store_t *store) {
  if (store)
    store->retain();
  return store;
}

void tw_store_release(tw_store_t *store) {
  if (store)
    store->release();
}

const char *tw_store_format(const tw_store_t *store) { return store ? store->set.format().name : nullptr; }

size_t tw_store_num_arrays(const tw_store_t *store) { return store ? store->set.arrays().size() : 0; }

const char *tw_store_array_name(const tw_store_t *store, size_t array) {
  const store::Array *found = store ? store->find(array) : nullptr;
  return found ? found->name.c_str() : nullptr;
}

tw_dtype_t tw_store_array_dtype(const tw_store_t *store, size_t array) {
  const store::Array *found = store ? store->find(array) : nullptr;
  return found ? static_cast<tw_dtype_t>(found->dtype) : 0;
}

const int64_t *tw_store_array_dims(const tw_store_t *store, size_t array, size_t *out_ndims) {
  static const int64_t none = 0;
  const store::Array *found = store ? store->find(array) : nullptr;
  if (!found || !out_ndims)
    return nullptr;
  *out_ndims = found->dims.size();
  return found->dims.empty() ? &none : found->dims.data();
}

const char *tw_store_array_problem(const tw_store_t *store, size_t array) {
  const store::Array *found = store ? store->find(array) : nullptr;
  return found ? found->problem.c_str() : nullptr;
}

const char *tw_store_array_foreign(const tw_store_t *store, size_t array) {
  const store::Array *found = store ? store->find(array) : nullptr;
  return found ? found->foreign.c_str() : nullptr;
}

size_t tw_store_num_parts(const tw_store_t *store, size_t array) {
  const store::Array *found = store ? store->find(array) : nullptr;
  return found ? found->parts.size() : 0;
}

tw_status_t tw_store_part(const tw_store_t *store, size_t array, size_t part, tw_store_part_t *out_part) {
  return guard([&]() -> Status {
    TW_ASSIGN(const store::Array *found, array_of(store, array));
    TW_TRY(require(out_part, "out_part"));
    if (part >= found->parts.size())
      return fail(Code::out_of_range, "TW-722",
                  fmt::format("part {}: array '{}' has {}", part, found->name, found->parts.size()));
    const store::Part &p = found->parts[part];
    *out_part = {found->dims.size(),
                 p.box.offset.data(),
                 p.box.extent.data(),
                 p.strides.data(),
                 store->set.sources()[p.source]->path().c_str(),
                 p.at,
                 p.swapped,
                 {}};
    return {};
  });
}

tw_status_t tw_store_read(const tw_store_t *store, size_t array, const int64_t *offset, const int64_t *extent,
                          const int64_t *strides, void *to) {
  return guard([&]() -> Status {
    TW_ASSIGN(const store::Array *found, array_of(store, array));
    if (!found->problem.empty())
      return store->set.read(array, {}, nullptr, {}); // which says it
    const size_t rank = found->dims.size();
    if (rank != 0) {
      TW_TRY(require(offset, "offset"));
      TW_TRY(require(extent, "extent"));
    }
    const sharding::Box box{{offset, offset + rank}, {extent, extent + rank}};
    for (size_t d = 0; d < rank; ++d) {
      if (offset[d] < 0 || extent[d] < 0 || extent[d] > found->dims[d] ||
          offset[d] > found->dims[d] - extent[d])
        return fail(Code::out_of_range, "TW-722",
                    fmt::format("box {} lies outside {}", store::box_text(box), store::described(*found)));
      if (strides != nullptr && strides[d] < 0)
        return fail(Code::invalid_argument, "TW-722", fmt::format("strides[{}] is {}", d, strides[d]));
    }
    if (box.empty())
      return {};
    TW_TRY(require(to, "to"));
    return store->set.read(array, box, to,
                           strides != nullptr
                               ? store::Strides(strides, strides + rank)
                               : store::dense_strides(box.extent, graph::byte_size(found->dtype)));
  });
}

tw_status_t tw_store_read_tensor(const tw_store_t *store, size_t array, const int64_t *offset,
                                 tw_tensor_t *tensor) {
  return guard([&]() -> Status {
    TW_ASSIGN(const store::Array *found, array_of(store, array));
    TW_TRY(require(tensor, "tensor"));
    TW_TRY(check_on_host(tensor, "tensor"));
    TW_TRY(check_writable(tensor));
    const graph::TensorType &type = tensor->tensor.type();
    if (found->problem.empty() && (type.dtype != found->dtype || type.dims.size() != found->dims.size()))
      return fail(Code::invalid_argument, "TW-722",
                  fmt::format("the tensor is {}, the array {}", graph::to_short_text(type),
                              store::described(*found)));
    // Which compares the box with the array.
    return tw_store_read(store, array, offset, type.dims.data(), nullptr, tensor->tensor.data()) == TW_OK
               ? Status()
               : fail(std::move(*exchange_last_error(std::nullopt)));
  });
}

tw_status_t tw_store_read_missing(const tw_store_t *store, size_t array, const tw_redistribution_t *plan,
                                  size_t device, tw_tensor_t *tile, int64_t *out_bytes) {
  return guard([&]() -> Status {
    TW_ASSIGN(const store::Array *const from, array_of(store, array));
    TW_TRY(require(plan, "plan"));
    TW_TRY(require(tile, "tile"));
    TW_TRY(check_on_host(tile, "tile"));
    TW_TRY(check_writable(tile));
    TW_TRY(require(out_bytes, "out_bytes"));
    if (!from->problem.empty())
      return store->set.read(array, {}, nullptr, {}); // which says it
    const redistribute::Problem &problem = *plan->problem;
    if (device >= problem.num_devices())
      return fail(Code::out_of_range, "TW-704",
                  fmt::format("device {} of a redistribution over {}", device, problem.num_devices()));
    const graph::TensorType &type = problem.type();
    const bool is_scalar = from->dims.empty(); // which is moved as an array of one element
    if (from->dtype != type.dtype || (is_scalar ? graph::Shape{1} : from->dims) != type.dims)
      return fail(Code::invalid_argument, "TW-903",
                  fmt::format("array '{}' is {}, and what moves is {}", from->name,
                              graph::to_short_text({from->dtype, from->dims}), graph::to_short_text(type)));
    const sharding::Box whole = problem.dst_box(static_cast<redistribute::Device>(device));
    const graph::TensorType wanted{type.dtype, is_scalar ? graph::Shape() : graph::Shape(whole.extent)};
    if (tile->tensor.type() != wanted)
      return fail(Code::invalid_argument, "TW-903",
                  fmt::format("the tile is {}, that of device {} is {}",
                              graph::to_short_text(tile->tensor.type()),
                              problem.device_id(static_cast<redistribute::Device>(device)),
                              graph::to_short_text(wanted)));
    std::vector<int64_t> strides(whole.extent.size(), problem.item_size());
    for (size_t d = strides.size(); d-- > 1;)
      strides[d - 1] = strides[d] * whole.extent[d];
    *out_bytes = 0;
    for (const redistribute::Missing &missing : plan->missing) {
      if (static_cast<size_t>(missing.device) != device)
        continue;
      std::byte *to = tile->tensor.data();
      for (size_t d = 0; d < strides.size(); ++d)
        to += (missing.box.offset[d] - whole.offset[d]) * strides[d];
      if (is_scalar)
        TW_TRY(store->set.read(array, {}, to, {}));
      else
        TW_TRY(store->set.read(array, missing.box, to, strides));
      *out_bytes += missing.box.elements() * problem.item_size();
    }
    return {};
  });
}

uint64_t tw_store_bytes_read(const tw_store_t *store) { return store ? store->set.bytes_read() : 0; }

tw_status_t tw_store_write(const char *path, const char *format, const char *const *names,
                           const tw_tensor_t *const *tensors, size_t num_arrays) {
  return guard([&]() -> Status {
    TW_TRY(require(path, "path"));
    if (num_arrays != 0) {
      TW_TRY(require(names, "names"));
      TW_TRY(require(tensors, "tensors"));
    }
    std::vector<store::InMemory> arrays;
    for (size_t i = 0; i < num_arrays; ++i) {
      TW_TRY(require_at(names[i], "names", i));
      TW_TRY(require_text(names[i], "names"));
      TW_TRY(require_at(tensors[i], "tensors", i));
      TW_ASSIGN(auto array, in_memory(names[i], tensors[i]));
      arrays.push_back(std::move(array));
    }
    return store::write_arrays(path, format != nullptr ? format : "", arrays);
  });
}

tw_status_t tw_store_write_part(const char *path, const int64_t *dims, const int64_t *offset,
                                const tw_tensor_t *part) {
  return guard([&]() -> Status {
    TW_TRY(require(path, "path"));
    TW_TRY(require(part, "part"));
    TW_ASSIGN(const auto array, in_memory("part", part));
    const size_t rank = array.type.dims.size();
    if (rank != 0) {
      TW_TRY(require(dims, "dims"));
      TW_TRY(require(offset, "offset"));
    }
    return store::write_part_of_npy(path, {dims, rank}, {offset, rank}, array);
  });
}

tw_status_t tw_store_reshard(const tw_store_t *store, const char *dst, const tw_mesh_t *mesh,
                             const tw_sharding_t *const *shardings, size_t num_shardings,
                             const tw_reshard_options_t *options, tw_blob_t **out_json) {
  return guard([&]() -> Status {
    TW_TRY(require(store, "store"));
    TW_TRY(require(dst, "dst"));
    TW_TRY(require(out_json, "out_json"));
    TW_TRY(check_options(options));
    const auto given = completed(options);
    store::ReshardOptions how;
    if (given.format != nullptr)
      how.format = given.format;
    if (given.memory_bytes != 0)
      how.memory_bytes = given.memory_bytes;
    if (given.dtype != 0) {
      TW_ASSIGN(const auto type, checked_type(given.dtype, nullptr, 0));
      how.dtype = type.dtype;
    }
    how.dry_run = given.dry_run != 0;
    how.verify = given.verify != 0;
    if (given.step != nullptr)
      how.progress = [&](uint64_t done, uint64_t total) { return given.step(given.user, done, total) == 0; };
    TW_ASSIGN(const auto placement, placement_of(store->set, mesh, shardings, num_shardings));
    TW_ASSIGN(const auto report, store::reshard(store->set, dst, placement, how));
    return give(json_text(json_of(report)), out_json);
  });
}
