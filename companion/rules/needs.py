"""What situations take for granted, for rule sets to choose from."""

from companion.rules import messages
from companion.rules.rule_set import Demand, Need
from companion.rules.win import Source

SELF_DRAWN = Need(lambda request: request.source is Source.SELF_DRAW, messages.NEEDS_SELF_DRAW)
NOT_ROBBED = Need(lambda request: request.source is not Source.ROBBED_KONG, messages.NEEDS_NO_ROBBING)
BY_THE_DEALER = Need(lambda request: request.winner == request.dealer, messages.NEEDS_DEALER)
NOT_BY_THE_DEALER = Need(lambda request: request.winner != request.dealer, messages.NEEDS_NO_DEALER)
NO_MELDS = Need(lambda request: not request.melds, messages.NEEDS_NO_MELDS)
WITH_A_KONG = Need(lambda request: any(meld.kind.is_kong for meld in request.melds), messages.NEEDS_KONG)
WITH_A_KONG_OR_FLOWER = Need(
    lambda request: bool(request.flowers) or not request.flowers_known or WITH_A_KONG.holds(request),
    messages.NEEDS_KONG_OR_FLOWER,
)
ON_THE_DEALERS_DISCARD = Need(
    lambda request: request.source is Source.DISCARD and request.discarder == request.dealer,
    messages.NEEDS_DEALERS_DISCARD,
)
NO_FLOWERS_WITHOUT = Demand(
    "flowers", lambda request: not request.flowers or request.on("flowers"), messages.NO_FLOWERS_IN_PLAY
)
"""Where the house option flowers is false, nobody has any."""
