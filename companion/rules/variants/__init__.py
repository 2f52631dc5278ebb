"""The rule sets, one value each, a large one with its rows and options in separate files; and their one
list."""

from companion.rules.rule_set import RuleSet
from companion.rules.variants.hangzhou import HANGZHOU
from companion.rules.variants.hebei import HEBEI
from companion.rules.variants.hefei import HEFEI
from companion.rules.variants.hong_kong import HONG_KONG
from companion.rules.variants.taiwanese import TAIWANESE

ALL: tuple[RuleSet, ...] = (HEFEI, HEBEI, TAIWANESE, HONG_KONG, HANGZHOU)
