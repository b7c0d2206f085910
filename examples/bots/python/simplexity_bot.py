#!/usr/bin/env python3
"""A Simplexity bot: takes a win, avoids handing one over, and is otherwise random."""
import copy
import random
import re
import sys

START = "7/7/7/7/7/7 w 10,11,10,11 4"
LINES = [("w", "wr"), ("r", "WR"), ("w", "wW"), ("r", "rR")]  # who wins by which pieces: shape before colour


class Position:
    def __init__(self, fen):
        """Reads a position string. Pieces: w W are White's round and square ones, r R Red's."""
        board, self.side, stocks, line = fen.split()
        rows = re.sub(r"\d+", lambda run: "." * int(run[0]), board).split("/")
        self.height, self.line = len(rows), int(line)
        self.columns = ["".join(column).rstrip(".") for column in zip(*reversed(rows))]
        self.stock = dict(zip("wWrR", map(int, stocks.split(","))))

    def moves(self):
        shapes = [shape for shape in "os" if self.stock[self.piece(shape)]]
        free = [number for number, column in enumerate(self.columns, 1) if len(column) < self.height]
        return [f"{number}{shape}" for number in free for shape in shapes]

    def piece(self, shape):
        return self.side if shape == "o" else self.side.upper()

    def play(self, move):
        """The position after a move, a column number and a shape such as 4o."""
        after, column, piece = copy.copy(self), int(move[:-1]) - 1, self.piece(move[-1].lower())
        after.columns = self.columns[:column] + [self.columns[column] + piece] + self.columns[column + 1:]
        after.stock = {**self.stock, piece: self.stock[piece] - 1}
        after.side = "r" if self.side == "w" else "w"
        after.last = column
        return after

    def winner(self):
        """Who has won by the last move: w, r, or None."""
        return next((winner for winner, pieces in LINES if self.has_line(pieces)), None)

    def has_line(self, pieces):
        x, y = self.last, len(self.columns[self.last]) - 1
        axes = [(1, 0), (0, 1), (1, 1), (1, -1)]
        runs = [self.run(x, y, dx, dy, pieces) + self.run(x, y, -dx, -dy, pieces) - 1 for dx, dy in axes]
        return max(runs) >= self.line

    def run(self, x, y, dx, dy, pieces):
        """How many of these pieces stand in a row from (x, y) on."""
        length = 0
        while 0 <= x < len(self.columns) and 0 <= y < len(self.columns[x]) and self.columns[x][y] in pieces:
            x, y, length = x + dx, y + dy, length + 1
        return length


def choose(position):
    after = {move: position.play(move) for move in position.moves()}
    wins = [move for move, then in after.items() if then.winner() == position.side]
    alive = [move for move, then in after.items() if then.winner() is None]
    safe = [move for move in alive if not hands_over(after[move])] if not wins else []
    return random.choice(wins or safe or alive or list(after) or ["0000"])


def hands_over(position):
    """Whether the side to move can win at once."""
    return any(position.play(move).winner() == position.side for move in position.moves())


def read_position(words):
    cut = words.index("moves") if "moves" in words else len(words)
    root, moves = words[:cut], words[cut + 1:]
    position = Position(START if root == ["startpos"] else " ".join(root[1:]))
    for move in moves:
        position = position.play(move)
    return position


def main():
    position = Position(START)
    for line in sys.stdin:
        command, *words = line.split() or [""]
        if command == "ugi":
            print("id name Simplexity bot\nugiok", flush=True)
        elif command == "isready":
            print("readyok", flush=True)
        elif command == "position":
            position = read_position(words)
        elif command == "go":
            print("bestmove", choose(position), flush=True)
        elif command == "quit":
            break


main()
