#!/usr/bin/env python3
"""Writes agents.txt beside this file: moves chosen by the competitors, worked out from their descriptions by plain search
over an independent implementation of the rules (a module with a class Position), whose path is the argument."""
import math
import pathlib
import random

import generate
from generate import distance, f32, name


def kind(p, r, c):
    """None, or whether the piece has the colour and the shape of the side to move."""
    if p.grid[r][c] is None:
        return None
    colour, shape = p.grid[r][c]
    return colour == p.turn, (shape == 'o') == (p.turn == 'w')


def corridors(p):
    R, C = p.rows, p.cols
    walks = [[(r, c) for c in range(C)] for r in range(R)] + [[(r, c) for r in range(R)] for c in range(C)]
    walks += [[(r, r - d) for r in range(R) if 0 <= r - d < C] for d in range(R - 1, -C, -1)]
    walks += [[(r, C - 1 - (r - d)) for r in range(R) if 0 <= r - d < C] for d in range(R - 1, -C, -1)]
    return [walk for walk in walks if len(walk) >= p.win]


def centre(p):
    return generate.centre(p, p.turn)


def points(mine, whole):
    return {None: 0, (True, True): whole, (False, True): 1, (True, False): -1, (False, False): -whole}[mine]


def pieces_only(p):
    return float(sum(points(kind(p, *cell), 3) for walk in corridors(p) for cell in walk))


def v3(p):
    total = 0
    for walk in corridors(p):
        seq = 0
        for cell in walk:
            mine = kind(p, *cell)
            total += points(mine, 2)
            if mine == (True, True):
                seq += 1
            elif mine == (False, False) and seq < p.win - 1:
                seq = 0
        total += 5 * (seq >= p.win - 1)
    return float(total)


def stretches(bonus):
    def value(p):
        total = 0
        for walk in corridors(p):
            seq = run = 0
            for cell in walk:
                mine = kind(p, *cell)
                total += points(mine, 2)
                run += 1
                seq += mine == (True, True)
                if mine == (False, False):
                    seq, run = (0 if run < p.win else seq), 0
                if run == p.win:
                    for lacking, extra in bonus.items():
                        total += extra if seq == p.win - lacking else 0
        return float(total)
    return value


def v5(p):
    total, n = 0, p.win
    for walk in corridors(p):
        seq = run = behind = recent = 0
        last_shape = last_colour = False
        for cell in walk:
            mine = kind(p, *cell)
            total += points(mine, 2)
            run += 1
            if mine is None:
                recent += 1
                behind += seq == 0
            else:
                colour, shape = mine
                if mine == (False, False):
                    seq = run = behind = 0
                elif colour and shape:
                    if run <= n and seq > 0:
                        seq += 1
                    else:
                        seq = run = 1
                elif (last_shape if shape else last_colour) and run <= n:
                    seq += 1
                else:
                    behind = recent if seq > 0 else behind
                    seq = run = 1
                last_shape, last_colour = shape, colour
                recent = 0
            if seq >= 2 and run <= n:
                worth = 2 * seq * seq
                if run == seq:
                    total += worth * (behind >= n - seq)
                elif mine is None:
                    total += worth * (recent >= n - seq or recent + behind >= n - seq)
                else:
                    total += worth - run
    return float(total)


def windows(p):
    total = 0
    for walk in corridors(p):
        for i in range(len(walk) - p.win + 1):
            cells = walk[i:i + p.win]
            seen = [p.grid[r][c] for r, c in cells if p.grid[r][c] is not None]
            ready = all(r == 0 or p.grid[r - 1][c] is not None for r, c in cells)
            worth = {1: 20, 2: 80, 3: 200}.get(len(seen), 0) * (4 if ready else 1)
            extra = {1: 5, 2: 20, 3: 50}.get(len(seen), 0)
            colours, shapes = {x[0] for x in seen}, {x[1] for x in seen}
            part = 0
            if len(colours) == 1:
                part += worth if p.turn in colours else -worth
            if len(shapes) == 1:
                owner = 'w' if 'o' in shapes else 'r'
                part += worth + extra if p.turn == owner else -worth - extra
                if p.stock[owner, 'o' if owner == 'w' else 's'] == 0:
                    part = 0
            total += part
    return float(total)


