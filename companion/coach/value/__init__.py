"""What a choice is worth: distance to ready, chances, payoff, danger, and the estimate made of them."""
