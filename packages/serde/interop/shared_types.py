"""Values of every kind that LangGraph for Python stores, and classes for some of them."""

import dataclasses
import datetime as dt
import decimal
import enum
import ipaddress
import pathlib
import re
import uuid
import zoneinfo
from collections import deque, namedtuple

import numpy as np
import pydantic
import pydantic.v1
from langchain_core.documents import Document
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    ChatMessage,
    ChatMessageChunk,
    FunctionMessage,
    FunctionMessageChunk,
    HumanMessage,
    HumanMessageChunk,
    RemoveMessage,
    SystemMessage,
    SystemMessageChunk,
    ToolMessage,
    ToolMessageChunk,
)
from langgraph.checkpoint.serde.types import _DeltaSnapshot as DeltaSnapshot
from langgraph.store.base import Item
from langgraph.types import Command, Interrupt, Overwrite, Send, TimeoutPolicy

UTC = dt.timezone.utc



class Inner(pydantic.BaseModel):
    hello: str


class Model(pydantic.BaseModel):
    foo: str
    bar: int
    inner: Inner


class InnerV1(pydantic.v1.BaseModel):
    hello: str


class ModelV1(pydantic.v1.BaseModel):
    foo: str
    inner: InnerV1


@dataclasses.dataclass
class Point:
    x: int
    y: object


@dataclasses.dataclass(slots=True)
class SlottedPoint:
    x: int


class Color(enum.Enum):
    RED = "red"
    BLUE = 2


Pair = namedtuple("Pair", "left right")

_created = dt.datetime(2024, 9, 24, 17, 29, 10, 128397)

