// SPDX-License-Identifier: Apache-2.0
// Clients: made of options and the environment, asked for what they have.
#include "pjrt/client.hpp"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <thread>
#include <tuple>

#include "pjrt/answer.hpp"
#include "pjrt/cache.hpp"
#include "pjrt/slots.hpp"

namespace tw::pjrt {

namespace {

constexpr const char *kMemoryKinds[] = {kDefaultMemory, "pinned_host", "unpinned_host"};
constexpr int kMaxDevices = 4096;
constexpr int kMaxProcesses = 4096;
constexpr int64_t kUsualDeadline = 1800;  // seconds that a process waits for another in a run
constexpr int64_t kMeetingDeadline = 300; // and to find all others, if that is not longer

// What a memory keeps for the caller under a key.
void *get_user_data(Memory *memory, const void *key) {
  const std::scoped_lock lock(memory->mutex);
  const auto found = memory->user_data.find(key);
  return found == memory->user_data.end() ? nullptr : found->second.data;
}

void set_user_data(Memory *memory, const void *key, void *data, void (*destroy)(void *)) {
  Memory::UserData old{};
  {
    const std::scoped_lock lock(memory->mutex);
    Memory::UserData &kept = memory->user_data[key];
    old = kept;
    kept = {data, destroy};
  }
  if (old.destroy != nullptr)
    old.destroy(old.data);
}

const abi::MemoryTable kMemoryTable = {
    .struct_size = sizeof(abi::MemoryTable),
    .extensions = nullptr,
    .instance_size = sizeof(const abi::MemoryTable *),
    .get_user_data = get_user_data,
    .set_user_data = set_user_data,
};

const char *environment(const char *name) {
  const char *text = std::getenv(name);
  return text != nullptr && *text != '\0' ? text : nullptr;
}

int checked_devices(int64_t devices, const std::string &from) {
  if (devices < 1 || devices > kMaxDevices)
    throw Failure{abi::Code::invalid_argument, from + " is " + std::to_string(devices) +
                                                   ": a client has from 1 to " + std::to_string(kMaxDevices) +
                                                   " devices"};
  return static_cast<int>(devices);
}

// Options of the call go before the environment; nothing where neither says it.
std::optional<std::string> stated_text(std::span<const abi::NamedValue> given, const char *option,
                                       const char *variable) {
  if (const auto stated = text_option(given, option))
    return std::string(*stated);
  if (const char *set = environment(variable))
    return set;
  return {};
}

// A number, and who says it.
struct StatedNumber {
  int64_t value;
  std::string from;
};
std::optional<StatedNumber> stated_number(std::span<const abi::NamedValue> given, const char *option,
                                          const char *variable) {
  if (const auto stated = integer_option(given, option))
    return StatedNumber{*stated, std::string("option ") + option};
  const char *text = environment(variable);
  if (text == nullptr)
    return {};
  StatedNumber number{0, variable};
  const char *end = text + std::strlen(text);
  if (const auto read = std::from_chars(text, end, number.value); read.ec != std::errc() || read.ptr != end)
    throw Failure{abi::Code::invalid_argument, std::string(variable) + "=" + text + " is no number"};
  return number;
}

ClientOptions read_options(std::span<const abi::NamedValue> given) {
  ClientOptions options;
  options.devices = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  if (const auto devices = stated_number(given, "devices", "TW_PJRT_DEVICES"))
    options.devices = checked_devices(devices->value, devices->from);
  options.platform = stated_text(given, "platform", "TW_PJRT_PLATFORM").value_or(options.platform);
  options.policy = stated_text(given, "policy", "TW_PJRT_POLICY").value_or(options.policy);
  options.report = stated_text(given, "report", "TW_PJRT_REPORT").value_or(options.report);
  return options;
}

int64_t read_deadline(std::span<const abi::NamedValue> given) {
  const auto stated = stated_number(given, "deadline", "TW_PJRT_DEADLINE");
  const int64_t seconds = stated ? stated->value : kUsualDeadline;
  if (seconds < 1 || seconds > 1'000'000)
    throw Failure{abi::Code::invalid_argument,
                  "a deadline of " + std::to_string(seconds) + " seconds: it is from 1 to 1000000"};
  return seconds;
}

// The processes that `num_nodes` counts, once all have been met. Null: there is one.
std::unique_ptr<Processes> find_processes(const abi::ClientCreate &args, const ClientOptions &options) {
  const std::span given(args.options, args.num_options);
  const int64_t processes = integer_option(given, "num_nodes").value_or(1);
  const int64_t self = integer_option(given, "node_id").value_or(0);
  if (processes < 1 || processes > kMaxProcesses || self < 0 || self >= processes)
    throw Failure{abi::Code::invalid_argument, "process " + std::to_string(self) + " of " +
                                                   std::to_string(processes) +
                                                   " (options node_id, num_nodes): there are up to " +
                                                   std::to_string(kMaxProcesses) + ", counted from 0"};
  if (processes == 1)
    return nullptr;
  Meeting meeting;
  meeting.process = static_cast<int>(self);
  meeting.processes = static_cast<int>(processes);
  meeting.devices = options.devices;
  meeting.address = stated_text(given, "address", "TW_PJRT_ADDRESS").value_or("");
  const int64_t deadline = read_deadline(given);
  meeting.deadline = std::chrono::seconds(std::min(deadline, kMeetingDeadline));
  return std::make_unique<Processes>(Store(args), meeting, static_cast<double>(deadline));
}

} // namespace

Memory::~Memory() {
  for (const auto &[key, kept] : user_data)
    if (kept.destroy != nullptr)
      kept.destroy(kept.data);
}

Client::Client(ClientOptions given, std::unique_ptr<Processes> others)
    : options(std::move(given)), version(std::string("tilewright ") + tw_version()),
      processes(std::move(others)), programs(std::make_unique<ProgramCache>()) {
  tw_context_options_t how{};
  how.struct_size = sizeof how;
  context = make<ContextHandle>([&](tw_context_t **out) { return tw_context_create(&how, out); });
  const int kinds = static_cast<int>(std::size(kMemoryKinds));
  topology.client = this;
  std::vector<std::pair<int, int>> all; // the process of each device, and its number there
  for (int p = 0; p < (processes == nullptr ? 1 : static_cast<int>(processes->size())); ++p)
    for (int i = 0;
         i < (processes == nullptr ? options.devices : processes->devices()[static_cast<size_t>(p)]); ++i)
      all.emplace_back(p, i);
  for (int id = 0; id < static_cast<int>(all.size()); ++id) {
    auto device = std::make_unique<Device>();
    device->client = this;
    std::tie(device->description.process, device->local_id) = all[static_cast<size_t>(id)];
    device->is_addressable = device->description.process == process();
    const std::string number = std::to_string(id);
    device->description.id = id;
    device->description.kind = options.platform;
    device->description.text = options.platform + ":" + number;
    device->description.debug_text = options.platform + " device " + number;
    if (processes != nullptr)
      device->description.debug_text += " of process " + std::to_string(device->description.process);
    for (int kind = 0; kind < kinds && device->is_addressable; ++kind) {
      auto memory = std::make_unique<Memory>();
      memory->table = &kMemoryTable;
      memory->id = id * kinds + kind;
      memory->kind = kind;
      memory->device = device.get();
      memory->kind_name = kMemoryKinds[kind];
      memory->text = memory->kind_name + " memory of device " + number;
      device->memories.push_back(memory.get());
      memories.push_back(memory.get());
      owned_memories.push_back(std::move(memory));
    }
    topology.descriptions.push_back(&device->description);
    devices.push_back(device.get());
    if (device->is_addressable)
      addressable.push_back(device.get());
    owned_devices.push_back(std::move(device));
  }
  topology.attributes.add("num_devices", static_cast<int64_t>(devices.size()));
}

Client::~Client() = default;

Device &Client::device(int64_t id) {
  if (id < 0 || id >= static_cast<int64_t>(devices.size()))
    throw Failure{abi::Code::not_found, "there is no device " + std::to_string(id) + ": the client has " +
                                            std::to_string(devices.size()) +
                                            " (option devices, TW_PJRT_DEVICES)"};
  return *devices[static_cast<size_t>(id)];
}

Memory &Client::memory(Device &device, std::string_view kind) {
  if (!device.is_addressable)
    throw Failure{abi::Code::invalid_argument, device.description.text + " is of process " +
                                                   std::to_string(device.description.process) +
                                                   ", and this is process " + std::to_string(process())};
  for (Memory *memory : device.memories)
    if (memory->kind_name == kind)
      return *memory;
  throw Failure{abi::Code::invalid_argument,
                "there is no kind of memory '" + std::string(kind) + "': device, pinned_host, unpinned_host"};
}

void client_create(abi::ClientCreate &args) {
  ClientOptions options = read_options({args.options, args.num_options});
  auto processes = find_processes(args, options);
  auto client = std::make_shared<Client>(std::move(options), std::move(processes));
  client->self = client;
  args.client = client.get();
}

namespace {

// A topology with a client that nobody else has.
Topology *make_alone(ClientOptions options) {
  auto client = std::make_shared<Client>(std::move(options));
  client->self = client;
  client->topology.is_alone = true;
  return &client->topology;
}

} // namespace

void topology_create(abi::TopologyCreate &args) {
  args.topology = make_alone(read_options({args.options, args.num_options}));
}

// "tilewright:8", as `topology_serialize` writes it.
void topology_deserialize(abi::TopologyDeserialize &args) {
  const std::string_view text(args.bytes, args.size);
  const size_t colon = text.rfind(':');
  ClientOptions options = read_options({});
  int64_t devices = 0;
  if (colon == text.npos ||
      std::from_chars(text.data() + colon + 1, text.data() + text.size(), devices).ptr !=
          text.data() + text.size())
    throw Failure{abi::Code::invalid_argument, "these bytes are no topology of tilewright"};
  options.platform = text.substr(0, colon);
  options.devices = checked_devices(devices, "the topology");
  args.topology = make_alone(std::move(options));
}

void topology_destroy(abi::Of<Topology> &args) {
  if (!args.object->is_alone)
    return; // it is the client's
  abi::Of<Client> end{};
  end.object = args.object->client;
  client_destroy(end);
}

void client_destroy(abi::Of<Client> &args) {
  const std::shared_ptr<Client> client = args.object->shared_from_this();
  client->queue.stop(); // its runs may wait for those of the other
  client->team_queue.stop();
  client->programs->clear();
  client->self.reset();
}

void client_platform_name(abi::GetText<Client> &args) { answer(args, args.object->options.platform); }

void client_platform_version(abi::GetText<Client> &args) { answer(args, args.object->version); }

void client_process_index(abi::Get<Client, int> &args) { args.value = args.object->process(); }

// What the caller hears of other processes. Their connections tell it sooner.
void client_update_processes(abi::Of<Client> &) {}

void client_devices(abi::GetList<Client, Device *> &args) {
  args.items = args.object->devices.data();
  args.count = args.object->devices.size();
}

void client_addressable_devices(abi::GetList<Client, Device *> &args) {
  args.items = args.object->addressable.data();
  args.count = args.object->addressable.size();
}

void client_lookup_device(abi::ClientLookup &args) { args.device = &args.object->device(args.id); }

void client_lookup_addressable_device(abi::ClientLookup &args) {
  const auto &own = args.object->addressable;
  if (args.id < 0 || static_cast<size_t>(args.id) >= own.size())
    throw Failure{abi::Code::not_found, "process " + std::to_string(args.object->process()) +
                                            " has no device " + std::to_string(args.id) +
                                            " of its own: it has " + std::to_string(own.size()) +
                                            " (option devices, TW_PJRT_DEVICES)"};
  args.device = own[static_cast<size_t>(args.id)];
}

void client_addressable_memories(abi::GetList<Client, Memory *> &args) {
  args.items = args.object->memories.data();
  args.count = args.object->memories.size();
}

void client_default_device_assignment(abi::ClientDefaultAssignment &args) {
  const int64_t wanted = int64_t{args.num_replicas} * args.num_partitions;
  if (args.num_replicas < 1 || args.num_partitions < 1 || static_cast<int64_t>(args.size) < wanted)
    throw Failure{abi::Code::invalid_argument, "an assignment of " + std::to_string(args.num_replicas) +
                                                   " replicas and " + std::to_string(args.num_partitions) +
                                                   " partitions does not fit into " +
                                                   std::to_string(args.size) + " numbers"};
  // Its own devices, where they are enough.
  const int64_t own = std::ssize(args.object->addressable);
  for (int i = 0; i < wanted; ++i)
    args.assignment[i] =
        (wanted <= own ? *args.object->addressable[static_cast<size_t>(i)] : args.object->device(i))
            .description.id;
}

void client_topology(abi::Get<Client, Topology *> &args) { args.value = &args.object->topology; }

} // namespace tw::pjrt
