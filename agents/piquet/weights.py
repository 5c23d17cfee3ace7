"""Weights of the rules of play (see play.py, which gives the marks in this order).

Fitted, by softmax over the cards that may be played, to what each of 134,000 decisions came to on the mean when every card
was played out by plain rules in forty hands that the other might hold.
"""

# fmt: off
_LEAD = {
    "chance that it wins": -8.76,
    "sure winner, pique in reach": 43.58,
    "chance that it wins, by cards more than theirs in the suit": 6.76,
    "higher cards that they may hold": -4.85,
    "chance that it loses, by what they may then run in the suit": -5.55,
    "holds": -9.67,
    "tops of the suit": -4.45,
    "holds, and winners make the cards": -7.98,
    "holds, and they would run what we need to win": 33.31,
    "holds, and the suit runs": 10.61,
    "does not hold, by what they can run": -2.69,
    "does not hold, by tricks to be established": 11.89,
    "holds, by tricks of the suit led out": 5.30,
    "tops of theirs in the suit": 7.40,
    "tricks of the suit if they lead it": -7.72,
    "holds, by length": 2.63,
    "tricks lost to lead it out, by tricks left": -0.53,
}
_ANSWER = {
    "wins": 12.87,
    "wins, by sure winners": 5.42,
    "wins, by what they may run": 1.10,
    "sure tricks given up": -7.60,
    "lowest of the suit": 6.35,
    "wins the first trick of ours": 7.25,
    "wins, by tricks left": 0.77,
    "shortens what they may run": 5.69,
    "wins, by winners": 0.42,
    "wins, by their winners": -1.99,
    "their tops in the suit afterwards": -8.09,
    "wins, and winners make the cards": 28.45,
}
_THROW = {
    "sure tricks given up": -17.34,
    "lowness": 1.85,
    "last of the suit": 8.87,
    "cards they may hold in the suit": -3.60,
    "highest left": 13.31,
    "shortens what they may run": 30.50,
    "lowness of the top of the suit": -4.10,
    "guarded tricks given up": -4.68,
    "tops given to them": -20.04,
    "cards more than theirs in the suit": -1.82,
}
# fmt: on

LEAD = tuple(_LEAD.values())
ANSWER = tuple(_ANSWER.values())
THROW = tuple(_THROW.values())
MOST_RULES = max(len(LEAD), len(ANSWER), len(THROW))
