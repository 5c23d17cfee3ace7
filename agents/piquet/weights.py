"""Weights of the rules of play (see play.py, which gives the marks in this order).

Fitted, by softmax over the cards that may be played, to what each of 134,000 decisions came to on the mean when every card
was played out by plain rules in forty hands that the other might hold.
"""

# fmt: off
_LEAD = {
    "chance that it wins": -10.45,
    "sure winner, pique in reach": 66.31,
    "chance that it wins, by cards more than theirs in the suit": 9.82,
    "higher cards that they may hold": -5.37,
    "chance that it loses, by what they may then run in the suit": -6.94,
    "holds": -14.98,
    "tops of the suit": -6.69,
    "holds, and winners make the cards": -11.93,
    "holds, and they would run what we need to win": 56.42,
    "holds, and the suit runs": 15.11,
    "does not hold, by what they can run": -4.46,
    "does not hold, by tricks to be established": 19.74,
    "holds, by tricks of the suit led out": 9.28,
    "tops of theirs in the suit": 10.62,
    "tricks of the suit if they lead it": -12.84,
    "holds, by length": 4.09,
    "tricks lost to lead it out, by tricks left": -0.88,
    "does not hold, by their tops in the suit afterwards": 0.00,
    "holds, by tricks that winners lack to make the cards": 0.00,
    "tricks to be established, where other winners bring us back": 0.00,
    "chance that it wins, by tricks left": 0.00,
}
_ANSWER = {
    "wins": 18.27,
    "wins, by sure winners": 9.61,
    "wins, by what they may run": 2.71,
    "sure tricks given up": -14.54,
    "lowest of the suit": 7.67,
    "wins the first trick of ours": 11.90,
    "wins, by tricks left": 1.70,
    "shortens what they may run": 9.06,
    "wins, by winners": 1.06,
    "wins, by their winners": -4.43,
    "their tops in the suit afterwards": -15.28,
    "wins, and winners make the cards": 49.06,
}
_THROW = {
    "sure tricks given up": -28.76,
    "lowness": 3.06,
    "last of the suit": 14.11,
    "cards they may hold in the suit": -7.71,
    "highest left": 20.47,
    "shortens what they may run": 90.95,
    "lowness of the top of the suit": -8.28,
    "guarded tricks given up": -11.87,
    "tops given to them": -58.50,
    "cards more than theirs in the suit": -3.32,
    "guarded tricks given up, by tricks left": 0.00,
    "longer than theirs": 0.00,
}
# fmt: on

LEAD = tuple(_LEAD.values())
ANSWER = tuple(_ANSWER.values())
THROW = tuple(_THROW.values())
MOST_RULES = max(len(LEAD), len(ANSWER), len(THROW))
