# Code generated from proto/trailblaze/v1 by sdk/gen. DO NOT EDIT.
"""Elements by their selectors, which each call resolves anew, and what is expected of them."""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import Awaitable, Callable
from typing import Any, Literal, overload

from . import _commands as api
from ._connect import error_of

__tracebackhide__ = True  # of pytest

Selector = dict[str, Any]


def _exactly(text: str) -> str:
    """A pattern that matches this text alone."""
    return text if text.replace(" ", "").isalnum() else "\\Q" + text.replace("\\E", "\\E\\\\E\\Q") + "\\E"


def _within(inner: Selector, outer: Selector) -> Selector:
    return {**inner, "childOf": _within(inner["childOf"], outer) if "childOf" in inner else outer}


def _wrong(what: str, selector: Selector, got: object, want: object, negated: bool) -> Exception:
    return error_of({"kind": "assertion", "message": f"{what} of {selector} is {got!r}, want {'another' if negated else repr(want)}",
                     "hint": "Look at the screen, or give expect() a longer timeout_ms."})


def _several(selector: Selector, n: int) -> Exception:
    return error_of({"kind": "conflict", "message": f"{n} elements match {selector}",
                     "hint": "Say which one: with within(), containing() or nth()."})


class Locator:
    """An element by its selector."""

    def __init__(self, device: api.Device, selector: Selector) -> None:
        self.device, self.selector = device, selector

    def __repr__(self) -> str:
        return f"Locator({self.selector})"

    def within(self, outer: Locator) -> Locator:
        """Those in an element of another locator."""
        return Locator(self.device, _within(self.selector, outer.selector))

    def containing(self, inner: Locator) -> Locator:
        """Those that have an element of another locator in them."""
        all_ = [*self.selector.get("containsDescendants", []), inner.selector]
        return Locator(self.device, {**self.selector, "containsDescendants": all_})

    def nth(self, index: int) -> Locator:
        """One of several, counted from 0 from top to bottom."""
        return Locator(self.device, {**self.selector, "index": index})

    def click(self, *, timeout_ms: int | None = None) -> None:
        """Clicks it."""
        self._one().click(node_selector=self.selector, timeout_ms=timeout_ms)

    def fill(self, value: str, *, timeout_ms: int | None = None) -> None:
        """Sets the field to a value, and reads it back."""
        self._one().fill(value=value, node_selector=self.selector, timeout_ms=timeout_ms)

    def hover(self, *, timeout_ms: int | None = None) -> None:
        """Moves the mouse onto it."""
        self._one().hover(node_selector=self.selector, timeout_ms=timeout_ms)

    def press(self, key: str, *, timeout_ms: int | None = None) -> None:
        """Presses a key or a chord in it, such as Enter or Control+a."""
        self._one().press_key(key=key, node_selector=self.selector, timeout_ms=timeout_ms)

    def select(self, values: list[str], *, timeout_ms: int | None = None) -> None:
        """Chooses options by their label, value or index."""
        self._one().select_option(values=values, node_selector=self.selector, timeout_ms=timeout_ms)

    def check(self, *, timeout_ms: int | None = None) -> None:
        """Checks it."""
        self._one().set_checked(checked=True, node_selector=self.selector, timeout_ms=timeout_ms)

    def uncheck(self, *, timeout_ms: int | None = None) -> None:
        """Takes its check away."""
        self._one().set_checked(checked=False, node_selector=self.selector, timeout_ms=timeout_ms)

    def count(self) -> int:
        """How many there are now that a person can see."""
        return self.device.get_element_count(node_selector=self.selector)

    def text(self) -> str | None:
        """What it shows now: a field's value, else its text. None: there is no such element."""
        return self.device.get_element_text(node_selector=self.selector)

    def is_visible(self) -> bool:
        """Whether a person can see it now."""
        return self.device.is_visible(node_selector=self.selector)

    def _one(self) -> api.WebCommands:
        """The commands of browsers, unless several elements are meant."""
        if "index" not in self.selector and (n := self.count()) > 1:
            raise _several(self.selector, n)
        return api.WebCommands(self.device._call, self.device._stream)