def sting(p):
    total = 100.0
    for walk in corridors(p):
        kinds = [(cell, kind(p, *cell)) for cell in walk if kind(p, *cell) is not None]
        for cell, (colour, shape) in kinds:
            d = distance(p, *cell)
            if colour or shape:
                total = f32(total + d)
                total = f32(total - (not colour))
                total = f32(total - 2 * (not shape))
            else:
                total = f32(total - f32(3 + f32(d / 2)))
        friendly = [any(mine) for _, mine in kinds]
        first = friendly.index(not friendly[0]) if friendly and (not friendly[0]) in friendly else len(friendly)
        friends, foes = (first, 0) if friendly and friendly[0] else (0, first)
        if friends == p.win - 1:
            return 1000.0
        if foes == p.win - 1:
            return -math.inf
        total = f32(total - (foes - friends))
    return total


def final(p):
    """The value of a finished game for the side to move."""
    result = p.result()
    return None if result is None else 0.0 if result == 'd' else math.inf if result == p.turn else -math.inf


def value(p, depth, h):
    end = final(p)
    if end is not None:
        return end
    return h(p) if depth == 0 else max(-value(p.play(m), depth - 1, h) for m in p.legal())


def valued(p, depth, h):
    return [(m, -value(p.play(m), depth - 1, h)) for m in p.legal()]


def first(p, depth, h):
    """The first of the best moves, none if all lose; and the value."""
    best, most = None, -math.inf
    for m, v in valued(p, depth, h):
        if v > most:
            best, most = m, v
    return best, most


def repaired(p, depth):
    """The last of the best moves in the first column that has one."""
    moves = valued(p, depth, centre)
    most = max(v for _, v in moves)
    column = min(m[0] for m, v in moves if v == most)
    return [m for m, v in moves if v == most and m[0] == column][-1], most


def faithful(p, depth):
    viewer = p.turn

    def at(p, depth):
        end = final(p)
        if end is not None:
            return end if p.turn == viewer else -end
        if depth == 0:
            return centre(p) if p.turn == viewer else -centre(p)
        return slots(p, depth)[1]

    def slots(p, depth):
        step = p.cols // 7
        found = {1: ((0, 'o'), 0.0)}
        for task, slot in ((0, 0), (1, 2), (2, 3), (3, 4), (5, 5), (6, 6)):
            best, worth = None, -math.inf if p.turn == viewer else math.inf
            for m in p.legal():
                if m[0] in range(task * step, (task + 1) * step):
                    v = at(p.play(m), depth - 1)
                    if v >= worth if p.turn == viewer else v <= worth:
                        best, worth = m, v
            found[slot] = best, worth
        return max((found[s] for s in range(7)), key=lambda slot: slot[1])

    m, worth = slots(p, depth)
    return (m if m in p.legal() else None), worth


def ids(h, deepest):
    def choose(p):
        opening = 3, 'o' if p.turn == 'w' else 's'
        if p.cols > 3 and p.grid[0][3] is None and opening in p.legal():
            return opening, None
        chosen = None
        for depth in range(1, deepest + 1):
            m, worth = first(p, depth, h)
            chosen = m or chosen
        return chosen or p.legal()[-1], worth
    return choose


def wins(p):
    return [m for m in p.legal() if p.play(m).result() == p.turn]


def stand_in(deepest):
    def choose(p):
        if wins(p):
            return wins(p)[0], None
        other = p.copy()
        other.turn = 'r' if p.turn == 'w' else 'w'
        if wins(other):
            for m in p.legal():
                q = p.play(m)
                if q.result() != q.turn and not wins(q):
                    return m, None
        chosen = p.legal()[0]
        for depth in range(1, deepest + 1):
            m, worth = first(p, depth, pieces_only)
            chosen = m or chosen
            if math.isinf(worth):
                break
        return chosen, worth
    return choose


