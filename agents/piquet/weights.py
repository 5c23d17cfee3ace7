"""Weights of the rules of play (see play.py, which gives the marks in this order).

Fitted, by softmax over the cards that may be played, to what each of 134,000 decisions came to on the mean when every card
was played out by plain rules in forty hands that the other might hold.
"""

# fmt: off
_LEAD = {
    "chance that it wins": -24.42,
    "sure winner, pique in reach": 19.05,
    "chance that it wins, by cards more than theirs in the suit": 11.21,
    "higher cards that they may hold": -26.57,
    "chance that it loses, by what they may then run in the suit": -1.62,
    "holds": -23.78,
    "tops of the suit": -15.53,
    "holds, and winners make the cards": -3.49,
    "holds, and they would run what we need to win": 20.33,
    "holds, and the suit runs": 40.76,
    "does not hold, by what they can run": -3.75,
    "does not hold, by tricks to be established": -4.93,
    "holds, by tricks of the suit led out": 2.51,
    "tops of theirs in the suit": 27.83,
    "tricks of the suit if they lead it": 7.79,
    "holds, by length": -5.18,
    "tricks lost to lead it out, by tricks left": -0.58,
    "does not hold, by their tops in the suit afterwards": 0.19,
    "holds, by tricks that winners lack to make the cards": -7.12,
    "tricks to be established, where other winners bring us back": -1.37,
    "chance that it wins, by tricks left": 1.88,
}
_ANSWER = {
    "wins": 27.39,
    "wins, by sure winners": 11.58,
    "wins, by what they may run": 5.17,
    "sure tricks given up": -9.12,
    "lowest of the suit": 11.03,
    "wins the first trick of ours": 26.34,
    "wins, by tricks left": 2.83,
    "shortens what they may run": 3.90,
    "wins, by winners": 2.67,
    "wins, by their winners": -2.10,
    "their tops in the suit afterwards": -11.09,
    "wins, and winners make the cards": 55.37,
}
_THROW = {
    "sure tricks given up": -32.96,
    "lowness": 6.13,
    "last of the suit": -5.41,
    "cards they may hold in the suit": -5.05,
    "highest left": 6.98,
    "shortens what they may run": 97.00,
    "lowness of the top of the suit": -0.70,
    "guarded tricks given up": -33.75,
    "tops given to them": -79.11,
    "cards more than theirs in the suit": -3.90,
    "guarded tricks given up, by tricks left": -0.63,
    "longer than theirs": 25.18,
}
# fmt: on

LEAD = tuple(_LEAD.values())
ANSWER = tuple(_ANSWER.values())
THROW = tuple(_THROW.values())
MOST_RULES = max(len(LEAD), len(ANSWER), len(THROW))
