# SPDX-License-Identifier: Apache-2.0
"""What all objects of the library have in common."""

from __future__ import annotations

from typing import Any, Optional, Type, TypeVar

from . import _core

T = TypeVar("T", bound="Object")


class Object(_core.Handle):
    """Holds one reference to an object of the library, given up by close(), at the end of a `with`, or with the last use."""

    def close(self) -> None:
        """Gives the object up. Whatever uses it afterwards raises FailedPrecondition; closing again does nothing."""
        _core.close_handle(self)

    def __enter__(self: T) -> T:
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
        raise TypeError(f"a {type(self).__name__} cannot be pickled")


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
