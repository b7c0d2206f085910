#!/usr/bin/env python3
"""Solves the positions of docs/solved.md, has each proof checked, and prints its tables.

Values, nodes and proofs are the same on any machine; seconds are those of one processor. Without a section, all are
solved but the start of Andantino, which takes longest. The proofs of a row that has up to 1 MiB of them are stored in
docs/proofs, where git tells whether any has changed. To be started in the repository's root.
"""

import hashlib
import re
import resource
import subprocess
import tempfile
from pathlib import Path

import pages

MEMORY = "--memory 2048"

PROOFS = Path("docs/proofs")
LARGEST = 1 << 20

# Boards of Simplexity with room for the line, by rows, columns and the length of the line.
BOARDS = [
    (rows, cols, 4)
    for rows in range(1, 6)
    for cols in range(1, 6)
    if max(rows, cols) >= 4 and rows * cols <= 20
] + [(5, 5, 3)]


def supplies(rows, cols):
    """Round and square pieces of each player: about as many as fill the board together, and as many of each shape."""
    half = (rows * cols + 1) // 2
    return [(half // 2, half - half // 2), (half, half)]


SIMPLEXITY = [
    f'--setup "rows {rows} cols {cols} win {win} round {circles} square {squares}" --nodes 100000000 {MEMORY}'
    for rows, cols, win in BOARDS
    for circles, squares in supplies(rows, cols)
]

XRUDDER = [
    f'--setup "rows {rows} cols {cols} tokens {tokens} moves {moves}" --nodes 100000000 {MEMORY}'
    for rows, cols in [(3, 3), (3, 4), (4, 3), (4, 4)]
    for tokens, moves in [(3, 2), (5, 0), (5, 1), (5, 2)]
]

# Starts of Colosseum: the size, the generator, how many seeds from 1, and the nodes after which each is given up. Of size 3
# these seeds give all starts there are, 116 and 8.
STARTS = [(3, 2022, 1272, 10_000_000), (3, 2023, 23, 10_000_000), (4, 2022, 60, 20_000_000), (5, 2022, 60, 1_500_000_000)]

# Moves after white's first on the usual board of Andantino, which is i10 but for symmetry.
LINES = [
    "i9 h9 h8 h10",
    "i9 h9 h8 i8",
    "i9 h9 h8 j11",
    "i9 h9 h8 g8",
    "i9 h9 h8 j9",
    "i9 j11 k11",
    "i9 j9 i8 k10",
    "i9 j9 i8 j11",
    "i9 j9 i8 h9",
    "i9 j9 i8 j8",
]

# Radii of Andantino whose start is searched full width, and the plies of that search.
BOUNDS = [(3, 21), (4, 21)]

HEAD = ["value", "nodes", "CPU s", "positions", "bytes", "SHA-256", "checked"]


def line(cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def words_of(options):
    """The words of options in which at most one is quoted."""
    return [quoted or plain for quoted, plain in re.findall(r'"([^"]*)"|(\S+)', options)]


def solve(arbiter, game, options):
    """What the program prints last, its nodes, its seconds, its proof as bytes if there is one, and what that shows."""
    with tempfile.TemporaryDirectory() as directory:
        proof = Path(directory) / "proof"
        command = [arbiter, "solve", game, *words_of(options), "--proof", str(proof)]
        before = cpu_seconds()
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        seconds = cpu_seconds() - before
        # Code 6 says that a limit came first.
        if done.returncode not in (0, 6):
            raise SystemExit(f"{' '.join(command)}: {done.stderr}")
        said = dict(text.split(" ", 1) for text in done.stdout.splitlines())
        said["positions"] = sum(int(count) for count in re.findall(r"positions (\d+)", done.stdout))
        if not proof.exists():
            return said, seconds, b"", ""
        check = subprocess.run([arbiter, "verify-proof", str(proof)], capture_output=True, text=True, check=False)
        verdict = "yes" if check.returncode == 0 and said["value"].startswith(last(check.stdout)) else "NO"
        return said, seconds, proof.read_bytes(), verdict


def last(output):
    return output.splitlines()[-1].removeprefix("value ")


def store(game, name, proof):
    """Where a proof is stored, as a page under docs/ calls it."""
    path = PROOFS / game / f"{name.replace(' ', '-')}.proof"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(proof)
    return path.relative_to(PROOFS.parent).as_posix()


def row(game, name, shown, solved):
    said, seconds, proof, verdict = solved
    if 0 < len(proof) <= LARGEST:
        verdict = f"[{verdict}]({store(game, name, proof)})"
    found = [said["positions"], len(proof), hashlib.sha256(proof).hexdigest(), verdict] if proof else ["-"] * 4
    return line([f"`{shown}`", said["value"], said["nodes"], f"{seconds:.1f}", *found])


def positions(arbiter, game, rows):
    yield line(["options", *HEAD])
    yield "|---|---|---:|---:|---:|---:|---|---|"
    for options in rows:
        name = next(iter(re.findall('--setup "([^"]*)"', options)), "start")
        yield row(game, name, options, solve(arbiter, game, options))


def starts(arbiter, rows):
    yield line(["size", "generator", "seeds", "nodes each", "won", "drawn", "lost", "open", *HEAD[1:3], *HEAD[4:]])
    yield "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|---|"
    for size, generator, seeds, most in rows:
        values, nodes, seconds, proofs, verdicts = [], 0, 0.0, {}, set()
        for seed in range(1, seeds + 1):
            setup = f"size {size} generator {generator} seed {seed}"
            said, spent, proof, verdict = solve(arbiter, "colosseum", f'--setup "{setup}" --nodes {most} {MEMORY}')
            # Without a proof that says so there is nothing to check: the memory was too small for it.
            values.append(said["value"].split()[0] if proof else "unknown")
            nodes, seconds, proofs[setup] = nodes + int(said["nodes"]), seconds + spent, proof
            verdicts |= {verdict} - {""}
        counts = [values.count(value) for value in ("win", "draw", "loss", "unknown")]
        checked = "yes" if verdicts == {"yes"} else "NO"
        of_all = b"".join(proofs.values())
        if len(of_all) <= LARGEST:
            # Of seeds that give the same start, the proof of the first.
            firsts = {}
            for setup, proof in proofs.items():
                if proof:
                    firsts.setdefault(proof.split(b"\n")[3], (setup, proof))
            for setup, proof in firsts.values():
                store("colosseum", setup, proof)
            checked = f"[{checked}]({PROOFS.name}/colosseum)"
        found = [nodes, f"{seconds:.1f}", len(of_all), hashlib.sha256(of_all).hexdigest(), checked]
        yield line([size, generator, f"1 to {seeds}", most, *counts, *found])


def position_after(arbiter, moves):
    """The text of the position of Andantino after these moves."""
    text = f"setup andantino\nposition startpos moves {moves}\nquery fen\nquit\n"
    done = subprocess.run([arbiter, "engine", "andantino"], input=text, capture_output=True, text=True, check=True)
    head = "response fen "
    return next(text.removeprefix(head) for text in done.stdout.splitlines() if text.startswith(head))


def lines_of_andantino(arbiter):
    rows = []
    for moves in LINES:
        fen = position_after(arbiter, f"i10 {moves}")
        # Black's win is the win of the side to move, or that white doesn't even draw.
        goal = "win" if fen.endswith("b") else "draw"
        rows.append((f"i10 {moves}", f'--fen "{fen}" --goal {goal} {MEMORY}'))
    yield line(["moves", *HEAD])
    yield "|---|---|---:|---:|---:|---:|---|---|"
    for moves, options in rows:
        yield row("andantino", moves, moves, solve(arbiter, "andantino", options))


def bounds(arbiter):
    """How soon the game can be forced to end from the start: not within the plies of a search that leaves nothing out."""
    yield line(["radius", "plies", "nodes", "CPU s", "forced end"])
    yield "|---:|---:|---:|---:|---|"
    for radius, plies in BOUNDS:
        options = "setoption name FullWidth value true\nsetoption name Hash value 2048"
        text = f"setup andantino radius {radius}\n{options}\nposition startpos\ngo depth {plies}\nwait\nquit\n"
        before = cpu_seconds()
        done = subprocess.run([arbiter, "engine", "andantino"], input=text, capture_output=True, text=True, check=True)
        seconds = cpu_seconds() - before
        words = [text.split() for text in done.stdout.splitlines() if text.startswith("info depth")][-1]
        said = {key: words[words.index(key) + 1] for key in ("depth", "score", "nodes")}
        if said["depth"] != str(plies) or said["score"] not in ("cp", "mate"):
            raise SystemExit(f"radius {radius}: {' '.join(words)}")
        yield line([radius, plies, said["nodes"], f"{seconds:.1f}", "none" if said["score"] == "cp" else "found"])


SECTIONS = {
    "simplexity": lambda arbiter: positions(arbiter, "simplexity", SIMPLEXITY),
    "xrudder": lambda arbiter: positions(arbiter, "xrudder", XRUDDER),
    "colosseum": lambda arbiter: starts(arbiter, STARTS),
    "andantino": lambda arbiter: positions(
        arbiter, "andantino", [f'--setup "radius {radius}" --nodes 100000000 {MEMORY}' for radius in (1, 2, 3, 4)]
    ),
    "andantino-bounds": bounds,
    "andantino-lines": lines_of_andantino,
    "andantino-start": lambda arbiter: positions(arbiter, "andantino", ["--goal draw --memory 6144"]),
}


if __name__ == "__main__":
    pages.run(__doc__, {name: (lines_of, name == "andantino-start") for name, lines_of in SECTIONS.items()})
