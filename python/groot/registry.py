"""Registries: named functions that mappings use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar, overload

from groot import _ffi
from groot._core import callbacks
from groot._core.callbacks import Registered
from groot._core.handle import Handle, room
from groot._core.json import decode
from groot._core.text import encode_name
from groot._ffi import byref, lib
from groot.calls import Function
from groot.errors import Status, call, error

_F = TypeVar("_F", bound=Function)


class Registry:
    """Named transformers and mappers.

    A mapping reads the registry when it is made; later changes do not affect it. The functions run
    on the thread of the call that needs them. They take and return JSON values (None for "no
    value"), and must not use the context that calls them. An exception that a function raises is
    raised by that call unchanged, unless the call collects or skips wrong records.

    A registry belongs to one thread at a time. The functions of a mapping that several threads
    share run on all these threads. A function may refer to a context that uses it: the garbage
    collector frees such a cycle of registry, mappings and contexts.

    A function with two required parameters also receives a `Call`, the purpose of the call:

        def decoded(value, call):
            return decoders[call.property](value)
    """

    def __init__(self) -> None:
        """Make an empty registry."""
        pointer = _ffi.RegistryHandle()
        self._handle = Handle(lib.registry_free, pointer)
        # The library has only numbers of functions, so that no reference cycle goes through it.
        self._functions: dict[str, tuple[Registered, ...]] = {}
        self._entries: dict[str, tuple[str, tuple[Any, ...]]] = {}
        call(lib.registry_create, byref(pointer))

    @staticmethod
    def builtins() -> dict[str, str]:
        """Return the library's built-in transformers.

        Returns:
            Their descriptions by their names.
        """
        text, _owner = room()
        call(lib.registry_builtins, byref(text))
        found: dict[str, str] = decode(_ffi.bytes_of(text))
        return found

    def builtin(self, name: str, builtin: str) -> None:
        """Register a built-in transformer of the library under `name`.

        Args:
            name: The name in annotations.
            builtin: The name of the built-in transformer, such as "integer-text"; `builtins` lists
                them.

        Raises:
            groot.Error: With `Status.UNKNOWN_TRANSFORMER` for an unknown built-in, and with
                `Status.INVALID_ARGUMENT` for a name that is not a text.
        """
        bound, source = encode_name(name), encode_name(builtin)
        call(lib.registry_set_builtin, self._handle.pointer, bound, source)
        self._functions.pop(name, None)
        self._entries[name] = ("builtin", (builtin,))

    @overload
    def transformer(self, name: str, *, reverse: Function | None = None) -> Callable[[_F], _F]: ...

    @overload
    def transformer(self, name: str, forward: _F, *, reverse: Function | None = None) -> _F: ...

    def transformer(
        self, name: str, forward: Function | None = None, *, reverse: Function | None = None
    ) -> Any:
        """Register a value transformer under `name`, as a call or as a decorator.

        Args:
            name: The name in annotations.
            forward: The function from JSON to a value of the attribute; it never receives None.
                Without it, `transformer` returns a decorator.
            reverse: The function from a value to JSON, for exports; it never receives None. Without
                it, the transformer is one-way.

        Returns:
            `forward`, or the decorator.

        Raises:
            groot.Error: For a name that is not a text, and a function that cannot be called.
        """
        if forward is None:
            return lambda function: self.transformer(name, function, reverse=reverse)
        functions = (callbacks.forward, self._back(name, forward, reverse, callbacks.reverse))
        self._set(lib.registry_set_transformer, name, functions, forward, reverse)
        self._entries[name] = ("transformer", (forward, reverse))
        return forward

    @overload
    def batch_transformer(
        self, name: str, *, reverse: Function | None = None
    ) -> Callable[[_F], _F]: ...

    @overload
    def batch_transformer(
        self, name: str, forward: _F, *, reverse: Function | None = None
    ) -> _F: ...

    def batch_transformer(
        self, name: str, forward: Function | None = None, *, reverse: Function | None = None
    ) -> Any:
        """Register a value transformer that gets many values in one call, or as a decorator.

        An import reads ahead, and calls `forward` once with the different values of several hundred
        records, among them values that it turns out not to need. The result must depend on the
        value alone. If such a call fails, the import calls the function again with one value at a
        time, so that the error names the value. Input that cannot be read ahead has calls with one
        value too.

        Args:
            name: The name in annotations.
            forward: The function from a list of JSON values to a list of as many values of the
                attribute, in which None means no value; it never receives None in the list. Without
                it, `batch_transformer` returns a decorator.
            reverse: The function from a list of values to a list of JSON values, for exports. An
                export looks ahead at the objects of the same entity. Without it, the transformer is
                one-way.

        Returns:
            `forward`, or the decorator.

        Raises:
            groot.Error: As `transformer`.
        """
        if forward is None:
            return lambda function: self.batch_transformer(name, function, reverse=reverse)
        back = self._back(name, forward, reverse, callbacks.reverse_batch)
        functions = (callbacks.forward_batch, back)
        self._set(lib.registry_set_batch_transformer, name, functions, forward, reverse)
        self._entries[name] = ("batch_transformer", (forward, reverse))
        return forward

    @overload
    def entity_mapper(self, name: str) -> Callable[[_F], _F]: ...

    @overload
    def entity_mapper(self, name: str, function: _F) -> _F: ...

    def entity_mapper(self, name: str, function: Function | None = None) -> Any:
        """Register an entity mapper under `name`, as a call or as a decorator.

        Args:
            name: The name in annotations.
            function: The function from a JSON object to the name of the new object's entity, or to
                None for the entity of the import or relationship.

        Returns:
            `function`, or the decorator.

        Raises:
            groot.Error: As `transformer`.
        """
        if function is None:
            return lambda decorated: self.entity_mapper(name, decorated)
        _check(name, function)
        self._set(lib.registry_set_entity_mapper, name, (callbacks.forward,), function)
        self._entries[name] = ("entity_mapper", (function,))
        return function

    @overload
    def dictionary_transformer(self, name: str) -> Callable[[_F], _F]: ...

    @overload
    def dictionary_transformer(self, name: str, function: _F) -> _F: ...

    def dictionary_transformer(self, name: str, function: Function | None = None) -> Any:
        """Register a dictionary transformer under `name`, as a call or as a decorator.

        Args:
            name: The name in annotations.
            function: The function from a JSON object to the object to read instead, or to None for
                the original. It runs before anything else reads the object, and receives a copy.

        Returns:
            `function`, or the decorator.

        Raises:
            groot.Error: As `transformer`.
        """
        if function is None:
            return lambda decorated: self.dictionary_transformer(name, decorated)
        _check(name, function)
        setter = lib.registry_set_dictionary_transformer
        self._set(setter, name, (callbacks.forward,), function)
        self._entries[name] = ("dictionary_transformer", (function,))
        return function

    def remove(self, name: str) -> None:
        """Remove the function registered under `name`.

        Args:
            name: The name in annotations.

        Raises:
            groot.Error: With `Status.UNKNOWN_TRANSFORMER` if nothing is registered under the name.
        """
        call(lib.registry_remove, self._handle.pointer, encode_name(name))
        self._functions.pop(name, None)
        self._entries.pop(name, None)

    def __reduce__(self) -> Any:
        """Refuse to be copied or pickled: the library refers to its functions."""
        raise TypeError(
            "a registry cannot be copied or pickled; register the functions in another one"
        )

    @staticmethod
    def _back(name: str, forward: Function, reverse: Function | None, caller: Any) -> Any:
        """Return the function of C that calls `reverse`, or none; check both functions."""
        _check(name, forward)
        if reverse is None:
            return _ffi.NO_TRANSFORM
        _check(name, reverse)
        return caller

    def _set(
        self,
        setter: Any,
        name: str,
        callers: tuple[Any, ...],
        function: Function,
        reverse: Function | None = None,
    ) -> None:
        """Register functions in the library, and keep them as long as it may call them.

        `callers` are the functions of C that call them.
        """
        text = encode_name(name)
        registered = Registered(function, reverse)
        earlier = self._functions.get(name, ())
        # Kept before the call: Ctrl-C may come right after it.
        self._functions[name] = (*earlier, registered)
        pointer = self._handle.pointer
        call(setter, pointer, text, *callers, registered.number, _ffi.NO_DESTROY)
        self._functions[name] = (registered,)


def _check(name: str, function: object) -> None:
    """Refuse a value that cannot be called."""
    if not callable(function):
        message = f"{name}: {type(function).__name__} is not callable; give a function"
        raise error(Status.INVALID_ARGUMENT, message)


def extended(
    registry: Registry | None, entries: Mapping[str, tuple[str, tuple[Any, ...]]]
) -> Registry:
    """Return a registry with the functions of another, and with others under missing names."""
    made = Registry()
    known = {} if registry is None else registry._entries
    for name, (kind, functions) in {**entries, **known}.items():
        if kind in ("transformer", "batch_transformer"):
            getattr(made, kind)(name, functions[0], reverse=functions[1])
        else:
            getattr(made, kind)(name, *functions)
    return made
