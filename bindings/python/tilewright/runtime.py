# SPDX-License-Identifier: Apache-2.0
"""Running programs: contexts, executables, runs and several processes."""

from __future__ import annotations

import json
import threading
import time
from typing import Any, Callable, NamedTuple, Optional, Sequence, Union

from . import _core
from . import _dtypes as dtypes
from ._object import Object, given, registered
from .device import Stream
from .errors import invalid, numbered
from .plan import Plan
from .program import Program
from .tensor import Tensor, tensors

#: Runs that took less than this are not interruptible: Ctrl-C is noticed when they end, as soon as a person would.
_SHORT = 0.02


@registered("tw_context_t")
class Context(Object):
    """What executables share: threads (workers=0: one a core), where messages go, and where big memory comes from.

    log(level, area, text) is told of what happens, from any thread; level is 0 for errors, 1 for warnings, 2 for news, 3 for
    details. allocate(size, alignment) gives a writable buffer of at least `size` bytes, at an address that `alignment` divides, such
    as mmap.mmap(-1, size); the library keeps it until it needs it no more."""

    def __new__(
        cls, workers: int = 0, log: Optional[Callable[[int, str, str], Any]] = None,
        allocate: Optional[Callable[[int, int], Any]] = None,
    ) -> "Context":
        for name, function in (("log", log), ("allocate", allocate)):
            if function is not None and not callable(function):
                raise TypeError(f"{name}: expected a function, not {type(function).__name__}")
        return _core.context_create(workers, log, allocate)  # tw_context_create


class Counters(NamedTuple):
    """What an executable has done."""

    runs: int
    failed_runs: int
    steps: int
    collectives: int
    bytes: int
    kernel_ns: int
    collective_ns: int


