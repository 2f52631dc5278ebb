"""The JSON Schema of requests and of their answers: requests from the table of fields, answers from here.

The program checks what a schema cannot express: the number of tiles in a hand, which options a game has.
"""

from __future__ import annotations

from collections.abc import Collection

from companion.rules.fields import ALL_FIELDS, FIELDS, default_of, explain
from companion.rules.kinds import Json
from companion.rules.registry import RULE_SETS
from companion.rules.request_field import REQUIRED, Field
from companion.rules.stakes import BASE, UNIT
from companion.tiles import KINDS

DIALECT = "https://json-schema.org/draft/2020-12/schema"
WHOLE, TEXT, TRUTH = {"type": "integer"}, {"type": "string"}, {"type": "boolean"}
TEXT_OR_NULL = {"type": ["string", "null"]}
SIGN = {"enum": ["+", "×"]}
SETTING = {"type": ["boolean", "integer", "string"]}


def make_schema() -> Json:
    """One document for `companion score`: `$defs` has `request`, `result` and `error`, and each is valid."""
    ways = ("request", "result", "error")
    return {
        "$schema": DIALECT,
        "title": "A request to companion score, a result, or an error",
        "anyOf": [_ref(way) for way in ways],
        "$defs": {
            "request": _request(),
            "result": _result(),
            "error": _object(
                {"error": TEXT, "field": TEXT, **_IN_A_BATCH},
                "An answer to a request that is wrong",
                _IN_A_BATCH.keys(),
            ),
            "tile": {"enum": [tile.code for tile in KINDS], "description": "The code of a tile"},
            "payments": _list(
                {"type": "integer"}, "What each seat gets; what it pays is negative", minItems=4, maxItems=4
            ),
            "line": _object(
                {
                    "id": TEXT, "name": TEXT, "name_zh": TEXT,
                    "count": {"type": "integer", "minimum": 1}, "value": WHOLE, "ruling": TEXT,
                },
                "A row of the scoring table that counts",
            ),
            "share": _share(),
        },
    }  # fmt: skip


def _request() -> Json:
    return {
        "type": "object",
        "description": "A win to be scored",
        "properties": {name: _field(field) for name, field in ALL_FIELDS.items()},
        "required": [name for name, field in FIELDS.items() if field.default is REQUIRED],
        "additionalProperties": False,
    }


def _field(field: Field) -> Json:
    default = default_of(field)
    stated = {} if default is None else {"default": default}
    return {**field.kind.schema(), **stated, "description": explain(field)}


def _result() -> Json:
    reading = {
        "shape": TEXT,
        "sets": _list(TEXT, "In notation; melds with their kind in front"),
        "pair": TEXT_OR_NULL,
        "waits": _list(_ref("tile"), "The kinds that the hand waited for"),
        "wild": _list(_ref("tile"), "What wild tiles stand for"),
    }
    reckoned = {"sign": SIGN, "times": WHOLE, "exact": TRUTH}
    cash = {"line": _ref("line"), "payments": _ref("payments")}
    house_rule = {
        "option": TEXT, "setting": SETTING, "value": WHOLE, "legal": TRUTH, "payments": _ref("payments")
    }  # fmt: skip
    return _object(
        {
            "rules": {"enum": list(RULE_SETS)},
            "legal": TRUTH | {"description": "Whether the hand wins"},
            "reason": TEXT_OR_NULL | {"description": "Why it does not win"},
            "ruling": TEXT_OR_NULL | {"description": "The ruling behind the reason"},
            "value": {"type": "integer", "minimum": 0},
            "unit": {"enum": sorted({rules.unit for rules in RULE_SETS.values()})},
            "payments": _ref("payments"),
            "stakes": _object({BASE: WHOLE, UNIT: WHOLE}, "What a win costs: the base, and each point"),
            "lines": _list(_ref("line"), "The rows that make the value"),
            "reckoning": _object(reckoned, "How the lines make the value"),
            "shares": _list(_ref("share"), "What each payer owes and pays"),
            "cash": _list(_object(cash, "A payment for a row"), "Payments beside those for the win"),
            "reading": {"anyOf": [_object(reading, "How the hand was read", {"wild"}), {"type": "null"}]},
            "house_rules": _list(
                _object(house_rule, "One other setting of an option"),
                "Under which other house options the hand would be worth something else",
            ),
            "assumed": {
                "type": "object",
                "propertyNames": {"enum": [name for name, field in FIELDS.items() if field.others]},
                "description": "What was left out and decides this result, with the value that was assumed",
            },
            **_IN_A_BATCH,
        },
        "The answer to a request",
        {"house_rules", *_IN_A_BATCH},
    )


def _share() -> Json:
    reckoned = {"sign": SIGN, "times": WHOLE, "plus": WHOLE}
    return _object(
        {
            "payer": {"type": "integer", "minimum": 0, "maximum": 3},
            "lines": _list(_ref("line"), "The rows that concern this payer"),
            "owed": WHOLE,
            "pays": WHOLE,
            "reckoning": _object(reckoned, "How value and lines make what is owed"),
            "of": _list(_ref("share"), "The shares of all, where this player pays for all"),
        },
        "What one player pays",
    )


_IN_A_BATCH = {
    "line": {"type": "integer", "minimum": 1, "description": "In a batch: the number of the request's line"},
    "id": {"type": "string", "description": "The id of the request, where it has one"},
}


def _object(properties: Json, description: str, optional: Collection[str] = ()) -> Json:
    """An object with these properties; later versions may have more."""
    needed = [name for name in properties if name not in optional]
    return {
        "type": "object", "description": description, "properties": properties, "required": needed
    }  # fmt: skip


def _list(items: Json, description: str, **limits: int) -> Json:
    return {"type": "array", "description": description, "items": items, **limits}


def _ref(name: str) -> Json:
    return {"$ref": f"#/$defs/{name}"}
