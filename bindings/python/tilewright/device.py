# SPDX-License-Identifier: Apache-2.0
"""Devices that are not the host: what GPUs there are, and the queues in which arrays there are made and used.

A device is a kind and a number: "cuda:1" is GPU 1, "detached:0" a device for tests without hardware."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional, Union

from . import _core
from ._object import Object, registered
from .errors import invalid

#: What DLPack calls the kinds, and back.
DL_DEVICES = {"host": 1, "cuda": 2, "detached": 12}
DL_KINDS = {1: "host", 2: "cuda", 3: "host", 11: "host", 12: "detached"}


def parse_device(device: Any) -> tuple[str, int]:
    """("cuda", 1) for "cuda:1", for that pair and for anything whose str() is so, such as torch.device."""
    if isinstance(device, tuple):
        return str(device[0]), int(device[1])
    kind, _, number = str(device).partition(":")
    if number and not number.isdigit():
        raise invalid(f"{device!r} is no device: \"cuda:1\" is one")
    return {"cpu": "host"}.get(kind, kind), int(number or 0)


def device_count(kind: str) -> int:
    """How many devices of a kind there are. Unavailable says why there is none."""
    return _core.tw_device_count(kind)


class Gpu(NamedTuple):
    """What a GPU is and has."""

    name: str
    #: 90 is sm_90.
    architecture: int
    processors: int
    bytes: int
    free_bytes: int
    #: Of memory, by its clock and width; 0: unknown.
    bytes_per_second: int
    #: By this library in this process.
    used_bytes: int
    #: Of limit_memory(); 0: none.
    limit_bytes: int


def gpu(number: int) -> Gpu:
    """What a GPU is and has now."""
    fields = _core.tw_cuda_describe(number)
    return Gpu(**{name: fields[name] for name in Gpu._fields})


def limit_memory(gpu: int, bytes: int) -> None:
    """The library takes no more memory of a GPU than so many bytes from now on; 0: as much as there is."""
    _core.tw_cuda_limit_memory(gpu, bytes)


@registered("tw_stream_t")
class Stream(Object):
    """A queue of a device: a new one, or for a GPU that of the program whose CUstream has the address `native`."""

    def __new__(cls, device: Any = "cuda:0", native: Optional[int] = None) -> "Stream":
        kind, number = parse_device(device)
        if native is None:
            return _core.tw_stream_create(kind, number)
        if kind != "cuda":
            raise invalid(f"only GPUs have streams of the program, and {device} is none")
        return _core.tw_cuda_wrap_stream(number, native)

    @property
    def device(self) -> str:
        kind, number = _core.tw_stream_device(self)
        return f"{kind}:{number}"

    @property
    def native(self) -> Optional[int]:
        """The address of its CUstream; None where there is none."""
        return _core.tw_stream_native(self)

    def wait(self) -> None:
        """Waits until all that was given has run."""
        _core.tw_stream_wait(self)

    def _about(self) -> str:
        return f"of {self.device}"


@registered("tw_event_t")
class Event(Object):
    """A point in a queue: a new one, or for a GPU that of the program whose CUevent has the address `native`."""

    def __new__(cls, device: Any = "cuda:0", native: Optional[int] = None) -> "Event":
        kind, number = parse_device(device)
        if native is None:
            return _core.tw_event_create(kind, number)
        if kind != "cuda":
            raise invalid(f"only GPUs have events of the program, and {device} is none")
        return _core.tw_cuda_wrap_event(number, native)

    def record(self, stream: Stream) -> None:
        """Stands for this place in the stream from now on."""
        _core.tw_event_record(self, stream)

    def hold(self, stream: Stream) -> None:
        """What the stream is given from now on runs behind the event's place."""
        _core.tw_event_await(self, stream)

    @property
    def reached(self) -> bool:
        return bool(_core.tw_event_test(self))


def consumer_stream(number: int, stream: Union[None, int, Any]) -> Optional[Stream]:
    """The queue of a GPU that the argument `stream` of __dlpack__ means; None: nobody waits."""
    if stream == -1:
        return None
    if stream == 0:
        raise invalid("stream 0 may be the legacy default stream (1) or that of the thread (2): say which")
    return Stream(("cuda", number), 1 if stream is None else int(stream))
