#!/usr/bin/env python3
"""A Simplexity bot: takes a win, avoids handing one over, and is otherwise random."""
import random
import re
import sys

LINES = [("w", "wr"), ("r", "WR"), ("w", "wW"), ("r", "rR")]  # who wins by which pieces: shape before colour
START = ["fen", "7/7/7/7/7/7", "w", "10,11,10,11", "4"]


def read(words):  # startpos|fen F [moves M...]; a position is its columns, who is to move, stocks, height, line length
    cut = words.index("moves") if "moves" in words else len(words)
    board, side, stocks, line = (START if words[0] == "startpos" else words[:cut])[1:]
    rows = re.sub(r"\d+", lambda run: "." * int(run[0]), board).split("/")
    columns = ["".join(column).rstrip(".") for column in zip(*reversed(rows))]
    position = (columns, side, dict(zip("wWrR", map(int, stocks.split(",")))), len(rows), int(line))
    for move in words[cut + 1:]:
        position, _ = play(position, move)
    return position


def play(position, move):
    """The position after a move (a column number and a shape, such as 4o), and who has won by it: w, r or None."""
    columns, side, stock, height, line = position
    x, piece = int(move[:-1]) - 1, side if move[-1] == "o" else side.upper()
    columns = columns[:x] + [columns[x] + piece] + columns[x + 1:]
    around = [(k, len(columns[x]) - 1) for k in range(1 - line, line)]  # steps along a line, and the piece's height
    rays = [[(x + k * dx, y + k * dy) for k, y in around] for dx, dy in [(1, 0), (0, 1), (1, 1), (1, -1)]]
    inside = lambda x, y: 0 <= x < len(columns) and 0 <= y < len(columns[x])
    seen = " ".join("".join(columns[x][y] if inside(x, y) else " " for x, y in ray) for ray in rays)
    won = next((who for who, pieces in LINES if re.search(f"[{pieces}]{{{line}}}", seen)), None)
    return (columns, "r" if side == "w" else "w", {**stock, piece: stock[piece] - 1}, height, line), won


def outcomes(position):
    """What each legal move leads to."""
    columns, side, stock, height, _ = position
    shapes = [shape for shape, piece in [("o", side), ("s", side.upper())] if stock[piece]]
    free = [number for number, column in enumerate(columns, 1) if len(column) < height]
    return {f"{number}{shape}": play(position, f"{number}{shape}") for number in free for shape in shapes}


def choose(position):
    side, moves = position[1], outcomes(position)
    wins = [move for move, (_, won) in moves.items() if won == side]
    alive = [move for move, (_, won) in moves.items() if won is None]
    hands_over = lambda after: any(won == after[1] for _, won in outcomes(after).values())
    safe = [] if wins else [move for move in alive if not hands_over(moves[move][0])]
    return random.choice(wins or safe or alive or list(moves) or ["0000"])


current = read(["startpos"])
for text in sys.stdin:
    command, *words = text.split() or [""]
    if command == "ugi":
        print("id name Simplexity bot\nugiok", flush=True)
    elif command == "isready":
        print("readyok", flush=True)
    elif command == "position":
        current = read(words)
    elif command == "go":
        print("bestmove", choose(current), flush=True)
    elif command == "quit":
        break
