"""Registries: named functions that mappings use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, overload

from groot import _callbacks, _ffi
from groot._buffers import room
from groot._callbacks import Function, Registered
from groot._ffi import byref, lib
from groot._handle import Handle
from groot._json import decode
from groot._text import encode_name
from groot.errors import Status, call, error

_F = TypeVar("_F", bound=Function)


class Registry:
    """Named transformers and mappers.

    A mapping reads the registry when it is made; later changes do not reach it. The functions run
    on the thread of the call that needs them, take and give JSON values (None for "nothing"), and
    must not use the context that is calling them. An exception that one raises comes out of that
    call as it is. A registry belongs to one thread at a time; the functions of a mapping that
    several threads share run on all of them. A function may refer to a context that uses it: the
    registry, mappings made with it and their contexts are then freed by the garbage collector.

    A function that needs a second argument is given a `Call`, which says what it is called for:

        def decoded(value, call):
            return decoders[call.property](value)
    """

    def __init__(self) -> None:
        """Make an empty registry."""
        pointer = _ffi.RegistryHandle()
        self._handle = Handle(lib.registry_free, pointer)
        # The library knows functions by a number only: it would hide a circle of references.
        self._functions: dict[str, tuple[Registered, ...]] = {}
        call(lib.registry_create, byref(pointer))

    @staticmethod
    def builtins() -> dict[str, str]:
        """Give the transformers that the library brings along: name to description."""
        text, _owner = room()
        call(lib.registry_builtins, byref(text))
        found: dict[str, str] = decode(_ffi.bytes_of(text))
        return found

    def builtin(self, name: str, builtin: str) -> None:
        """Bind the library's own transformer `builtin` to `name`, such as "integer-text".

        Args:
            name: The name in annotations.
            builtin: The name of the built-in transformer, one of `builtins`.

        Raises:
            groot.Error: With `Status.UNKNOWN_TRANSFORMER` when there is no such built-in.
        """
        bound, source = encode_name(name), encode_name(builtin)
        call(lib.registry_set_builtin, self._handle.pointer, bound, source)
        self._functions.pop(name, None)

    @overload
    def transformer(self, name: str, *, reverse: Function | None = None) -> Callable[[_F], _F]: ...

    @overload
    def transformer(self, name: str, forward: _F, *, reverse: Function | None = None) -> _F: ...

    def transformer(
        self, name: str, forward: Function | None = None, *, reverse: Function | None = None
    ) -> Any:
        """Register a value transformer under `name`; also a decorator of `forward`.

        Args:
            name: The name in annotations.
            forward: Turns JSON into a value of the attribute; it never gets None.
            reverse: Turns a value into JSON for exports; it never gets None. Without one the
                transformer is one-way.

        Returns:
            `forward`, or the decorator.

        Raises:
            groot.Error: For a name that is not a text, and a function that cannot be called.
        """
        if forward is None:
            return lambda function: self.transformer(name, function, reverse=reverse)
        _check(name, forward)
        back = _ffi.NO_TRANSFORM
        if reverse is not None:
            _check(name, reverse)
            back = _callbacks.reverse
        self._set(lib.registry_set_transformer, name, forward, reverse, back)
        return forward

    @overload
    def entity_mapper(self, name: str) -> Callable[[_F], _F]: ...

    @overload
    def entity_mapper(self, name: str, function: _F) -> _F: ...

    def entity_mapper(self, name: str, function: Function | None = None) -> Any:
        """Register an entity mapper under `name`; also a decorator.

        Args:
            name: The name in annotations.
            function: Is given a JSON object and gives the name of the entity that a new object
                gets; None means the entity that was asked for.

        Returns:
            `function`, or the decorator.

        Raises:
            groot.Error: As `transformer`.
        """
        if function is None:
            return lambda decorated: self.entity_mapper(name, decorated)
        _check(name, function)
        self._set(lib.registry_set_entity_mapper, name, function)
        return function

    @overload
    def dictionary_transformer(self, name: str) -> Callable[[_F], _F]: ...

    @overload
    def dictionary_transformer(self, name: str, function: _F) -> _F: ...

    def dictionary_transformer(self, name: str, function: Function | None = None) -> Any:
        """Register a dictionary transformer under `name`; also a decorator.

        Args:
            name: The name in annotations.
            function: Is given a JSON object, its own copy, before anything else reads it, and gives
                the object to read instead; None means the object as it came.

        Returns:
            `function`, or the decorator.

        Raises:
            groot.Error: As `transformer`.
        """
        if function is None:
            return lambda decorated: self.dictionary_transformer(name, decorated)
        _check(name, function)
        self._set(lib.registry_set_dictionary_transformer, name, function)
        return function

    def remove(self, name: str) -> None:
        """Remove the function registered under `name`.

        Args:
            name: The name in annotations.

        Raises:
            groot.Error: With `Status.UNKNOWN_TRANSFORMER` when the name is free.
        """
        call(lib.registry_remove, self._handle.pointer, encode_name(name))
        self._functions.pop(name, None)

    def __reduce__(self) -> Any:
        """Refuse to be copied or pickled: the library holds its functions."""
        raise TypeError(
            "a registry cannot be copied or pickled; register the functions in another one"
        )

    def _set(
        self,
        setter: Any,
        name: str,
        function: Function,
        reverse: Function | None = None,
        *more: Any,
    ) -> None:
        """Hand functions over, and hold them as long as the library may call them."""
        text = encode_name(name)
        registered = Registered(function, reverse)
        earlier = self._functions.get(name, ())
        # Before the call: behind it Ctrl-C may come.
        self._functions[name] = (*earlier, registered)
        functions = (_callbacks.forward, *more)
        pointer = self._handle.pointer
        call(setter, pointer, text, *functions, registered.number, _ffi.NO_DESTROY)
        self._functions[name] = (registered,)


def _check(name: str, function: object) -> None:
    """Refuse what cannot be called, before the library ever tries."""
    if not callable(function):
        message = f"{name}: {type(function).__name__} is not callable"
        raise error(Status.INVALID_ARGUMENT, message)
