#!/usr/bin/env python3
"""A bot that plays any game without knowing its rules: it asks for the legal moves and takes one of them at random."""
import random
import sys


def choose(legal):
    """Yours to improve. The moves are words; what they mean depends on the game."""
    return random.choice(legal) if legal else "0000"


def main():
    legal = []
    for line in sys.stdin:
        command, *words = line.split() or [""]
        if command == "ugi":
            # The capability makes the controller send `legal COUNT MOVE...` before each `go`.
            print("id name Any-game bot\ncap wants-legal\nugiok", flush=True)
        elif command == "isready":
            print("readyok", flush=True)
        elif command == "legal":
            legal = words[1:]
        elif command == "go":
            print("bestmove", choose(legal), flush=True)
        elif command == "quit":
            break


main()
