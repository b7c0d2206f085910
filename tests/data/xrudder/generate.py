#!/usr/bin/env python3
"""Writes oracle-games.txt and choices.txt beside this file: random games judged by an independent implementation of
the rules in plain Python (a module whose path is the first argument), and moves that the sparring agents choose,
worked out by plain minimax from their descriptions. A second argument multiplies the number of games."""
import importlib.util
import math
import pathlib
import random
import sys

SETUPS = [  # rows, columns, tokens, moves, games
    (10, 12, 15, 30, 30), (26, 26, 20, 20, 2), (5, 5, 7, 10, 40), (3, 3, 5, 5, 20), (3, 3, 4, 30, 20),
    (4, 5, 8, 8, 30), (5, 7, 10, 0, 20), (5, 7, 6, 40, 30), (6, 6, 9, 12, 20), (3, 9, 12, 9, 20), (9, 3, 12, 9, 20),
    (1, 1, 1, 1, 2), (1, 9, 3, 6, 5), (9, 1, 3, 6, 5), (2, 2, 1, 9, 8), (2, 13, 5, 5, 5), (1, 26, 15, 3, 3),
    (26, 1, 2, 9, 3), (26, 5, 20, 9, 3), (5, 26, 9, 20, 3), (11, 12, 15, 30, 6), (8, 16, 15, 30, 6), (4, 4, 999, 3, 6),
    (3, 3, 5, 9999, 4), (4, 4, 0, 0, 1), (4, 4, 0, 7, 1), (3, 4, 2, 25, 20),
]
POSITIONS = [  # with crossed X's and two sides near a win; games
    ('5/1x1x1/1oxo1/1x1x1/5 o 5 5 9', 10), ('7/x1x2o1/oxo1o2/x1xo1o1/7 o 0 0 20', 10),
    ('7/x1x1o1o/oxo2o1/x1xo1o1/7 x 2 1 20', 10), ('12/12/12/4x1x5/4oxo5/4x1x5/12/12/12/12 o 10 0 3', 5),
]