def bee(limit):
    def choose(p):
        table = {}
        free = sum(x is None for row in p.grid for x in row)
        deepest = min(limit, free, sum(p.stock.values()))

        def key(p):
            odd = set()
            for r in range(p.rows):
                for c in range(p.cols):
                    if p.grid[r][c] is not None:
                        odd ^= {(r * c, p.grid[r][c])}
            return frozenset(odd)

        def reaches(v, bound, strictly):
            return v > bound if strictly else v >= bound

        def test(p, depth, bound, strictly):
            end = final(p)
            if end is not None:
                return end
            k = key(p)
            if k in table and table[k][0] >= depth:
                _, low, v = table[k]
                if low == reaches(v, bound, strictly):
                    return v
            if depth == 0:
                return sting(p)
            best = -math.inf
            for m in p.legal():
                best = max(best, -test(p.play(m), depth - 1, -bound, not strictly))
                if reaches(best, bound, strictly):
                    break
            table[k] = depth, reaches(best, bound, strictly), best
            return best

        guess = 0.0
        for depth in range(min(2, deepest), deepest + 1):
            low, high, chosen = -math.inf, math.inf, None
            for _ in range(100):
                bound, strictly = guess, guess == low
                move, guess = None, -math.inf
                for m in p.legal():
                    v = -test(p.play(m), depth - 1, -bound, not strictly)
                    if v > guess:
                        move, guess = m, v
                    if reaches(guess, bound, strictly):
                        break
                if reaches(guess, bound, strictly):
                    low, chosen = guess, move
                else:
                    high, chosen = guess, chosen or move
                if low >= high:
                    break
        return chosen or p.legal()[0], guess
    return choose


OIZYS = {'oizys': stretches({0: 50, 1: 10, 2: 5}), 'oizys-v2': pieces_only, 'oizys-v3': v3,
         'oizys-v4': stretches({1: 10, 2: 5}), 'oizys-v5': v5}
STANDARD = 6, 7, 4, 10, 11
SETUPS = [(STANDARD, 10), ((4, 4, 3, 4, 4), 6), ((3, 5, 3, 2, 6), 6), ((5, 14, 4, 12, 12), 2), ((2, 7, 4, 7, 7), 3),
          ((7, 2, 5, 7, 7), 3), ((1, 9, 3, 4, 5), 3), ((9, 1, 3, 4, 5), 3), ((3, 3, 2, 3, 3), 3), ((3, 4, 1, 2, 3), 2),
          ((4, 8, 5, 3, 9), 3)]


def agents(depth):
    """Name, options, scale of the value, and choice."""
    for agent, h in OIZYS.items():
        yield agent, f'Depth={depth}', 100, lambda p, h=h: first(p, depth, h)
    yield 'simpai', f'Depth={depth}', 100, lambda p: repaired(p, depth)
    yield 'simpai', f'Depth={depth},Faithful=true', 100, lambda p: faithful(p, depth)
    yield 'simpai-like', f'Depth={depth}', 100, stand_in(depth)
    yield 'ids', f'Depth={depth},Heuristic=1', 1, ids(windows, depth)
    yield 'ids', f'Depth={depth},Heuristic=3', 100, ids(centre, depth)
    yield 'bee', '', 1, bee(depth)


def shown(worth, scale):
    if worth is None:
        return '-'
    return str(int(max(-20000, min(20000, f32(worth * scale) if math.isfinite(worth) else worth))))


def unfinished(oracle, rng, setup):
    while True:
        p = oracle.Position(*setup)
        for _ in range(rng.randrange(setup[0] * setup[1] // 2)):
            if p.legal():
                p = p.play(rng.choice(p.legal()))
        if p.legal():
            return p


def rows(oracle, rng):
    for setup, count in SETUPS:
        small = setup[0] * setup[1] < 20
        for _ in range(count):
            p = unfinished(oracle, rng, setup)
            if first(p, 2, centre)[0] is None:  # Most boards this full are lost, so give it another try.
                p = unfinished(oracle, rng, setup)
            depth = rng.choice([1, 2, 3] if small else [1, 2])
            for agent, options, scale, choose in agents(depth):
                move, worth = choose(p)
                text = '0000' if move is None else name(move)
                yield f'{p.fen()} | {agent} | {options or "-"} | {depth} | {text} | {shown(worth, scale)}'


def main():
    head = '# position | agent | options | depth limit | move | value reported, if the move was searched for\n'
    text = head + ''.join(f'{row}\n' for row in rows(generate.load_oracle(), random.Random(7)))
    (pathlib.Path(__file__).parent / 'agents.txt').write_text(text)


if __name__ == '__main__':
    main()
