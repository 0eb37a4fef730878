# SPDX-License-Identifier: Apache-2.0
"""What all objects of the library have in common."""

from __future__ import annotations

import operator
from typing import Any, Callable, Iterator, Optional, Sequence, Type, TypeVar, overload

from . import _core

O = TypeVar("O", bound="Object")
T = TypeVar("T")


class Object(_core.Handle):
    """Holds one reference to an object of the library, given up by close(), at the end of a `with`, or with the last use."""

    def close(self) -> None:
        """Gives the object up. Whatever uses it afterwards raises FailedPrecondition; closing again does nothing."""
        _core.close_handle(self)

    def __enter__(self: O) -> O:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _about(self) -> str:
        """What __repr__ says of an object that is open."""
        return ""

    def _text(self) -> str:
        """What str() gives of an object that is open."""
        return repr(self)

    def __str__(self) -> str:
        return repr(self) if self.closed else self._text()

    def __repr__(self) -> str:
        about = "closed" if self.closed else self._about()
        return f"<{type(self).__name__}{' ' + about if about else ''}>"

    def __reduce__(self) -> Any:
        name = type(self).__name__
        raise TypeError(f"{'an' if name[0] in 'AEIOU' else 'a'} {name} cannot be pickled")


class Items(Sequence[T]):
    """Things by number, made when they are asked for: len(), indices, slices and iteration."""

    __slots__ = ("_count", "_make", "_what")

    def __init__(self, what: str, count: int, make: Callable[[int], T]) -> None:
        self._what, self._count, self._make = what, count, make

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, at: int) -> T: ...

    @overload
    def __getitem__(self, at: slice) -> list[T]: ...

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return [self._make(i) for i in range(self._count)[at]]
        i = operator.index(at)
        if not -self._count <= i < self._count:
            raise IndexError(f"there is no {self._what} {i}: there are {self._count}")
        return self._make(i % self._count)

    def __iter__(self) -> Iterator[T]:
        return map(self._make, range(self._count))

    def __repr__(self) -> str:
        return f"<{self._count} {self._what}{'' if self._count == 1 else 's'}>"


def registered(name: str):  # type: ignore[no-untyped-def]
    """Makes a class that of the objects that C calls `name`."""

    def register(cls: Type[Any]) -> Type[Any]:
        _core.register_class(name, cls)
        return cls

    return register


def given(**options: Any) -> dict[str, Any]:
    """The options that are not None, as the library wants them: numbers for booleans."""
    return {name: int(value) if isinstance(value, bool) else value for name, value in options.items() if value is not None}


def maybe(number: int, none: int) -> Optional[int]:
    """None for what stands for no number."""
    return None if number == none else number
