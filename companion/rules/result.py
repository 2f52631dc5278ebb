"""Results and rule sets as JSON values, in the form that outside programs rely on; and the JSON Schema of
requests and answers.

The program checks what a schema cannot express: the number of tiles in a hand, which options a game has."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from companion.errors import RequestError
from companion.rules.fields import ALL_FIELDS, FIELDS, REQUIRED, Field, default_of, explain
from companion.rules.hand import GroupKind
from companion.rules.options import Option
from companion.rules.profile import Profile, apply_profile
from companion.rules.registry import RULE_SETS
from companion.rules.request import ScoreQuestion, decode_question, load_request
from companion.rules.rule_set import ComputedRow, Pattern, PayerPattern, RuleSet, ScoreLine, Share
from companion.rules.scoring import (
    Score,
    explain_hand,
    explain_share,
    find_assumed,
    trace_score,
    value_before_conversion,
)
from companion.rules.win import BASE, UNIT, Options, explain_stake
from companion.tiles import KINDS

Json = dict[str, Any]


def score_json(result: Score) -> Json:
    """The result as a JSON object.

    `value_in_unit` is the value in the game's unit, before a payment table turns fan into units.
    In addition to the documented fields: `ruling` (of the reason), `shares` (for each payer the lines that
    concern only this payer, what is owed and what is paid), `cash` (payments in addition to that for the
    win), and the payments of each entry of `house_rules`. In `reading`, melds are written with their kind;
    seven pairs are all in `sets`, and `pair` is null; `wild` are the tiles that wild ones stand for, if there
    are any.

    `reckoning` explains `value`: the values of `lines`, joined by its `sign` ("+" or "×") and
    multiplied by `times`; not `exact` where a limit made it less. A share's explains how `owed`
    comes about: `value` joined with the values of the share's lines, times `times`, plus `plus`: the unit and
    the base of the `stakes`, times the request's base. Of a player who pays for all, `of` are the shares that
    all would have paid.
    """
    hand = explain_hand(result)
    return {
        "rules": result.rules,
        "legal": result.legal,
        "reason": None if result.reason is None else str(result.reason.sentence),
        "ruling": None if result.reason is None else result.reason.ruling,
        "value": result.value,
        "value_in_unit": _value_in_unit(result),
        "unit": result.unit,
        "payments": list(result.payments),
        "stakes": {"base": result.stakes.base, "unit": result.stakes.unit},
        "lines": [_line(line) for line in result.lines],
        "reckoning": {"sign": hand.sign.symbol, "times": hand.times, "exact": hand.exact},
        "shares": [_share(result, share) for share in result.shares],
        "cash": [{"line": _line(cash.line), "payments": list(cash.payments)} for cash in result.cash],
        "reading": _reading(result),
        "house_rules": [
            {
                "option": rule.option,
                "setting": rule.setting,
                "value": rule.value,
                "legal": rule.legal,
                "payments": list(rule.payments),
            }
            for rule in result.house_rules
        ],
    }


def _value_in_unit(result: Score) -> int:
    lines = [(line.id, line.value) for line in result.lines]
    rules = RULE_SETS.get(result.rules)  # None of a game that is only declared
    own = None if rules is None else value_before_conversion(rules, lines, result.value)
    return result.value if own is None else own


def answer_json(question: ScoreQuestion) -> Json:
    """The result as of `score_json`, with the `id` of the request, if it has one, and with `assumed`, the
    fields that it left out and that change the result; without `house_rules` where the request says so.
    """
    return answer_question(question)[0]


def answer_question(question: ScoreQuestion) -> tuple[Json, Score]:
    """The answer as of `answer_json`, and the score that it shows."""
    found = trace_score(question.request, house_rules=question.alternatives)
    assumed = find_assumed(question, found)
    answer = _id_json(question.id) | score_json(found.score) | {"assumed": assumed}
    if not question.alternatives:
        del answer["house_rules"]
    return answer, found.score


def score_line(
    line: str | bytes, number: int = 1, profile: Profile | None = None, *, alternatives: bool = True
) -> Json:
    """Line `number` of a batch: the answer to the request on it, with a profile below it, or
    `{"error": …, "field": …}` of a RequestError, with the request's `id` where it can be read.

    `alternatives`: whether house options are compared in requests without that field. Nothing else is caught:
    any other error is a defect of the rules, not of the line.
    """
    given: Mapping[str, Any] = {}
    try:
        given = load_request(line, number)
        asked = given if profile is None else apply_profile(profile, given)
        return answer_json(decode_question(asked, alternatives=alternatives))
    except RequestError as error:
        id = given.get("id")
        return _id_json(id if isinstance(id, str) else None) | {"error": str(error), "field": error.field}


def _id_json(id: str | None) -> Json:
    return {} if id is None else {"id": id}


def describe(rules: RuleSet, options: Options | None = None) -> Json:
    """A rule set as a JSON object: tiles, shapes, melds, situations, rows, and house options with settings.

    `fields` are the fields of a request that only some games have and this one uses, `stakes` the parts of
    the field of that name, each with its default. A row's `value` is what it is worth each time; rows of the
    table "factor" multiply the points by it, rows of the table "payer" change what one payer pays, those of
    the table "cash" are paid in addition to the win. Where a house option chooses another scoring table,
    `tables` lists each setting that does, with the rows of that table: they may have the ids of rows of the
    game's own table, with other values. With `options`, which are complete, `rows` and `shapes` are those of
    the table that they choose. The `values` of an option are a list of settings, or `{"least": …, "most": …}`
    where any whole number between will do. `play_options` are those that say nothing of a hand's value: of
    the wall, and of how hands and games are played.
    """
    table = rules.own_table if options is None else rules.table(options)
    return {
        "name": rules.name,
        "title": rules.title,
        "title_zh": rules.title_zh,
        "tiles": rules.tile_set.total,
        "hand_size": rules.hand_size,
        "unit": rules.unit,
        "fields": sorted(rules.uses),
        "streak": rules.streak_default,
        "shapes": [
            {"id": s.id, "name": s.name, "name_zh": s.name_zh, "option": s.option} for s in table.shapes
        ],
        "melds": [{"kind": kind.value, "option": option} for kind, option in rules.meld_kinds.items()],
        "situations": [
            {"id": s.id, "name": s.name, "name_zh": s.name_zh, "label": s.label, "label_zh": s.label_zh}
            for s in rules.situations
        ],
        "rows": [
            *(_row(row, row.table, row.replaces) for row in table.patterns),
            *(_row(row, "payer") for row in rules.payer_patterns),
            *(_row(row, "payer") for row in rules.bearer_rows),
            *(_row(row, "cash") for row in rules.cash_rows),
        ],
        "tables": [
            {
                "option": rules.table_option,
                "setting": setting,
                "rows": [_row(row, row.table, row.replaces) for row in other.patterns],
            }
            for setting, other in rules.other_tables.items()
        ],
        "stakes": [_stake(rules, key) for key in rules.stakes],
        "options": [_option(option) for option in rules.options],
        "play_options": [_option(option) for option in rules.play.own_options],
    }


def _row(row: Pattern | PayerPattern | ComputedRow, table: str, replaces: tuple[str, ...] = ()) -> Json:
    return {
        "id": row.id,
        "name": row.name,
        "name_zh": row.name_zh,
        "value": row.value,
        "table": table,
        "meaning": row.meaning,
        "meaning_zh": row.meaning_zh,
        "replaces": list(replaces),
        "ruling": row.ruling,
    }


def _stake(rules: RuleSet, key: str) -> Json:
    meaning, meaning_zh = explain_stake(key, rules.unit)
    default = getattr(rules.own_stakes, key)
    return {"key": key, "default": default, "meaning": meaning, "meaning_zh": meaning_zh}


def _line(line: ScoreLine) -> Json:
    return {
        "id": line.id,
        "name": line.name,
        "name_zh": line.name_zh,
        "count": line.count,
        "value": line.value,
        "ruling": line.ruling,
    }


def _share(result: Score, share: Share) -> Json:
    calculation = explain_share(result, share)
    return {
        "payer": share.payer,
        "lines": [_line(line) for line in share.lines],
        "owed": share.owed,
        "pays": share.pays,
        "reckoning": {"sign": calculation.sign.symbol, "times": calculation.times, "plus": calculation.plus},
        "of": [_share(result, each) for each in share.of],
    }


def _reading(result: Score) -> Json | None:
    if result.reading is None:
        return None
    groups = result.reading.groups
    pairs = [g for g in groups if g.kind is GroupKind.PAIR]
    pair = pairs[0] if len(pairs) == 1 else None
    wild = [tile.code for g in groups for tile in g.wild]
    return {
        "shape": result.reading.shape,
        "sets": [str(g) for g in groups if g is not pair],
        "pair": None if pair is None else str(pair),
        "waits": [tile.code for tile in result.waits],
        **({"wild": wild} if wild else {}),
    }


def _option(option: Option) -> Json:
    numbers = option.values
    return {
        "key": option.key,
        "default": option.default,
        "values": {"least": numbers[0], "most": numbers[-1]} if isinstance(numbers, range) else list(numbers),
        "meaning": option.meaning,
        "meaning_zh": option.meaning_zh,
        "ruling": option.ruling,
    }


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
            "share": _share_schema(),
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
    calculation = {"sign": SIGN, "times": WHOLE, "exact": TRUTH}
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
            "value_in_unit": {"type": "integer", "minimum": 0}
            | {"description": "The value in the unit, before a payment table turns fan into what is paid"},
            "unit": {"enum": sorted({rules.unit for rules in RULE_SETS.values()})},
            "payments": _ref("payments"),
            "stakes": _object({BASE: WHOLE, UNIT: WHOLE}, "What a win costs: the base, and each point"),
            "lines": _list(_ref("line"), "The rows that make the value"),
            "reckoning": _object(calculation, "How the lines make the value"),
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


def _share_schema() -> Json:
    calculation = {"sign": SIGN, "times": WHOLE, "plus": WHOLE}
    return _object(
        {
            "payer": {"type": "integer", "minimum": 0, "maximum": 3},
            "lines": _list(_ref("line"), "The rows that concern this payer"),
            "owed": WHOLE,
            "pays": WHOLE,
            "reckoning": _object(calculation, "How value and lines make what is owed"),
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
