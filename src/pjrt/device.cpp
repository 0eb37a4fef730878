// SPDX-License-Identifier: Apache-2.0
// Devices, memories and the topology, asked for what they are.
#include "pjrt/answer.hpp"
#include "pjrt/client.hpp"
#include "pjrt/fingerprint.hpp"
#include "pjrt/slots.hpp"

namespace tw::pjrt {

void device_description_id(abi::Get<DeviceDescription, int> &args) { args.value = args.object->id; }
void device_description_process_index(abi::Get<DeviceDescription, int> &args) {
  args.value = args.object->process;
}
void device_description_attributes(abi::GetCounted<DeviceDescription, abi::NamedValue> &args) {
  args.items = nullptr;
  args.count = 0;
}
void device_description_kind(abi::GetText<DeviceDescription> &args) { answer(args, args.object->kind); }
void device_description_debug_string(abi::GetText<DeviceDescription> &args) {
  answer(args, args.object->debug_text);
}
void device_description_to_string(abi::GetText<DeviceDescription> &args) { answer(args, args.object->text); }

void device_get_description(abi::Get<Device, DeviceDescription *> &args) {
  args.value = &args.object->description;
}
void device_is_addressable(abi::Get<Device, bool> &args) { args.value = args.object->is_addressable; }
void device_local_hardware_id(abi::Get<Device, int> &args) { args.value = args.object->local_id; }
void device_addressable_memories(abi::GetList<Device, Memory *> &args) {
  args.items = args.object->memories.data();
  args.count = args.object->memories.size();
}
void device_default_memory(abi::Get<Device, Memory *> &args) {
  args.value = &args.object->client->memory(*args.object, kDefaultMemory);
}
void device_attributes(abi::DeviceAttributes &args) {
  args.attributes = nullptr;
  args.count = 0;
  args.backing = nullptr;
  args.deleter = [](void *) {};
}
// Memory of the host, which nobody counts by device.
void device_memory_stats(abi::DeviceMemoryStats &) {
  throw Failure{abi::Code::unimplemented, "the memory of a device is not counted: it is the host's"};
}

void memory_id(abi::Get<Memory, int> &args) { args.value = args.object->id; }
void memory_kind(abi::GetText<Memory> &args) { answer(args, args.object->kind_name); }
void memory_kind_id(abi::Get<Memory, int> &args) { args.value = args.object->kind; }
void memory_debug_string(abi::GetText<Memory> &args) { answer(args, args.object->text); }
void memory_to_string(abi::GetText<Memory> &args) { answer(args, args.object->text); }
void memory_addressable_by_devices(abi::GetList<Memory, Device *> &args) {
  args.items = &args.object->device;
  args.count = 1;
}

void topology_platform_name(abi::GetText<Topology> &args) {
  answer(args, args.object->client->options.platform);
}
void topology_platform_version(abi::GetText<Topology> &args) { answer(args, args.object->client->version); }
void topology_device_descriptions(abi::GetList<Topology, DeviceDescription *> &args) {
  args.items = args.object->descriptions.data();
  args.count = args.object->descriptions.size();
}
void topology_attributes(abi::GetList<Topology, abi::NamedValue> &args) {
  args.items = args.object->attributes.list().data();
  args.count = args.object->attributes.list().size();
}
void topology_serialize(abi::GetBytes<Topology> &args) {
  answer(args,
         args.object->client->options.platform + ":" + std::to_string(args.object->descriptions.size()));
}
void topology_fingerprint(abi::Get<Topology, uint64_t> &args) {
  const Client &client = *args.object->client;
  args.value =
      hash_of(client.version + client.options.platform + client.options.policy, client.devices.size());
}

} // namespace tw::pjrt