class Expectation:
    """Asserts something of an element, looking again until it holds or time is over."""

    def __init__(self, locator: Locator, timeout_ms: int, negated: bool = False) -> None:
        self._of, self._timeout_ms, self._negated = locator, timeout_ms, negated

    @property
    def not_(self) -> Expectation:
        """The contrary."""
        return Expectation(self._of, self._timeout_ms, not self._negated)

    def to_be_visible(self) -> None:
        device = self._of.device
        look = device.assert_not_visible_by_selector if self._negated else device.assert_visible_by_selector
        look(self._of.selector, timeout_ms=self._timeout_ms)

    def to_have_text(self, text: str) -> None:
        self._until("the text", self._of.text, text)

    def to_have_count(self, count: int) -> None:
        self._until("the number", self._of.count, count)

    def _until(self, what: str, look: Callable[[], object], want: object) -> None:
        end = time.monotonic() + self._timeout_ms / 1000
        while ((got := look()) == want) == self._negated:
            if time.monotonic() > end:
                raise _wrong(what, self._of.selector, got, want, self._negated)
            time.sleep(0.1)


class Finders(api.Device):
    """A device with locators."""

    def get_by_role(self, role: str, name: str | None = None) -> Locator:
        """The elements of an ARIA role, such as button or row, and of a name when one is given."""
        named = {} if name is None else {"ariaNameRegex": _exactly(name)}
        return Locator(self, {"web": {"ariaRole": role, **named}})

    def get_by_label(self, label: str) -> Locator:
        """The fields of a label, or of a name that they have otherwise."""
        return Locator(self, {"web": {"ariaNameRegex": _exactly(label), "cssSelector": "input, textarea, select, [contenteditable]"}})

    def get_by_text(self, text: str) -> Locator:
        """The elements in which a text stands directly, and nothing else."""
        return Locator(self, {"web": {"ownTextRegex": _exactly(text)}})

    def get_by_test_id(self, id: str) -> Locator:
        """The elements of a data-testid."""
        return Locator(self, {"web": {"dataTestId": id}})

    def get_by_css(self, css: str) -> Locator:
        """The elements that a CSS selector matches."""
        return Locator(self, {"web": {"cssSelector": css}})

    def locator(self, selector: Selector) -> Locator:
        """The elements of a selector as recordings have it."""
        return Locator(self, selector)

    def screenshot(self, format: Literal["JPEG", "PNG", "WEBP"] = "PNG", *, full_page: bool = False) -> bytes:
        """A picture of the screen."""
        seen = self.get_screenshot(format=format, full_page=full_page or None)
        parts = seen.get("call", {}).get("content", [])
        return b"".join(base64.b64decode(part["image"].get("data", "")) for part in parts if "image" in part)


class AsyncLocator:
    """An element by its selector."""

    def __init__(self, device: api.AsyncDevice, selector: Selector) -> None:
        self.device, self.selector = device, selector

    def __repr__(self) -> str:
        return f"AsyncLocator({self.selector})"

    def within(self, outer: AsyncLocator) -> AsyncLocator:
        """Those in an element of another locator."""
        return AsyncLocator(self.device, _within(self.selector, outer.selector))

    def containing(self, inner: AsyncLocator) -> AsyncLocator:
        """Those that have an element of another locator in them."""
        all_ = [*self.selector.get("containsDescendants", []), inner.selector]
        return AsyncLocator(self.device, {**self.selector, "containsDescendants": all_})

    def nth(self, index: int) -> AsyncLocator:
        """One of several, counted from 0 from top to bottom."""
        return AsyncLocator(self.device, {**self.selector, "index": index})

    async def click(self, *, timeout_ms: int | None = None) -> None:
        """Clicks it."""
        await (await self._one()).click(node_selector=self.selector, timeout_ms=timeout_ms)

    async def fill(self, value: str, *, timeout_ms: int | None = None) -> None:
        """Sets the field to a value, and reads it back."""
        await (await self._one()).fill(value=value, node_selector=self.selector, timeout_ms=timeout_ms)

    async def hover(self, *, timeout_ms: int | None = None) -> None:
        """Moves the mouse onto it."""
        await (await self._one()).hover(node_selector=self.selector, timeout_ms=timeout_ms)

    async def press(self, key: str, *, timeout_ms: int | None = None) -> None:
        """Presses a key or a chord in it, such as Enter or Control+a."""
        await (await self._one()).press_key(key=key, node_selector=self.selector, timeout_ms=timeout_ms)

    async def select(self, values: list[str], *, timeout_ms: int | None = None) -> None:
        """Chooses options by their label, value or index."""
        await (await self._one()).select_option(values=values, node_selector=self.selector, timeout_ms=timeout_ms)

    async def check(self, *, timeout_ms: int | None = None) -> None:
        """Checks it."""
        await (await self._one()).set_checked(checked=True, node_selector=self.selector, timeout_ms=timeout_ms)

    async def uncheck(self, *, timeout_ms: int | None = None) -> None:
        """Takes its check away."""
        await (await self._one()).set_checked(checked=False, node_selector=self.selector, timeout_ms=timeout_ms)

    async def count(self) -> int:
        """How many there are now that a person can see."""
        return await self.device.get_element_count(node_selector=self.selector)

    async def text(self) -> str | None:
        """What it shows now: a field's value, else its text. None: there is no such element."""
        return await self.device.get_element_text(node_selector=self.selector)

    async def is_visible(self) -> bool:
        """Whether a person can see it now."""
        return await self.device.is_visible(node_selector=self.selector)

    async def _one(self) -> api.AsyncWebCommands:
        """The commands of browsers, unless several elements are meant."""
        if "index" not in self.selector and (n := await self.count()) > 1:
            raise _several(self.selector, n)
        return api.AsyncWebCommands(self.device._call, self.device._stream)


