"""What LangGraph for Python's own serializer makes of values, and of our payloads.

    python python_side.py vectors          prints its payload for each value
    python python_side.py check < cases    prints what it reads of each payload

A case is {"name", "tag", "hex"} with one of "vector", the name of a value that has to come out, and
"python", an expression that gives it; or with neither, when it has to raise.
"""

import json
import logging
import sys

import numpy as np
import shared_types
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

logging.disable(logging.CRITICAL)


def vectors():
    serializer = JsonPlusSerializer()
    rows = []
    for name, value in shared_types.VALUES.items():
        try:
            tag, data = serializer.dumps_typed(value)
        except Exception as error:
            rows.append({"name": name, "raises": type(error).__name__})
            continue
        rows.append({"name": name, "tag": tag, "hex": bytes(data).hex()})
    return rows


def check(cases):
    strict = JsonPlusSerializer(allowed_msgpack_modules=None)
    wide = JsonPlusSerializer(allowed_msgpack_modules=shared_types.ALLOWED)
    return [{"name": case["name"], "verdict": verdict(case, strict, wide)} for case in cases]


def verdict(case, strict, wide):
    # Python's own classes of the test need to be allowed; everything else is read strictly.
    serializer = wide if "vector" in case else strict
    payload = (case["tag"], bytes.fromhex(case["hex"]))
    try:
        value = serializer.loads_typed(payload)
    except Exception as error:
        return f"raises {type(error).__name__}"
    if "vector" in case:
        # As Python itself reads its own payload: some types come back as less there.
        own = JsonPlusSerializer(allowed_msgpack_modules=shared_types.ALLOWED)
        wanted = own.loads_typed(own.dumps_typed(shared_types.VALUES[case["vector"]]))
    elif "python" in case:
        wanted = eval(case["python"], vars(shared_types))
    else:
        return "reads it"
    return "equal" if same(value, wanted) else f"{value!r} is not {wanted!r}"


def same(left, right):
    # JavaScript has one type for both.
    if {type(left), type(right)} in ({int, float}, {bytes, bytearray}):
        return left == right
    if type(left) is not type(right):
        return False
    if isinstance(left, np.ndarray):
        return left.dtype == right.dtype and left.shape == right.shape and left.tobytes() == right.tobytes()
    if isinstance(left, dict):
        return list(left) == list(right) and all(same(left[key], right[key]) for key in left)
    if isinstance(left, (list, tuple)):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, float):
        return left.hex() == right.hex()
    if hasattr(left, "__dict__") and type(left).__eq__ is object.__eq__:
        return same(vars(left), vars(right))
    return left == right


if __name__ == "__main__":
    if sys.argv[1] == "vectors":
        json.dump(vectors(), sys.stdout)
    else:
        json.dump(check(json.load(sys.stdin)), sys.stdout)
