#!/usr/bin/env python3
"""Writes random games of Andantino, judged by an independent implementation of the rules in plain Python (a module with
a class Pos). usage: generate.py ORACLE [TIMES [FILE]]; TIMES multiplies the number of games, FILE defaults to
oracle-games.txt beside this script."""
import importlib.util
import pathlib
import random
import sys

PLAN = {1: 6, 2: 20, 3: 40, 4: 50, 5: 40, 6: 20, 7: 20, 8: 10, 9: 30, 10: 10, 11: 5, 12: 10}  # games by radius
REASONS = {'five': 'five', 'encl': 'enclosure', 'self': 'self-enclosure'}
WINNERS = {'w': 'p1win', 'b': 'p2win'}


def fnv(texts):
    """64-bit FNV-1a of the texts, each followed by a line feed."""
    h = 0xcbf29ce484222325
    for text in texts:
        for byte in (text + '\n').encode():
            h = (h ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return h


def game(oracle, rng, radius, shy):
    """One game; in a shy one the players look for moves that do not win, so that it becomes long."""
    p, result = oracle.Pos.start(radius), None
    start, moves, seen = p.text(), [], []
    while result is None:
        legal = p.moves()
        seen += [p.text(), ' '.join(map(oracle.name, legal))]
        rng.shuffle(legal)
        for cell in legal[:1 + shy]:
            if moves and result is not None:
                p.undo(moves.pop())
            p.play(cell)
            moves.append(cell)
            result = p.after(cell)
            if result is None or result[1] == 'self':
                break
    seen += [p.text(), '']
    verdict = 'draw board-full' if result[0] == 'draw' else f'{WINNERS[result[0]]} {REASONS[result[1]]}'
    return ' | '.join([start, ' '.join(map(oracle.name, moves)), verdict, f'{fnv(seen):016x}'])


def main():
    spec = importlib.util.spec_from_file_location('oracle', sys.argv[1])
    oracle = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(oracle)
    times = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    file = sys.argv[3] if len(sys.argv) > 3 else pathlib.Path(__file__).parent / 'oracle-games.txt'
    rng = random.Random(2026)
    with open(file, 'w') as out:
        print('# start | moves | result and reason | FNV-1a 64 of the position string and the legal moves before '
              'each move and at the end, one per line', file=out)
        for radius, games in PLAN.items():
            for i in range(games * times):
                print(game(oracle, rng, radius, shy=i % 3 * 4), file=out)


if __name__ == '__main__':
    main()
