"""Weights of the rules of play (see play.py, which gives the marks in this order).

Fitted, by softmax over the cards that may be played, to what each of 268,000 decisions came to on the mean when every card
was played out in 24 or 40 hands that the other might hold: half by plain greedy rules, half by these rules themselves. They
weigh together, not one by one: a rule may take back what another gives.
"""

# fmt: off
_LEAD = {
    "chance that it wins": -27.78,
    "sure winner, pique in reach": 89.41,
    "chance that it wins, by cards more than theirs in the suit": 17.99,
    "higher cards that they may hold": -21.07,
    "chance that it loses, by what they may then run in the suit": -3.88,
    "holds": -20.92,
    "tops of the suit": -14.33,
    "holds, and winners make the cards": -10.40,
    "holds, and they would run what we need to win": 39.07,
    "holds, and the suit runs": 42.57,
    "does not hold, by what they can run": -6.03,
    "does not hold, by tricks to be established": -4.79,
    "holds, by tricks of the suit led out": 3.92,
    "tops of theirs in the suit": 25.31,
    "tricks of the suit if they lead it": 8.05,
    "holds, by length": -3.83,
    "tricks lost to lead it out, by tricks left": -0.82,
    "does not hold, by their tops in the suit afterwards": -2.72,
    "holds, by tricks that winners lack to make the cards": -11.59,
    "tricks to be established, where other winners bring us back": 5.26,
    "chance that it wins, by tricks left": 2.04,
}
_ANSWER = {
    "wins": 21.24,
    "wins, by sure winners": 10.95,
    "wins, by what they may run": 2.72,
    "sure tricks given up": -20.60,
    "lowest of the suit": 16.42,
    "wins the first trick of ours": 16.57,
    "wins, by tricks left": 3.09,
    "shortens what they may run": 12.98,
    "wins, by winners": 1.82,
    "wins, by their winners": -3.23,
    "their tops in the suit afterwards": -12.01,
    "wins, and winners make the cards": 39.90,
}
_THROW = {
    "sure tricks given up": -30.84,
    "lowness": 6.39,
    "last of the suit": 1.70,
    "cards they may hold in the suit": -2.23,
    "highest left": 8.05,
    "shortens what they may run": 97.90,
    "lowness of the top of the suit": -2.30,
    "guarded tricks given up": -27.15,
    "tops given to them": -74.12,
    "cards more than theirs in the suit": -1.88,
    "guarded tricks given up, by tricks left": -1.89,
    "longer than theirs": 13.21,
}
# fmt: on

LEAD = tuple(_LEAD.values())
ANSWER = tuple(_ANSWER.values())
THROW = tuple(_THROW.values())
MOST_RULES = max(len(LEAD), len(ANSWER), len(THROW))
