#!/usr/bin/env python3
"""Writes oracle-games.txt, starts.txt and choices.txt beside this file: random games judged by an independent
implementation of the rules in plain Python (a module with a class Position, whose path is the first argument), start
positions drawn as the documentation of the set-up says, and moves that the sparring agents choose, worked out from
their descriptions. A second argument multiplies the number of games."""
import importlib.util
import pathlib
import random
import sys

SIZES = [  # size, steps (None: as usual), generator, games
    (3, None, 2022, 25), (3, 1, 2023, 10), (3, 0, 2022, 5), (4, None, 2022, 25), (4, 9, 2023, 10), (5, None, 2022, 25),
    (5, 1, 2022, 10), (6, None, 2022, 25), (6, 0, 2023, 5), (6, 36, 2022, 5), (7, None, 2022, 15), (8, None, 2022, 15),
    (8, 2, 2023, 5), (9, None, 2022, 10), (10, None, 2022, 6), (11, None, 2022, 4), (12, None, 2022, 4),
    (12, 3, 2023, 3), (15, None, 2022, 2), (16, 2, 2022, 2), (17, 3, 2022, 2), (20, 4, 2023, 1), (30, 3, 2022, 1),
]


def fnv(texts):
    """64-bit FNV-1a of the texts, each followed by a line feed."""
    h = 0xcbf29ce484222325
    for text in texts:
        for byte in (text + '\n').encode():
            h = (h ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return h


def verdict(p):
    over, a, b = p.result()
    winner = 'p1win' if a > b else 'p2win' if b > a else 'draw'
    return f'{winner} territory {a} {b}' if over else f'none {a} {b}'


def games(oracle, rng, times):
    for size, steps, generator, count in SIZES:
        for _ in range(count * times):
            p = oracle.start_position(size, rng, str(generator))
            if steps is not None:
                p.K = steps
            start, played, seen = str(p), [], []
            walks = rng.random() < 0.5
            while True:
                legal = sorted(p.moves())
                seen += [str(p), ' '.join(map(oracle.move_name, legal))]
                if not legal:
                    break
                m = oracle.official_random_move(p, rng) if walks else rng.choice(legal)
                played.append(oracle.move_name(m))
                p = p.play(m)
            yield f'{start} | {" ".join(played)} | {p} | {verdict(p)} | {fnv(seen):016x}'


def key_stream(seed):
    """The words of the ChaCha8 key stream of a seed."""
    def rotated(x, n):
        return (x << n | x >> 32 - n) & 0xffffffff

    def quarter(s, a, b, c, d):
        for x, y, z, n in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            s[x] = s[x] + s[y] & 0xffffffff
            s[z] = rotated(s[z] ^ s[x], n)

    block = 0
    constant = [int.from_bytes(b'expand 32-byte k'[i:i + 4], 'little') for i in range(0, 16, 4)]
    while True:
        state = constant + [seed & 0xffffffff, seed >> 32] + [0] * 6 + [block & 0xffffffff, block >> 32, 0, 0]
        s = state[:]
        for _ in range(4):
            for columns in ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
                            (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)):
                quarter(s, *columns)
        yield from (x + y & 0xffffffff for x, y in zip(s, state))
        block += 1


def start(oracle, size, steps, pairs, generator, seed):
    """The start of a set-up, `None` if none comes up in 10,000 tries."""
    words = key_stream(seed)

    def below(n):
        while True:
            word = next(words)
            if word < 2 ** 32 // n * n:
                return word % n

    def barriers():
        walls = set()
        for _ in range(pairs):
            edges = [(r, c, d) for r in range(size) for c in range(size) for d in (1, 2)
                     if (c if d == 1 else r) < size - 1 and (r, c, d) not in walls]
            r, c, d = edges[below(len(edges))]
            walls |= {(r, c, d), (size - 1 - r - (d == 2), size - 1 - c - (d == 1), d)}
        return walls

    walls = barriers()
    for _ in range(10_000):
        while True:
            index = below(size * size)
            a, b = divmod(index, size), divmod(size * size - 1 - index, size)
            if a != b:
                break
        p = oracle.Position(size, walls, a, b, 0, steps)
        if not p.result()[0]:
            return p
        if generator == 2022:
            walls = barriers()
    return None


