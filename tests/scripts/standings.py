"""Computes the table of a journal from its records alone, knowing nothing of the arbiter: a second opinion.

Usage: standings.py JOURNAL. Prints a JSON object by engine: points, wins, draws, losses, pairs by points (0, 1/2, 1,
3/2, 2), and Elo with its 95 % interval, infinities as the words inf and -inf.
"""

import json
import math
import sys
from collections import defaultdict

Z95 = 1.959963984540054


def read(path):
    """The plan, the finished games and the byes; a last line without a line feed doesn't count."""
    with open(path, encoding="utf-8", newline="\n") as file:
        records = [json.loads(line) for line in file if line.endswith("\n")]
    games = [r for r in records if r["type"] == "game" and r["result"] in ("p1win", "draw", "p2win")]
    byes = [r for r in records if r["type"] == "bye"]
    return records[0], games, byes


def half_points(game, name):
    """Twice the points that an engine has of a game."""
    if game["result"] == "draw":
        return 1
    return 2 if (game["result"] == "p1win") == (game["p1"] == name) else 0


def elo(score):
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return -400 * math.log10(1 / score - 1)


def word(x):
    return x if math.isfinite(x) else str(x)


def strength(counts):
    """Elo and its interval; the i-th of n counts is of samples worth i / (n - 1)."""
    total = sum(counts)
    if total == 0:
        return None
    values = [i / (len(counts) - 1) for i in range(len(counts))]
    mean = sum(n * x for n, x in zip(counts, values)) / total
    variance = sum(n * (x - mean) ** 2 for n, x in zip(counts, values)) / total
    reach = Z95 * math.sqrt(variance / total)
    interval = {"elo": mean, "elo_low": mean - reach, "elo_high": mean + reach}
    return {key: word(elo(score)) for key, score in interval.items()}


def line(name, games, byes, plan):
    own = [game for game in games if name in (game["p1"], game["p2"])]
    results = [0, 0, 0]
    by_pair = defaultdict(list)
    for game in own:
        results[half_points(game, name)] += 1
        by_pair[game["pair"]].append(half_points(game, name))
    pairs = [0] * 5
    for halves in by_pair.values():
        if plan["swap"] and len(halves) == 2:
            pairs[sum(halves)] += 1
    losses, draws, wins = results
    win, draw, loss = plan["points"]
    bye_wins = sum(bye["games"] for bye in byes if bye["engine"] == name)
    points = (wins + bye_wins) * win + draws * draw + losses * loss
    table = {"points": points, "wins": wins, "draws": draws, "losses": losses, "pairs": pairs}
    table["strength"] = strength(pairs) or strength(results)
    return table


plan, games, byes = read(sys.argv[1])
json.dump({e["name"]: line(e["name"], games, byes, plan) for e in plan["engines"]}, sys.stdout)
