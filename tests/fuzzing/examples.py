"""What parsers understand, to be changed."""

PHH = (
    b"""variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [100, 100, 50]
players = ["Ann", "Bob", "Cem"]
actions = ["d dh p1 AhKh", "d dh p2 ????", "d dh p3 2c7d", "p3 cbr 6", "p1 cc", "p2 f", "d db 2h7c5s", "p1 cc",
 "p3 cbr 44", "p1 f"]
finishing_stacks = [94, 98, 58]
winnings = [0, 0, 14]
""",
    b"""[1]
variant = 'FT'
ante_trimming_status = true
antes = [0, 1]
blinds_or_straddles = [2, 1]
small_bet = 2
big_bet = 4
starting_stacks = [inf, 20.50]
actions = ['d dh p1 AhKh', 'd dh p2 Tc9c', 'p2 cc # limp', 'p1 cbr 4', 'p2 f', 'p1 sm -']
_cap = 3
hand = 7
time = 12:30:00

[2]
variant = "PO"
""",
)
ACPC = (
    b"STATE:0:cr13024c/r16916f:5d5c|9hQd/8dAs8s:13024|-13024:Alice|Bob\n# note\nSCORE:13024|-13024:Alice|Bob\n",
    b"STATE:7:fffr200fc/cc/cc/cc:AhAd|KhKd|2c2d|3c3d|4c4d|5c5d/2h7c5s/Td/9d:0|0|0|0|0|0:a|b|c|d|e|f\n",
)
POKERSTARS = (
    """PokerStars Hand #123: Hold'em No Limit ($0.50/$1.00 USD) - 2010/01/01 12:00:00 ET
Table 'Alpha' 6-max Seat #1 is the button
Seat 1: Ann ($100 in chips)
Seat 2: Bob ($99.50 in chips)
Seat 3: Çem ($50 in chips) is sitting out
Ann: posts small blind $0.50
Bob: posts big blind $1
*** HOLE CARDS ***
Dealt to Ann [Ah Kh]
Ann: raises $2 to $3
Bob: calls $2
*** FLOP *** [2h 7c 5s]
Bob: checks
Ann: bets $4.50 and is all-in
Bob: folds
Uncalled bet ($4.50) returned to Ann
Ann collected $5.70 from pot
*** SUMMARY ***
Total pot $6 | Rake $0.30
Board [2h 7c 5s]
Seat 1: Ann (button) (small blind) collected ($5.70)
Seat 2: Bob (big blind) folded on the Flop
""".encode(),
)
SCORES = b"system,player,deal_seed,score\namerican,other,0,55\namerican,other,1,61.5\n"
SPOT = {
    "board": "AhKd2c",
    "oop": "AA,KK:0.5,AKs",
    "ip": "QQ+,AK",
    "pot": 10,
    "stack": 40,
    "sizes": {
        street: {side: {"bet": ["50%", "100%"], "raise": ["all-in"]} for side in ("oop", "ip")}
        for street in ("flop", "turn", "river")
    },
    "raise_cap": 3,
}
PAGE_SPOT = SPOT | {"sizes": "50% 100% all-in / 100% all-in", "until": 0.5}