def starts(oracle, rng):
    setups = [(6, 3, 3, 2022, 0), (3, 2, 3, 2022, 2 ** 63 - 1), (30, 15, 30, 2023, 1), (7, 4, 0, 2022, 5)]
    for _ in range(60):
        size = rng.randint(3, 12)
        generator = rng.choice((2022, 2023))
        pairs = rng.choice(((size + 1) // 2 if generator == 2022 else size // 2 - 1, rng.randint(0, size)))
        steps = rng.choice(((size + 1) // 2, rng.randint(0, 900)))
        setups.append((size, steps, pairs, generator, rng.randrange(2 ** rng.choice((8, 32, 63)))))
    for seed in range(40):
        setups += [(4, 2, 4, 2023, seed), (3, 2, 3, 2023, seed), (4, 2, 4, 2022, seed)]
    for setup in setups:
        yield f'{" ".join(map(str, setup))} | {start(oracle, *setup) or "none"}'


def breadth_first(p):
    """The legal moves by distance from the mover, in the order in which the agents of the report list them."""
    moves = []
    for r, c in p.walk():
        moves += [(r, c, d) for d in range(4) if not p.blocked(r, c, d)]
    return [] if p.result()[0] else moves


def margin(p, side):
    """None while the game goes on, else by how many cells a side has more."""
    over, a, b = p.result()
    return (a - b if side == 0 else b - a) if over else None


def greedy(p, as_coded):
    """The class of each move, and then the first one of the best class: win, trap-free, safe, tie, unsafe, least loss."""
    me, best = p.stm, None
    for m in breadth_first(p):
        q = p.play(m)
        end = margin(q, me)
        if end is None:
            replies = [q.play(r) for r in breadth_first(q)]
            if any((margin(x, me) or 0) < 0 for x in replies):
                rank = 1
            elif as_coded or any(all((margin(x.play(y), me) or 0) < 0 for y in breadth_first(x))
                                 for x in replies if margin(x, me) is None):
                rank = 3
            else:
                rank = 4
        else:
            rank = 5 if end > 0 else 2 if end == 0 else end / 1000
        if best is None or rank > best[0]:
            best = rank, m
    return best[1]


class Abort(Exception):
    pass


def idh(p, deepest, ordering, most):
    """The move and its value after the last finished iteration."""
    me, known, nodes = p.stm, {}, 0

    def key(q):
        return frozenset(q.walls), *q.pos

    def static(q):
        return 1000 * (margin(q, me) or 0) or len(q.walk(me)) - len(q.walk(1 - me))

    def search(q, k, depth, alpha, beta):
        nonlocal nodes
        if nodes == most:
            raise Abort
        nodes += 1
        v = known.get(key(q))
        if v is not None and (abs(v) >= 1000 or k == depth):
            return v, None
        if k == depth or q.result()[0]:
            known[key(q)] = static(q)
            return known[key(q)], None
        sign = 1 if q.stm == me else -1
        children = [(m, q.play(m)) for m in breadth_first(q)]
        if ordering:
            seen = [x for x in children if key(x[1]) in known]
            seen.sort(key=lambda x: -sign * known[key(x[1])])
            children = seen + [x for x in children if key(x[1]) not in known]
        best = None
        for m, child in children:
            v = search(child, k + 1, depth, alpha, beta)[0]
            if best is None or sign * v > sign * best[0]:
                best = v, m
            if sign > 0:
                if best[0] >= beta:
                    break
                alpha = max(alpha, best[0])
            else:
                if best[0] <= alpha:
                    break
                beta = min(beta, best[0])
        return best

    found = None
    for depth in range(1, deepest + 1):
        try:
            found = search(p, 0, depth, float('-inf'), float('inf'))
        except Abort:
            break
        if abs(found[0]) >= 1000:
            break
    return found


def choices(oracle, rng):
    """Positions on small boards, half of them a few plies before the end of a random game."""
    for size in [3] * 30 + [4] * 30 + [5] * 12 + [6] * 4:
        p = oracle.start_position(size, rng)
        line = [p]
        while not p.result()[0]:
            p = p.play(rng.choice(p.moves()))
            line.append(p)
        p = line[max(0, len(line) - rng.randint(2, 5))] if rng.random() < 0.7 else rng.choice(line[:-1])
        if p.result()[0]:
            continue
        yield f'{p} | greedy | AsCoded false | {oracle.move_name(greedy(p, False))}'
        yield f'{p} | greedy | AsCoded true | {oracle.move_name(greedy(p, True))}'
        depth = {3: 4, 4: 3, 5: 2, 6: 2}[size]
        for ordering, most in (('true', -1), ('false', -1), ('true', 150)):
            found = idh(p, depth, ordering == 'true', most)
            if found:
                options = f'Depth {depth} Ordering {ordering} Nodes {max(most, 0)}'
                yield f'{p} | idh | {options} | {oracle.move_name(found[1])} {found[0]}'


def main():
    spec = importlib.util.spec_from_file_location('oracle', sys.argv[1])
    oracle = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(oracle)
    times = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    here = pathlib.Path(__file__).parent
    for name, heading, lines in (
        ('oracle-games.txt', 'start | moves | end | result, reason and cells | FNV-1a 64 of the position string and the '
         'legal moves before each move and at the end, one per line', games(oracle, random.Random(1), times)),
        ('choices.txt', 'position | agent | options | move, and value where there is one',
         choices(oracle, random.Random(3))),
        ('starts.txt', 'size, steps, pairs of barriers, generator, seed | start', starts(oracle, random.Random(2))),
    ):
        (here / name).write_text(f'# {heading}\n' + ''.join(line + '\n' for line in lines))


if __name__ == '__main__':
    main()
