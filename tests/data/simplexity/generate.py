#!/usr/bin/env python3
"""Writes oracle-games.txt and minimax.txt beside this file: random games judged, and moves chosen, by an
independent implementation of the rules in plain Python (a module with a class Position), whose path is the argument."""
import importlib.util
import math
import pathlib
import random
import struct
import sys

SETUPS = [  # rows, columns, line length, rounds, squares, games
    (6, 7, 4, 10, 11, 40), (8, 13, 4, 26, 26, 20), (9, 37, 5, 83, 84, 6), (12, 12, 6, 35, 37, 10),
    (18, 22, 9, 99, 99, 3), (33, 42, 20, 400, 500, 1), (50, 50, 5, 625, 625, 3), (1, 9, 3, 4, 5, 20),
    (1, 50, 4, 25, 25, 5), (9, 1, 3, 4, 5, 20), (50, 1, 5, 25, 25, 5), (3, 3, 1, 2, 3, 8), (1, 1, 1, 1, 1, 3),
    (3, 3, 3, 2, 2, 20), (4, 4, 3, 3, 9, 15), (5, 4, 4, 10, 1, 15), (4, 6, 4, 12, 0, 15), (4, 6, 4, 0, 9, 15),
    (2, 7, 4, 7, 7, 15), (7, 2, 5, 7, 7, 15), (8, 7, 4, 14, 14, 10), (5, 5, 4, 65535, 65535, 10),
    (6, 7, 7, 10, 11, 15), (7, 8, 5, 3, 4, 15),
]


def fnv(texts):
    """64-bit FNV-1a of the texts, each followed by a line feed."""
    h = 0xcbf29ce484222325
    for text in texts:
        for byte in (text + '\n').encode():
            h = (h ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return h


def name(move):
    return f'{move[0] + 1}{move[1]}'


def verdict(p):
    """Winner and reason, from the oracle's line test."""
    result = p.result()
    if result is None:
        return 'none'
    if result in 'wr':
        shape = p.has_line(lambda x: x[1] == 'o') or p.has_line(lambda x: x[1] == 's')
        return f'{"p1win" if result == "w" else "p2win"} {"line-shape" if shape else "line-colour"}'
    full = all(x is not None for row in p.grid for x in row)
    return f'draw {"board-full" if full else "no-pieces"}'


def games(oracle, rng):
    for rows, cols, win, rounds, squares, count in SETUPS:
        for _ in range(count):
            p = oracle.Position(rows, cols, win, rounds, squares)
            start, moves, seen = p.fen(), [], []
            while True:
                legal = p.legal()
                seen += [p.fen(), ' '.join(map(name, legal))]
                if not legal:
                    break
                moves.append(rng.choice(legal))
                p = p.play(moves[-1])
            yield ' | '.join([start, ' '.join(map(name, moves)), p.fen(), verdict(p), f'{fnv(seen):016x}'])


def f32(x):
    return struct.unpack('f', struct.pack('f', x))[0]


def distance(p, r, c):
    """From the centre, rounded down to a cell."""
    return f32(math.sqrt((p.rows // 2 - r) ** 2 + (p.cols // 2 - c) ** 2))


def centre(p, viewer):
    """The framework's liking for the centre."""
    h = 0.0
    for r in range(p.rows):
        for c in range(p.cols):
            if p.grid[r][c] is not None:
                worth = f32(distance(p, 0, 0) - distance(p, r, c))
                colour, shape = p.grid[r][c]
                h = f32(h + (worth if colour == viewer else -worth))
                h = f32(h + (worth if (shape == 'o') == (viewer == 'w') else -worth))
    return h


def minimax(p, depth, viewer):
    """Best move and value for the viewer, written from the description of the framework's sample agent."""
    result = p.result()
    if result is not None:
        return None, {'d': 0.0, viewer: math.inf}.get(result, -math.inf)
    if depth == 0:
        return None, centre(p, viewer)
    best, value = None, -math.inf if p.turn == viewer else math.inf
    for move in p.legal():
        v = minimax(p.play(move), depth - 1, viewer)[1]
        if v >= value if p.turn == viewer else v <= value:
            best, value = move, v
    return best, value


def choices(oracle, rng):
    plan = [((6, 7, 4, 10, 11), 1, 12), ((6, 7, 4, 10, 11), 2, 12), ((8, 13, 4, 26, 26), 1, 6), ((4, 4, 3, 4, 4), 3, 8),
            ((3, 5, 3, 2, 6), 3, 8), ((5, 5, 4, 8, 5), 2, 8), ((9, 37, 5, 83, 84), 1, 3)]
    for setup, depth, count in plan:
        done = 0
        while done < count:
            p = oracle.Position(*setup)
            for _ in range(rng.randrange(setup[0] * setup[1] * 2 // 3)):
                if p.legal():
                    p = p.play(rng.choice(p.legal()))
            if p.legal():
                move, value = minimax(p, depth, p.turn)
                yield f'{p.fen()} | {depth} | {name(move)} | {value}'
                done += 1


def load_oracle():
    spec = importlib.util.spec_from_file_location('oracle', sys.argv[1])
    oracle = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(oracle)
    return oracle


def main():
    oracle = load_oracle()
    folder = pathlib.Path(__file__).parent
    for file, head, lines in [
        ('oracle-games.txt', 'start | moves | end | result and reason | FNV-1a 64 of the position string and the legal '
         'moves before each move and at the end, one per line', games),
        ('minimax.txt', 'position | depth | move | value for the side to move', choices),
    ]:
        rows = [f'# {head}', *lines(oracle, random.Random(2026))]
        (folder / file).write_text('\n'.join(rows) + '\n')


if __name__ == '__main__':
    main()