def fnv(texts):
    """64-bit FNV-1a of the texts, each followed by a line feed."""
    h = 0xcbf29ce484222325
    for text in texts:
        for byte in (text + '\n').encode():
            h = (h ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return h


def verdict(oracle, p):
    result = oracle.result(p)
    if result is None:
        return 'none'
    if result == 'draw':
        return 'draw no-action'
    reason = 'x' if oracle.has_valid_x(p, oracle.OTHER[p.side]) else 'uncrossed-x'
    return f'{"p1win" if result == "x" else "p2win"} {reason}'


def tempting(oracle, p, legal, rng):
    """Any legal action, every other time one that brings a token diagonally next to another one of its side."""
    def joins(m):
        if m[0] == 'pass':
            return False
        r, c = m[-2:]
        return any(0 <= r + i < p.rows and 0 <= c + j < p.cols and p.board[r + i][c + j] == p.side
                   and (r + i, c + j) != m[1:3] for i in (-1, 1) for j in (-1, 1))
    some = [m for m in legal if joins(m)] if rng.random() < 0.5 else []
    return rng.choice(some or legal)


def games(oracle, rng, times):
    starts = [(oracle.start(*setup), count) for *setup, count in SETUPS]
    for p0, count in starts + [(oracle.parse_pos(fen), count) for fen, count in POSITIONS]:
        for _ in range(count * times):
            p, start, played, seen = p0, oracle.pos_string(p0), [], []
            while True:
                legal = oracle.legal_actions(p)
                names = [oracle.move_string(m) for m in legal]
                seen += [oracle.pos_string(p), ' '.join(names)]
                if not legal:
                    break
                m = tempting(oracle, p, legal, rng)
                played.append(oracle.move_string(m))
                p = oracle.apply(p, m)
            yield ' | '.join([start, ' '.join(played), oracle.pos_string(p), verdict(oracle, p), f'{fnv(seen):016x}'])


def count(p, r, c):
    """Owner, tokens and crossing tokens of the X centred there, and the owner's own beside its centre."""
    five = [p.board[r + i][c + j] for i, j in ((0, 0), (-1, -1), (-1, 1), (1, -1), (1, 1))]
    beside = [p.board[r][c - 1], p.board[r][c + 1]]
    x, o = five.count('x'), five.count('o')
    if (x > 0) == (o > 0):
        return None
    owner, foe = ('x', 'o') if x else ('o', 'x')
    return owner, x + o, beside.count(foe), beside.count(owner)


def centres(p):
    return [(r, c) for r in range(1, p.rows - 1) for c in range(1, p.cols - 1)]


def factorials(p):
    """The report's evaluation, for o."""
    total = 0.0
    for r, c in centres(p):
        if found := count(p, r, c):
            owner, n, crossing, own = found
            if crossing < 2 and n < 5:
                value = math.factorial(n) / (2 if crossing == 1 and own == 0 else 1)
                total += value if owner == 'o' else -value
    return total


def pyramid(p):
    total = factorials(p)
    for side, sign in (('x', -1), ('o', 1)):
        if p.hand[side] <= 8:
            total -= sign * 3 * sum(row.count(side) for row in p.board)
        for r, c in centres(p):
            left, right = (count(p, r, c), count(p, r, c + 2)) if c + 3 < p.cols else (None, None)
            if left and right and left[:2] == right[:2] == (side, 4) and left[2] < 2 and right[2] < 2:
                total += sign * 100 * sum(p.board[r + i][c - 1] != side and p.board[r + i][c + 3] != side for i in (-1, 1))
    return total


def in_order(oracle, p, centre, moves):
    """The moves in the order of rings around a cell."""
    def place(m):
        r, c = m[1:3]
        return max(abs(r - centre[0]), abs(c - centre[1])), r, c, m[-2:]
    return moves if moves[0][0] == 'pass' else sorted(moves, key=place)


def admitted(p, moves, style):
    if style is not pyramid:
        return moves
    def good(m):
        if m[0] == 'place':
            near = [(m[1] + i, m[2] + j) for i in (-1, 1) for j in (-1, 1)]
            return any(0 <= r < p.rows and 0 <= c < p.cols and p.board[r][c] != '.' for r, c in near)
        return m[0] == 'pass' or p.hand[p.side] <= 8
    return [m for m in moves if good(m)] or moves


def minimax(oracle, p, depth, centre, style):
    """First best move and value for o."""
    result = oracle.result(p)
    if result is not None:
        return None, {'x': -math.inf, 'o': math.inf, 'draw': 0.0}[result]
    if depth == 0:
        return None, style(p)
    best = None
    for m in admitted(p, in_order(oracle, p, centre, oracle.legal_actions(p)), style):
        to = centre if m[0] == 'pass' else m[-2:]
        value = minimax(oracle, oracle.apply(p, m), depth - 1, to, style)[1]
        if best is None or (value > best[1] if p.side == 'o' else value < best[1]):
            best = m, value
    return best


def half(value, crossing):
    return value / 2 if crossing == 1 else value


def worth(n):
    return math.inf if n == 5 else float(math.factorial(n))


def update(p, value, actor, cell, left):
    """The published program's idea of the value after `actor` left or entered a cell."""
    for r, c in centres(p):
        dr, dc = abs(r - cell[0]), abs(c - cell[1])
        found = count(p, r, c)
        if max(dr, dc) > 1 or (dr, dc) == (1, 0) or not found:
            continue
        owner, n, crossing, _ = found
        beside, old = (dr, dc) == (0, 1), 0.0
        if left and beside and owner != actor:
            old = half(worth(n), crossing + 1)
        elif left and not beside and owner == actor and crossing < 2:
            old = half(float(math.factorial(n + 1)), crossing)
        elif not left and beside and owner == actor:
            old = half(worth(n), crossing - 1)
        new = half(worth(n), crossing) if crossing < 2 else 0.0
        sign = 1 if owner == 'o' else -1
        value = value - sign * old
        value = value + sign * new
    return value


def act(oracle, p, m, value):
    """The position and the value after an action, whatever the supplies."""
    q, actor = p.copy(), p.side
    if m[0] == 'move':
        q.board[m[1]][m[2]] = '.'
        value = update(q, value, actor, m[1:3], True)
    q.board[m[-2]][m[-1]] = actor
    value = update(q, value, actor, m[-2:], False)
    q.side = oracle.OTHER[actor]
    return q, value


def published(oracle, p, centre, last_was_move):
    """First move of the best value, and that value; no pruning but where the program gives a branch up."""
    base = 0.0
    for r, c in centres(p):
        if found := count(p, r, c):
            owner, n, crossing, _ = found
            if crossing < 2:
                base += half(worth(n), crossing) * (1 if owner == 'o' else -1)
    maximise = p.side == 'o'
    wish, loss = (math.inf, -math.inf) if maximise else (-math.inf, math.inf)
    hand, moves = p.hand[p.side] - (not last_was_move), p.moves - last_was_move
    results = []
    for m in in_order(oracle, p, centre, oracle.legal_actions(p)):
        if m[0] == 'pass':
            return m, base
        q, value = act(oracle, p, m, base)
        if value != loss:
            worst = wish
            q.hand[q.side], q.moves = max(hand, 0), max(moves, 0)
            replies = oracle.real_actions(q, q.side)
            for reply in in_order(oracle, q, m[-2:], replies) if replies else []:
                v = act(oracle, q, reply, value)[1]
                if v < worst if maximise else v > worst:
                    worst = v
            value = worst
        results.append((m, value))
    best = (max if maximise else min)(value for _, value in results)
    return next(result for result in results if result[1] == best)


AGENTS = [  # name, evaluation, set-up, depth, choices
    ('greedy', factorials, (10, 12, 15, 30), 1, 12), ('greedy', factorials, (5, 6, 9, 9), 1, 8),
    ('factorial', factorials, (5, 6, 9, 9), 2, 25), ('factorial', factorials, (10, 12, 15, 30), 2, 2),
    ('depth4', factorials, (3, 4, 6, 6), 4, 8), ('depth4', factorials, (5, 5, 7, 5), 3, 4),
    ('pyramid', pyramid, (5, 6, 12, 9), 2, 16), ('pyramid', pyramid, (4, 6, 12, 12), 3, 8),
    ('pyramid', pyramid, (10, 12, 15, 30), 1, 6),
    ('factorial-published', None, (5, 6, 9, 9), 2, 40), ('factorial-published', None, (10, 12, 15, 30), 2, 3),
]


def choices(oracle, rng, _times):
    for name, style, setup, depth, wanted in AGENTS:
        done = 0
        while done < wanted:
            p, centre, last_was_move, played = oracle.start(*setup), (0, 0), False, []
            start = oracle.pos_string(p)
            for _ in range(rng.randrange(1, 2 * setup[2] + setup[3])):
                if not oracle.legal_actions(p):
                    break
                m = tempting(oracle, p, oracle.legal_actions(p), rng)
                if m[0] != 'pass':
                    centre, last_was_move = m[-2:], m[0] == 'move'
                played.append(oracle.move_string(m))
                p = oracle.apply(p, m)
            if oracle.legal_actions(p):
                if style:
                    m, value = minimax(oracle, p, depth, centre, style)
                else:
                    m, value = published(oracle, p, centre, last_was_move)
                yield ' | '.join([name, str(depth), start, ' '.join(played), oracle.move_string(m), str(value)])
                done += 1


def main():
    spec = importlib.util.spec_from_file_location('oracle', sys.argv[1])
    oracle = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(oracle)
    times = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    folder = pathlib.Path(__file__).parent
    for file, head, lines in [
        ('oracle-games.txt', 'start | moves | end | result and reason | FNV-1a 64 of the position string and the legal '
         'moves before each move and at the end, one per line', games),
        ('choices.txt', 'agent | depth | start | moves so far | its move | its value of that for o', choices),
    ]:
        rows = [f'# {head}', *lines(oracle, random.Random(2026), times)]
        (folder / file).write_text('\n'.join(rows) + '\n')


if __name__ == '__main__':
    main()