@registered("tw_executable_t")
class Executable(Object):
    """A program bound to kernels, with its memory allocated. Keep it and run it many times. One run at a time: calls from several
    threads wait for each other."""

    _tiles: bool = False
    _outputs: Sequence[tuple[int, tuple[int, ...]]] = ()
    _names: Sequence[str] = ()
    _num_arguments: int = 0
    _seconds: float = 1.0  # of the run before

    def __new__(
        cls, program: Union[Program, Plan], context: Optional[Context] = None, workers: int = 0, memory_limit: int = 0,
        comm: Optional["Comm"] = None, whole_outputs: bool = False, profile: bool = False, trace: bool = False,
        tiles: bool = False, donate: bool = False, device: Optional[str] = None, deadline: float = 0, in_place: bool = False,
        exchange: Optional[str] = None, fast_sums: bool = False,
        tf32: bool = False, same_bits: bool = False,
    ) -> "Executable":
        if isinstance(program, Plan):
            program = program.lower()
        observe = _core.TW_OBSERVE_PROFILE * bool(profile) | _core.TW_OBSERVE_TRACE * bool(trace)
        executable = _core.tw_executable_create(program, given(
            context=context, workers=workers, memory_limit=memory_limit, comm=comm, whole_outputs=whole_outputs,
            observe=observe, tiles=tiles, donate=donate, device=device, deadline=float(deadline), in_place=in_place,
            exchange=exchange, fast_sums=fast_sums,
            tf32=tf32, same_bits=same_bits,
        ))
        executable._tiles, executable._num_arguments = tiles, len(program.graph.arguments)
        executable._names = () if tiles else [argument.name for argument in program.graph.arguments]
        executable._outputs = [(dtypes.code_of(r.type.dtype), r.type.shape) for r in program.graph.results]
        return executable

    def run(self, *inputs: Any, outputs: Optional[Sequence[Any]] = None) -> list[Tensor]:
        """Runs on whole arrays, in the order of the program's arguments: tensors, or anything that tensor() takes. Results come as
        new tensors, or in `outputs`. Ctrl-C ends the run; outputs then keep their bytes."""
        given_inputs = tensors(inputs, "input", self._names)
        given_outputs = self._new_outputs() if outputs is None else tensors(outputs, "output")
        if self._seconds > _SHORT and threading.current_thread() is threading.main_thread():
            self._run_interruptibly(given_inputs, given_outputs)
        else:
            begin = time.perf_counter()
            _core.tw_executable_run(self, given_inputs, given_outputs)
            self._seconds = time.perf_counter() - begin
        return given_outputs

    def start(self, *inputs: Any, outputs: Optional[Sequence[Any]] = None, stream: Optional[Stream] = None) -> "Run":
        """Begins a run and returns at once; inputs and outputs must be left alone until it is over. With a stream of one of its
        devices the run begins behind what that was given before, and what it is given afterwards finds outputs on devices."""
        given_inputs = tensors(inputs, "input", self._names)
        results = self._new_outputs() if outputs is None else tensors(outputs, "output")
        if stream is None:
            run = _core.tw_run_start(self, given_inputs, results)
        else:
            run = _core.tw_run_start_with(self, given_inputs, results, {"stream": stream})
        run.outputs = results
        return run

    def _run_interruptibly(self, inputs: Sequence[Tensor], outputs: Sequence[Tensor]) -> None:
        """Another thread waits in the library, so that this one, which signals interrupt, can cancel the run."""
        begin = time.perf_counter()
        with _core.tw_run_start(self, inputs, outputs) as run:
            ended: list[BaseException] = []
            over = threading.Event()  # a join that a signal interrupts takes the thread for ended

            def wait() -> None:
                try:
                    _core.tw_run_wait(run)
                except BaseException as error:
                    ended.append(error)
                over.set()

            threading.Thread(target=wait, name="tilewright.run").start()
            try:
                over.wait()
            except BaseException:
                _core.tw_run_cancel(run)
                over.wait()
                raise
        self._seconds = time.perf_counter() - begin
        if ended:
            raise ended[0]

    def _new_outputs(self) -> list[Tensor]:
        if self._tiles:
            raise invalid("an executable of tiles has no whole results: give `outputs`")
        return [_core.tw_tensor_create(None, dtype, shape) for dtype, shape in self._outputs]

    def donated_to(self, argument: int) -> Optional[int]:
        """With donate: the result that is made in the memory of an argument; None where that is only read."""
        result = _core.tw_executable_donated_to(self, numbered("argument", argument, self._num_arguments))
        return None if result < 0 else result

    @property
    def num_devices(self) -> int:
        """Devices of this process."""
        return _core.tw_executable_num_devices(self)

    def tile(self, is_result: bool, index: int, device: int, rank: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """With tiles: where in a whole argument, or result, of `rank` dimensions the tile of a device begins, and its sizes."""
        if not 0 <= rank <= 64:
            raise invalid(f"{rank} is no number of dimensions")
        numbered("result" if is_result else "argument", index, len(self._outputs) if is_result else self._num_arguments)
        numbered("device", device, self.num_devices)
        offset, extent = _core.tw_executable_tile(self, int(is_result), index, device, 64, 64)
        return tuple(offset[:rank]), tuple(extent[:rank])

    def tile_owner(self, is_result: bool, index: int, device: int) -> Optional[int]:
        """With tiles: the first device of this process that holds the same tile in one place: runs read its input alone, and
        outputs of devices with one owner may be one tensor. None without tiles."""
        numbered("result" if is_result else "argument", index, len(self._outputs) if is_result else self._num_arguments)
        numbered("device", device, self.num_devices)
        owner = _core.tw_executable_tile_owner(self, int(is_result), index, device)
        return None if owner < 0 else owner

    @property
    def arena_bytes(self) -> int:
        return _core.tw_executable_arena_bytes(self)

    def peak_bytes(self, device: int) -> int:
        """Bytes that a device of this process needs while it runs."""
        return _core.tw_executable_peak_bytes(self, numbered("device", device, self.num_devices))

    @property
    def workers(self) -> int:
        return _core.tw_executable_workers(self)

    def flight(self) -> dict[str, Any]:
        """The flight recorder: where each device is after the last run."""
        return json.loads(_core.tw_executable_flight(self))

    def trace(self) -> dict[str, Any]:
        """Chrome's trace events; made with trace=True."""
        return json.loads(_core.tw_executable_trace(self))

    def profile(self) -> dict[str, Any]:
        """What each step took; made with profile=True."""
        return json.loads(_core.tw_executable_profile(self))

    def on_host(self) -> dict[str, Any]:
        """Which steps of a run the host takes for devices that are not the host, why, and the bytes copied for it."""
        return json.loads(_core.tw_executable_on_host(self))

    @property
    def counters(self) -> Counters:
        fields = _core.tw_executable_counters(self)
        return Counters(*(fields[name] for name in Counters._fields))

    def _about(self) -> str:
        return f"on {self.num_devices} devices, {self.workers} workers, {self.arena_bytes} bytes"


@registered("tw_run_t")
class Run(Object):
    """A run that Executable.start() began."""

    outputs: list[Tensor] = []

    @property
    def over(self) -> bool:
        """Whether it is over; waits for nothing."""
        return bool(_core.tw_run_test(self))

    def wait(self) -> list[Tensor]:
        """Works on the run until it is over; its outputs, or how it failed."""
        _core.tw_run_wait(self)
        return self.outputs

    def cancel(self) -> None:
        """Ends the run on every device, from any thread; wait() then raises Cancelled."""
        _core.tw_run_cancel(self)


@registered("tw_comm_t")
class Comm(Object):
    """Processes that run programs together over MPI. `comm` is mpi4py's communicator; None: all processes."""

    def __new__(cls, comm: Any = None, library: Optional[str] = None, deadline: float = 0) -> "Comm":
        address = None
        if comm is not None:
            from mpi4py import MPI

            address = MPI._addressof(comm)
        return _core.comm_create_mpi(address, given(library=library, deadline=float(deadline)))  # tw_comm_create_mpi

    @property
    def rank(self) -> int:
        return _core.tw_comm_rank(self)

    @property
    def size(self) -> int:
        return _core.tw_comm_size(self)

    def agree(self, **facts: Any) -> None:
        """Checks that values are equal on all processes."""
        _core.tw_comm_agree(self, (list(facts), [str(value) for value in facts.values()]))

    def share(self, value: int, root: int = 0) -> int:
        """The value that process `root` has."""
        return _core.tw_comm_share(self, root, value)

    def levels(self, plan: Plan) -> str:
        """On which hosts the devices of a plan's mesh will run, for Plan.lower(levels=..)."""
        return _core.tw_comm_levels(self, plan)

    def fail(self, message: str) -> None:
        """Tells all others that this process gives up, and why."""
        _core.tw_comm_fail(self, _core.TW_CANCELLED, message)


def mpi_start(library: Optional[str] = None) -> None:
    """MPI_Init_thread, for programs that use MPI only through this library."""
    _core.tw_mpi_start(library)


def mpi_finish(library: Optional[str] = None) -> None:
    """MPI_Finalize, for those."""
    _core.tw_mpi_finish(library)


def machine_limits(context: Optional[Context] = None) -> dict[str, Any]:
    """Measures, within a second or two, what the machine can do at most."""
    return json.loads(_core.tw_machine_limits(context))
