// SPDX-License-Identifier: Apache-2.0
// The facts of the PJRT C API, version 0.112, that this plug-in meets: how arguments of its functions lie in
// memory. Every function takes one struct, which begins with its size as the caller has it and a list of
// extensions; fields behind the inputs are written by the function. `slot_list.inc` has the functions in
// their order. Objects that the caller holds by pointer alone are this plug-in's classes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace tw::pjrt {

class Client;
struct Buffer;
struct Device;
struct DeviceDescription;
struct Error;
struct Event;
struct Executable;
struct ExecuteContext;
struct LoadedExecutable;
struct Memory;
struct Topology;
class Transfers;

namespace abi {

constexpr int kMajor = 0, kMinor = 112;

struct Extension {
  size_t struct_size;
  int32_t type;
  Extension *next;
};
enum ExtensionType : int32_t { kFfiExtension = 5, kShardingsExtension = 19 };

// What every struct begins with.
struct Header {
  size_t struct_size;
  Extension *extensions;
};

// Whether the caller's version of a struct reaches as far as a field.
template <class Args, class Field> bool has(const Args &args, const Field &field) {
  const auto end = reinterpret_cast<const char *>(&field + 1) - reinterpret_cast<const char *>(&args);
  return args.struct_size >= static_cast<size_t>(end);
}

// ---- forms that many structs have ----

template <class Object> struct Of : Header { Object *object; };
template <class Object, class Value> struct Get : Of<Object> { Value value; };
template <class Object> struct GetText : Of<Object> {
  const char *text;
  size_t size;
};
template <class Object, class Item> struct GetList : Of<Object> {
  const Item *items;
  size_t count;
};
template <class Object, class Item> struct GetCounted : Of<Object> {
  size_t count;
  const Item *items;
};
// Bytes that live until `deleter` is called with `backing`.
struct Bytes {
  std::string bytes;
};
template <class Object> struct GetBytes : Of<Object> {
  const char *bytes;
  size_t size;
  Bytes *backing;
  void (*deleter)(Bytes *);
};

// ---- codes ----

enum class Code : int32_t {
  ok = 0,
  cancelled = 1,
  unknown = 2,
  invalid_argument = 3,
  deadline_exceeded = 4,
  not_found = 5,
  resource_exhausted = 8,
  failed_precondition = 9,
  out_of_range = 11,
  unimplemented = 12,
  internal = 13,
  unavailable = 14,
};

// Types of elements, in the order of the ABI.
enum class Type : int32_t {
  invalid,
  pred,
  s8,
  s16,
  s32,
  s64,
  u8,
  u16,
  u32,
  u64,
  f16,
  f32,
  f64,
  bf16,
  c64,
  c128,
  f8e5m2,
  f8e4m3fn,
  f8e4m3b11fnuz,
  f8e5m2fnuz,
  f8e4m3fnuz,
  s4,
  u4,
  token,
  s2,
  u2,
  f8e4m3,
  f8e3m4,
  f8e8m0fnu,
  f4e2m1fn,
  s1,
  u1,
};

enum class HostSemantics : int32_t {
  only_during_call, // the data is read while the call lasts
  until_transfer,   // until the event says that it was read
  zero_copy,        // as long as the buffer lives, and nobody writes it
  mutable_zero_copy,
};

enum class ValueKind : int32_t { text, integer, integers, real, boolean };
struct NamedValue : Header {
  const char *name;
  size_t name_size;
  ValueKind kind;
  union {
    const char *text;
    int64_t integer;
    const int64_t *integers;
    float real;
    bool boolean;
  };
  size_t size; // of text and lists; else 1
};

// ---- errors ----

using PayloadVisitor = void (*)(const char *key, size_t key_size, const char *value, size_t value_size,
                                void *user);
// An error begins with a pointer to these.
struct ErrorTable {
  size_t struct_size;
  size_t instance_size;
  Extension *extensions;
  void (*destroy)(Error *);
  void (*message)(const Error *, const char **, size_t *);
  Code (*code)(const Error *);
  void (*for_each_payload)(const Error *, PayloadVisitor, void *);
};
using ErrorMessage = GetText<const Error>;
using ErrorCode = Get<const Error, Code>;
struct ErrorForEachPayload : Of<const Error> {
  PayloadVisitor visitor;
  void *user;
};

// ---- the plug-in ----

struct PluginAttributes : Header {
  const NamedValue *attributes;
  size_t count;
};

// ---- events ----

using EventOnReadyFn = void (*)(Error *, void *user);
struct EventOnReady : Of<Event> {
  EventOnReadyFn callback;
  void *user;
};
struct EventSet : Of<Event> {
  Code code;
  const char *message;
  size_t size;
};

// ---- clients, devices, memories ----

// A store of texts by key, which the processes of a program share. `make_error` is for what the store
// answers.
using StoreError = Error *(*)(Code code, const char *message, size_t size);
struct StoreGet : Header {
  const char *key;
  size_t key_size;
  int timeout_ms;
  StoreError *make_error;
  void *user;
  char *value;
  size_t value_size;
  void (*deleter)(char *value);
};
struct StorePut : Header {
  const char *key;
  size_t key_size;
  const char *value;
  size_t value_size;
  StoreError *make_error;
  void *user;
};
struct ClientCreate : Header {
  const NamedValue *options;
  size_t num_options;
  Error *(*kv_get)(StoreGet *);
  void *kv_get_user;
  Error *(*kv_put)(StorePut *);
  void *kv_put_user;
  Client *client;
  void *kv_try_get, *kv_try_get_user;
};
struct ClientLookup : Of<Client> {
  int id;
  Device *device;
};
struct ClientDefaultAssignment : Of<Client> {
  int num_replicas;
  int num_partitions;
  size_t size;
  int *assignment;
};
struct DeviceMemoryStats : Of<Device> {
  struct Figure {
    int64_t value;
    bool is_set;
  };
  int64_t bytes_in_use;
  Figure peak_bytes_in_use, num_allocs, largest_alloc_size, bytes_limit, bytes_reserved, peak_bytes_reserved,
      bytes_reservable_limit, largest_free_block_bytes, pool_bytes, peak_pool_bytes;
};
struct DeviceAttributes : Of<Device> {
  const NamedValue *attributes;
  size_t count;
  void *backing;
  void (*deleter)(void *);
};
// A memory begins with a pointer to these.
struct MemoryTable {
  size_t struct_size;
  Extension *extensions;
  size_t instance_size;
  void *(*get_user_data)(Memory *, const void *key);
  void (*set_user_data)(Memory *, const void *key, void *data, void (*destroy)(void *));
};

// ---- programs ----

struct Program : Header {
  char *code;
  size_t code_size;
  const char *format;
  size_t format_size;
};
struct ClientCompile : Of<Client> {
  const Program *program;
  const char *options;
  size_t options_size;
  LoadedExecutable *executable;
};
struct LogicalId {
  int replica, partition;
};
struct ExecutableDims : Of<Executable> {
  size_t count;
  const int64_t *dims;
  const size_t *ndims;
};
struct ExecutableMemoryKinds : Of<Executable> {
  size_t count;
  const char *const *kinds;
  const size_t *sizes;
};
struct ExecutableMemoryStats : Of<Executable> {
  struct Figures {
    int64_t code, arguments, outputs, aliased, temporaries;
  };
  Figures device, host;
  int64_t peak, total, total_allocation, indefinite_allocations, peak_unpadded_heap;
};
struct ExecutableLoad : Of<Client> {
  const char *bytes;
  size_t size;
  LoadedExecutable *executable;
  const char *options;
  size_t options_size;
};
struct ClientLoad : Of<Client> {
  Executable *executable;
  const char *options;
  size_t options_size;
  LoadedExecutable *loaded;
};
// Of the shardings extension, version 1: serialised xla.OpSharding messages.
struct ExecutableShardings : Of<Executable> {
  size_t count;
  const char *const *shardings;
  const size_t *sizes;
};
struct ShardingsExtension {
  Extension base;
  Error *(*parameters)(ExecutableShardings *);
  Error *(*outputs)(ExecutableShardings *);
};

struct ExecuteOptions : Header {
  void **send_callbacks, **recv_callbacks;
  size_t num_send, num_recv;
  int launch_id;
  const int64_t *not_donatable;
  size_t num_not_donatable;
};
struct Execute : Of<LoadedExecutable> {
  const ExecuteOptions *options;
  Buffer *const *const *arguments; // by device, by argument
  size_t num_devices;
  size_t num_args;
  Buffer **const *outputs; // by device, by output
  Event **complete;        // by device, or null
  Device *device;          // the only one to run on, or null
};

// ---- topologies without a client ----

struct TopologyCreate : Header {
  const char *name;
  size_t name_size;
  const NamedValue *options;
  size_t num_options;
  Topology *topology;
};
struct TopologyDeserialize : Header {
  const char *bytes;
  size_t size;
  Topology *topology;
};
struct TopologyCompile : Header {
  const Topology *topology;
  const Program *program;
  const char *options;
  size_t options_size;
  Client *client; // or null
  Executable *executable;
};

// ---- the table ----

struct Version : Header {
  int major, minor;
};
using Function = void (*)(); // of whatever type

// Sizes as a framework of that version states them for the structs that hold more than pointers.
static_assert(sizeof(Version) == 24 && sizeof(NamedValue) == 56 && sizeof(ErrorTable) == 56);
static_assert(sizeof(DeviceMemoryStats) == 192 && sizeof(ExecutableMemoryStats) == 144);
static_assert(sizeof(StoreGet) == 80 && sizeof(StorePut) == 64);
static_assert(sizeof(Execute) == 80 && sizeof(ClientCreate) == 88 && sizeof(LogicalId) == 8);

} // namespace abi
} // namespace tw::pjrt
