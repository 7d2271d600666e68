"""What the paper on the adaptive draw player prints."""

from itertools import pairwise

# The worked examples: learning value, players, pot; ac, and the raise (0: a call).
EXAMPLES = {
    "Figure 1": ((8.0, 5, 50), (7.53, 0)),
    "Figure 2": ((8.0, 3, 50), (12.57, 11)),
    "Figure 3": ((9.0, 3, 50), (15.89, 16)),
}

# Table 5: hands dealt, hands played, hands won.
TABLE_5 = (
    (25, 25, 5),
    (50, 50, 12),
    (75, 75, 19),
    (100, 100, 28),
    (200, 195, 60),
    (300, 257, 81),
    (400, 324, 102),
    (500, 393, 123),
    (1000, 647, 216),
    (1500, 925, 312),
    (2000, 1187, 409),
    (2500, 1421, 484),
    (3000, 1664, 560),
)

# Table 6: units after 1,000 hands, hands played, hands won; the adaptive player first.
TABLE_6 = {
    "loose-aggressive": ((13342, 507, 153), (9696, 362, 196), (8602, 386, 198), (8879, 343, 160), (9496, 341, 169)),
    "tight-passive": ((11123, 355, 196), (9536, 122, 83), (9459, 119, 80), (9420, 98, 64), (9706, 108, 68)),
    "loose-passive": ((15632, 500, 157), (8520, 376, 200), (8724, 373, 194), (8189, 342, 161), (8935, 345, 135)),
    "tight-aggressive": ((10816, 446, 167), (9527, 212, 147), (9730, 216, 115), (9837, 184, 122), (10079, 197, 129)),
}


def blocks() -> list[tuple[int, int, int]]:
    """Table 5 by blocks of hands, of which the printed numbers are the sums: hands dealt, played, won."""
    return [
        (after[0] - before[0], after[1] - before[1], after[2] - before[2])
        for before, after in pairwise([(0, 0, 0), *TABLE_5])
    ]
