#!/usr/bin/env python3
"""Writes GAME/solved.txt beside this file: what the positions of proofs are worth by the rules of an independent
implementation in plain Python, where searching all of a position's games takes no more than so many positions.
usage: generate_solved.py GAME ORACLE MOST PROOF...; ORACLE is the module of the rules."""
import importlib.util
import pathlib
import sys

from generate_values import GAMES, TooMany

HERE = pathlib.Path(__file__).parent
WORDS = {1: 'win', 0: 'draw', -1: 'loss'}


class Known(dict):
    """What is known of positions, up to so many."""

    def __init__(self, most):
        self.most = most

    def __setitem__(self, key, value):
        if len(self) >= self.most:
            raise TooMany
        super().__setitem__(key, value)


def search(game, p, known):
    """1 if the side to move wins, -1 if it loses, 0 if it is a draw."""
    text = game.text(p)
    if text not in known:
        worth = game.result(p)
        if worth is None:
            worth = -1
            for q in game.after(p):
                worth = max(worth, -search(game, q, known))
                if worth == 1:
                    break
        known[text] = worth
    return known[text]


def main():
    sys.setrecursionlimit(10_000)
    name, path, most, *proofs = sys.argv[1:]
    spec = importlib.util.spec_from_file_location('oracle', path)
    oracle = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(oracle)
    game = GAMES[name](oracle)
    # Simplexity's and X-Rudder's can solve; what that of X-Rudder says is x's.
    solve = {
        'simplexity': lambda p, known: oracle.solve(p, known),
        'xrudder': lambda p, known: oracle.solve(p, known) * (1 if p.side == oracle.X else -1),
    }.get(name, lambda p, known: search(game, p, known))
    positions = set()
    for proof in proofs:
        with open(proof, 'rb') as lines:
            positions.add(next(line for line in lines if line.startswith(b'fen '))[4:].decode().strip())
    with open(HERE / name / 'solved.txt', 'w') as out:
        print(f'# position | value for the side to move, of those that take at most {most} positions', file=out)
        for text in sorted(positions):
            try:
                print(text, '|', WORDS[solve(game.parse(text), Known(int(most)))], file=out, flush=True)
            except TooMany:
                pass


if __name__ == '__main__':
    main()
