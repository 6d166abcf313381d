"""From features to scores: heads, how they are learnt, and the maps onto a scale of 0 to 1."""