VALUES = {
    "none": None,
    "true": True,
    "text": "foo",
    "text with NUL": "foo\0",
    "text beyond ASCII": "foo ⛰️",
    "escaped text": "foo \\u26f0\\ufe0f",
    "surrogate pair": "Hello\ud83d\ude00",
    "long text": "x" * 300,
    "bytes": b"my bytes",
    "bytearray": bytearray([42]),
    "small integer": 1,
    "integers": [0, 127, 128, 255, 256, 65535, 65536, -1, -32, -33, -128, -129, -32768, -32769],
    "integers around 2^31": [2**31 - 1, 2**31, -(2**31), -(2**31) - 1],
    "integers around 2^32": [2**32 - 1, 2**32, 2**32 + 1],
    "integers around 2^53": [2**53 - 1, 2**53, 2**53 + 1, -(2**53) + 1, -(2**53), -(2**53) - 1],
    "integers around 2^63": [2**63 - 1, 2**63, -(2**63)],
    "integers around 2^64": [2**64 - 1],
    "floats": [1.1, -0.5, 1e300, float("inf"), float("-inf"), 3.0, 1e15],
    "negative zero": [-0.0],
    "NaN": [float("nan")],
    "list": [1, [2, [3]], {"a": [4]}],
    "empty containers": [[], {}, (), "", b""],
    "tuple": (1, "a", (2,)),
    "dict": {"a": 1, "b": {"c": [None, True]}},
    "dict with __proto__": {"__proto__": {"admin": True}, "constructor": 1},
    "dict of 20 keys": {f"k{i}": i for i in range(20)},
    "integer keys": {1: "a", 2: "b"},
    "large integer keys": {2**40: 1, 2**60: 2, -(2**62): 3},
    "float keys": {1.5: "a", -2.25: "b"},
    "boolean keys": {True: 1, False: 0},
    "None key": {None: 1},
    "bytes keys": {b"a": 1},
    "tuple keys": {(1, 2, 3): 45, ("a", (1, 2)): 46},
    "mixed keys": {"a": 1, 5: 2, "b": {"c": 3}, (1,): 4, "1": 5, "0": 6},
    "nested mixed keys": {"a": {1: {"b": {2: {"c": 3}}}}},
    "date keys": {dt.date(2020, 1, 1): 1},
    "uuid keys": {uuid.UUID(int=5): 1},
    "set": {1, 2, 3},
    "empty set": set(),
    "set of text": {"a"},
    "set of tuples": {(1, 2)},
    "set of dates": {dt.datetime(2024, 1, 2, tzinfo=UTC)},
    "set of uuids": {uuid.UUID(int=1)},
    "set with a frozenset": {1, frozenset({1, 2})},
    "frozenset": frozenset({1, 2}),
    "deque": deque([1, 2, 3]),
    "utc datetime": dt.datetime(2024, 4, 19, 23, 4, 57, tzinfo=UTC),
    "utc datetime of milliseconds": dt.datetime(2024, 4, 19, 23, 4, 57, 51000, tzinfo=UTC),
    "utc datetime of microseconds": dt.datetime(2024, 4, 19, 23, 4, 57, 51022, tzinfo=UTC),
    "first datetime": dt.datetime(1, 1, 1, tzinfo=UTC),
    "last datetime": dt.datetime(9999, 12, 31, 23, 59, 59, 999000, tzinfo=UTC),
    "naive datetime": dt.datetime(2024, 4, 19, 23, 4, 57),
    "datetime with offset": dt.datetime(2024, 4, 19, 23, 4, 57, 51022, dt.timezone.max),
    "datetime in a zone": dt.datetime(2024, 7, 1, tzinfo=zoneinfo.ZoneInfo("America/New_York")),
    "date": dt.date(2024, 4, 19),
    "time": dt.time(23, 4, 57, 51022, dt.timezone.max),
    "timedelta": dt.timedelta(days=1, seconds=2, microseconds=3),
    "timezone": dt.timezone(dt.timedelta(hours=2)),
    "zone": zoneinfo.ZoneInfo("America/New_York"),
    "uuid": uuid.UUID(int=1),
    "decimal": decimal.Decimal("1.10101"),
    "path": pathlib.Path("foo", "bar"),
    "regex": re.compile(r"foo"),
    "regex with flags": re.compile(r"foo.\d", re.DOTALL | re.IGNORECASE | re.MULTILINE),
    "regex that JavaScript lacks": re.compile(r"(?P<year>\d+)(?#note)", re.VERBOSE),
    "regex of bytes": re.compile(rb"foo"),
    "ipv4": ipaddress.IPv4Address("192.168.0.1"),
    "ipv6 network": ipaddress.IPv6Network("2001:db8::/32"),
    "ipv4 interface": ipaddress.IPv4Interface("10.0.0.1/8"),
    "enum": Color.RED,
    "enum of integer": Color.BLUE,
    "named tuple": Pair(1, "b"),
    "dataclass": Point(1, Point(2, dt.date(2024, 1, 1))),
    "slotted dataclass": SlottedPoint(5),
    "pydantic": Model(foo="foo", bar=1, inner=Inner(hello="hello")),
    "pydantic v1": ModelV1(foo="foo", inner=InnerV1(hello="hello")),
    "secret": pydantic.SecretStr("meow"),
    "secret v1": pydantic.v1.SecretStr("meow"),
    "float32 array": np.arange(4, dtype=np.float32),
    "int64 array": np.arange(4, dtype=np.int64),
    "uint8 array": np.arange(4, dtype=np.uint8),
    "bool array": np.array([True, False]),
    "array of two dimensions": np.arange(9, dtype=np.int32).reshape(3, 3),
    "fortran array": np.asfortranarray(np.arange(6, dtype=np.float64).reshape(2, 3)),
    "strided array": np.arange(12, dtype=np.int16)[::2].reshape(3, 2),
    "complex array": np.arange(4, dtype=np.complex128),
    "big-endian array": np.arange(3, dtype=">i4"),
    "empty array": np.zeros(0, dtype=np.float32),
    "scalar array": np.array(5.0),
    "human message": HumanMessage("hi"),
    "human message with blocks": HumanMessage([{"type": "text", "text": "x"}], id="1", name="ann"),
    "system message": SystemMessage("be brief", additional_kwargs={"a": 1}),
    "ai message": AIMessage(
        "hi",
        id="1",
        tool_calls=[{"name": "t", "args": {"q": 1}, "id": "c", "type": "tool_call"}],
        usage_metadata={"input_tokens": 1, "output_tokens": 2, "total_tokens": 3},
    ),
    "ai message with an invalid tool call": AIMessage(
        "",
        invalid_tool_calls=[
            {"name": "t", "args": "{", "id": "c", "error": "bad", "type": "invalid_tool_call"}
        ],
    ),
    "ai message with response metadata": AIMessage("x", response_metadata={"model_name": "m"}),
    "tool message": ToolMessage("x", tool_call_id="c", name="t", artifact={"rows": [1]}),
    "failed tool message": ToolMessage("x", tool_call_id="c", status="error"),
    "function message": FunctionMessage("x", name="f"),
    "chat message": ChatMessage("x", role="critic"),
    "remove message": RemoveMessage(id="1"),
    "ai message chunk": AIMessageChunk("x"),
    "ai message chunk with tool calls": AIMessageChunk(
        "", tool_call_chunks=[{"name": "t", "args": '{"a":1}', "index": 0, "id": "c"}]
    ),
    "message chunks": [
        HumanMessageChunk("a"),
        SystemMessageChunk("b"),
        ToolMessageChunk("c", tool_call_id="1"),
        FunctionMessageChunk("d", name="f"),
        ChatMessageChunk("e", role="r"),
    ],
    "document": Document("x", metadata={"a": 1}),
    "document with id": Document("x", id="d1", metadata={"at": dt.datetime(2024, 1, 1, tzinfo=UTC)}),
    "send": Send("tools", {"a": 1}),
    "send with timeout": Send("tools", {"a": 1}, timeout=TimeoutPolicy(idle_timeout=5.0)),
    "send with odd timeout": Send("t", None, timeout=TimeoutPolicy(run_timeout=0.1, idle_timeout=1 / 3)),
    "command": Command(update={"a": 1}, goto="next"),
    "command with sends": Command(goto=[Send("a", {"x": 1}), "b"]),
    "command to the parent": Command(graph=Command.PARENT, resume={"a": 1}),
    "interrupt": Interrupt({"question": "ok?"}, id="i1"),
    "overwrite": Overwrite([1, 2]),
    "delta snapshot": DeltaSnapshot([1, HumanMessage("x")]),
    "item": Item(
        value={"a": 1},
        key="my-key",
        namespace=("a", "name"),
        created_at=_created,
        updated_at=dt.datetime(2024, 9, 24, 17, 29, 11, tzinfo=UTC),
    ),
    "exception": ValueError("x"),
    "state": {
        "messages": [HumanMessage("a"), AIMessage("b"), ToolMessage("c", tool_call_id="1")],
        "at": dt.datetime(2024, 1, 1, tzinfo=UTC),
        "seen": {1, 2},
        "docs": {1: Document("x")},
    },
}

# What `repr` shows of a set does not depend on the run for these.
ALLOWED = [
    (cls.__module__, cls.__name__)
    for cls in (Inner, Model, InnerV1, ModelV1, Point, SlottedPoint, Color, Pair)
] + [("pydantic.types", "SecretStr"), ("pydantic.v1.types", "SecretStr")]
