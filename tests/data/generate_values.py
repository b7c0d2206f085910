#!/usr/bin/env python3
"""Writes GAME/values.txt beside this file: small positions and their values, by exhaustive search over an independent
implementation of the rules in plain Python. usage: generate_values.py GAME ORACLE [TIMES]; ORACLE is the module of the
rules, TIMES multiplies the number of positions."""
import importlib.util
import pathlib
import random
import sys


class Simplexity:
    STARTS = ['3/3/3 w 2,3,2,3 3', '3/3/3 w 2,2,2,2 3', '3/3/3 w 4,1,4,1 3', '6 w 3,3,3,3 3', '1/1/1/1/1/1 w 3,3,3,3 3',
              '2/2/2/2/2 w 3,3,3,3 4', '2/2/2 w 1,2,1,2 3', '2/2/2/2 w 2,2,2,2 3']

    def __init__(self, oracle):
        self.parse, self.text = oracle.Position.from_fen, lambda p: p.fen()

    def after(self, p):
        return [p.play(m) for m in p.legal()]

    def result(self, p):
        """1 if the side to move has won, -1 if it has lost, 0 if it is a draw, None while the game goes on."""
        result = p.result()
        return result if result is None else 0 if result == 'd' else 1 if result == p.turn else -1


class XRudder:
    STARTS = ['3/3/3 x 3 3 1', '3/3/3 x 4 4 0', '3/3/3 x 2 2 2', 'x1x/3/x1x x 1 2 1', 'x1x/3/3 o 2 2 2', '3/oxo/x2 o 2 3 2',
              'x1x1/1o2/x1x1 o 1 2 2', '1x1x/o1x1/1x2 o 2 1 1', 'x1x/oxo/x1x o 0 0 4', 'xox/1x1/o1x x 1 1 3']

    def __init__(self, oracle):
        self.oracle, self.parse, self.text = oracle, oracle.parse_pos, oracle.pos_string

    def after(self, p):
        return [self.oracle.apply(p, m) for m in self.oracle.legal_actions(p)]

    def result(self, p):
        result = self.oracle.result(p)
        return result if result is None else 0 if result == 'draw' else 1 if result == p.side else -1


class Colosseum:
    STARTS = []

    def __init__(self, oracle):
        self.parse, self.text = oracle.Position.parse, str
        rng = random.Random(1)
        self.STARTS = [str(oracle.start_position(3, rng, rules)) for rules in ('2022', '2023') for _ in range(8)]

    def after(self, p):
        return [p.play(m) for m in sorted(p.moves())]

    def result(self, p):
        over, *points = p.result()
        own, other = points if p.stm in (0, 'a') else reversed(points)
        return (own > other) - (own < other) if over else None


class Andantino:
    STARTS = ['2/1b1/2 w']
    # Halfway through games: the wins of the larger boards.
    PLIES = {2: 8, 3: 26, 4: 34}

    def __init__(self, oracle):
        self.oracle, self.parse = oracle, oracle.Pos.parse
        self.text = lambda p: p.text()
        rng = random.Random(1)
        while len(self.STARTS) < 40:
            radius = rng.choice(list(self.PLIES))
            p = oracle.Pos.start(radius)
            for _ in range(self.PLIES[radius] + rng.randrange(3)):
                cells = p.moves()
                quiet = [q for q in map(lambda c: self.put(p, c), cells) if self.result(q) is None]
                if not quiet:
                    break
                p = rng.choice(quiet)
            else:
                if self.free(p) < 13:
                    self.STARTS.append(p.text())

    def free(self, p):
        return sum(map(int, filter(str.isdigit, p.text().replace('/', ' '))))

    def put(self, p, cell):
        q = self.parse(p.text())
        q.play(cell)
        q.ended = q.after(cell)
        return q

    def after(self, p):
        return [self.put(p, cell) for cell in p.moves()]

    def result(self, p):
        ended = getattr(p, 'ended', None)
        if ended is None:
            return None
        mover = 'w' if p.text().endswith('w') else 'b'
        return 0 if ended[0] == 'draw' else 1 if ended[0] == mover else -1


GAMES = {'simplexity': Simplexity, 'xrudder': XRudder, 'colosseum': Colosseum, 'andantino': Andantino}
MOST = 3_000  # positions to search for a value; beyond that, it is left out


class TooMany(Exception):
    pass


def value(game, p, known):
    """(1, plies) if the side to move wins, (-1, plies) if it loses, (0, 0) if it is a draw; the winner hurries."""
    text = game.text(p)
    if text not in known:
        if len(known) > MOST:
            raise TooMany
        result = game.result(p)
        if result is not None:
            known[text] = (result, 0)
        else:
            replies = [value(game, q, known) for q in game.after(p)]
            known[text] = max(((-v, plies + 1 if v else 0) for v, plies in replies), key=lambda x: (x[0], -x[0] * x[1]))
    return known[text]


def main():
    sys.setrecursionlimit(10_000)
    name, path = sys.argv[1:3]
    times = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    spec = importlib.util.spec_from_file_location('oracle', path)
    oracle = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(oracle)
    game = GAMES[name](oracle)
    rng = random.Random(2026)
    lines = {}
    for start in game.STARTS:
        for i in range(10 * times):
            p = game.parse(start)
            for _ in range(i % 10):
                after = [q for q in game.after(p) if game.result(q) is None]
                p = rng.choice(after or [p])
            try:
                v, plies = value(game, p, {})
            except TooMany:
                continue
            lines[game.text(p)] = f'win {plies}' if v > 0 else f'loss {plies}' if v else 'draw'
    with open(pathlib.Path(__file__).parent / name / 'values.txt', 'w') as out:
        print('# position | value for the side to move, with the plies to the end of a game that is won', file=out)
        for text, line in lines.items():
            print(f'{text} | {line}', file=out)


if __name__ == '__main__':
    main()
