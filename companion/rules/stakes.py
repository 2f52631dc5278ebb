"""The stakes of a table: what a win costs each payer, as people state it.

"100底20台" is a base of 100 and a unit of 20: whoever pays for a win pays 100 + 20 × its tai (ruling P-02).
"""

from __future__ import annotations

from msgspec import Struct


class Stakes(Struct, frozen=True, forbid_unknown_fields=True):
    """A payment is `base` + `unit` × the hand's value, joined with the rows of that payer. In points, whole
    numbers from 0; not both are 0.

    base: what a win costs beside its value, at a value of 0 too; only some games have it
    unit: what each point of the value costs
    """

    base: int = 0
    unit: int = 1


BASE, UNIT = "base", "unit"
"""The keys of stakes, as `RuleSet.stakes` names them."""