class AsyncExpectation:
    """Asserts something of an element, looking again until it holds or time is over."""

    def __init__(self, locator: AsyncLocator, timeout_ms: int, negated: bool = False) -> None:
        self._of, self._timeout_ms, self._negated = locator, timeout_ms, negated

    @property
    def not_(self) -> AsyncExpectation:
        """The contrary."""
        return AsyncExpectation(self._of, self._timeout_ms, not self._negated)

    async def to_be_visible(self) -> None:
        device = self._of.device
        look = device.assert_not_visible_by_selector if self._negated else device.assert_visible_by_selector
        await look(self._of.selector, timeout_ms=self._timeout_ms)

    async def to_have_text(self, text: str) -> None:
        await self._until("the text", self._of.text, text)

    async def to_have_count(self, count: int) -> None:
        await self._until("the number", self._of.count, count)

    async def _until(self, what: str, look: Callable[[], Awaitable[object]], want: object) -> None:
        end = time.monotonic() + self._timeout_ms / 1000
        while ((got := await look()) == want) == self._negated:
            if time.monotonic() > end:
                raise _wrong(what, self._of.selector, got, want, self._negated)
            await asyncio.sleep(0.1)


class AsyncFinders(api.AsyncDevice):
    """A device with locators."""

    def get_by_role(self, role: str, name: str | None = None) -> AsyncLocator:
        """The elements of an ARIA role, such as button or row, and of a name when one is given."""
        named = {} if name is None else {"ariaNameRegex": _exactly(name)}
        return AsyncLocator(self, {"web": {"ariaRole": role, **named}})

    def get_by_label(self, label: str) -> AsyncLocator:
        """The fields of a label, or of a name that they have otherwise."""
        return AsyncLocator(self, {"web": {"ariaNameRegex": _exactly(label), "cssSelector": "input, textarea, select, [contenteditable]"}})

    def get_by_text(self, text: str) -> AsyncLocator:
        """The elements in which a text stands directly, and nothing else."""
        return AsyncLocator(self, {"web": {"ownTextRegex": _exactly(text)}})

    def get_by_test_id(self, id: str) -> AsyncLocator:
        """The elements of a data-testid."""
        return AsyncLocator(self, {"web": {"dataTestId": id}})

    def get_by_css(self, css: str) -> AsyncLocator:
        """The elements that a CSS selector matches."""
        return AsyncLocator(self, {"web": {"cssSelector": css}})

    def locator(self, selector: Selector) -> AsyncLocator:
        """The elements of a selector as recordings have it."""
        return AsyncLocator(self, selector)

    async def screenshot(self, format: Literal["JPEG", "PNG", "WEBP"] = "PNG", *, full_page: bool = False) -> bytes:
        """A picture of the screen."""
        seen = await self.get_screenshot(format=format, full_page=full_page or None)
        parts = seen.get("call", {}).get("content", [])
        return b"".join(base64.b64decode(part["image"].get("data", "")) for part in parts if "image" in part)


@overload
def expect(locator: Locator, *, timeout_ms: int = 5000) -> Expectation: ...
@overload
def expect(locator: AsyncLocator, *, timeout_ms: int = 5000) -> AsyncExpectation: ...
def expect(locator: Any, *, timeout_ms: int = 5000) -> Any:
    """What is expected of an element: `expect(tb.get_by_role("row")).to_have_count(3)`."""
    return (Expectation if isinstance(locator, Locator) else AsyncExpectation)(locator, timeout_ms)


__all__ = ["AsyncExpectation", "AsyncLocator", "Expectation", "Locator", "expect"]
