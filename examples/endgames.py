#!/usr/bin/env python3
"""Tells how many plies before the end of a game our engine knows what the game is worth.

Takes a journal of a match and a number of nodes. From each first game of a pair it gives the engine the position one ply
before the end, two plies before, and so on, until a search of that many nodes ends without having proven the value; one
that has proves it with fewer. Prints, for each result, the games and the quartiles of the plies that were still known.
"""

import json
import statistics
import subprocess
import sys


class Engine:
    """Our engine of a game on its standard streams."""

    def __init__(self, arbiter, game, setup):
        command = [arbiter, "engine", game]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.tell(f"setup {game} {setup}")

    def tell(self, line):
        print(line, file=self.process.stdin)

    def searched(self, fen, moves, nodes):
        """The nodes of a search of at most this many."""
        self.tell("uginewgame")
        self.tell(f"position fen {fen} moves {' '.join(moves)}")
        self.tell(f"go nodes {nodes}")
        searched = 0
        for line in self.process.stdout:
            words = line.split()
            if words[:1] == ["error"]:
                raise SystemExit(line)
            if words[:1] == ["info"] and "nodes" in words:
                searched = int(words[words.index("nodes") + 1])
            if words[:1] == ["bestmove"]:
                return searched
        raise SystemExit("the engine has left")


def known(engine, game, nodes):
    """Plies before the end from which on the value is known."""
    moves = game["moves"]
    for plies in range(1, len(moves) + 1):
        if engine.searched(game["fen"], moves[: len(moves) - plies], nodes) >= nodes:
            return plies - 1
    return len(moves)


def main():
    if len(sys.argv) != 4:
        raise SystemExit("usage: endgames.py ARBITER JOURNAL NODES")
    arbiter, journal, nodes = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with open(journal, encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    plan = next(record for record in records if record["type"] == "plan")
    games = [record for record in records if record["type"] == "game" and record["index"] % 2 == 0]
    engine = Engine(arbiter, plan["game"], plan["setup"])
    results = {}
    for game in sorted(games, key=lambda game: game["index"]):
        drawn = game["result"] == "draw"
        results.setdefault("drawn" if drawn else "won", []).append(known(engine, game, nodes))
    for result, plies in sorted(results.items()):
        quartiles = statistics.quantiles(plies, n=4, method="inclusive") if len(plies) > 1 else plies * 3
        print(f"{result}: {len(plies)} games, known {', '.join(f'{value:.0f}' for value in quartiles)} plies before the end")


if __name__ == "__main__":
    main()
