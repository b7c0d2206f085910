#!/usr/bin/env python3
"""Draws openings in which the strongest engine sees no decided side, one position a line, for `--openings FILE`.

    undecided.py GAME [--setup WORDS ...] [--count 50] [--openings random:4] [--seed 1] [--bound CP] [--nodes 20000000]
                 [--arbiter PATH]

Candidates come from the arbiter's own generator, so many for each set-up. One stays if a search from it ends with an estimate within the bound,
which excludes every proven win or loss.
"""
import argparse
import subprocess

arguments = argparse.ArgumentParser()
arguments.add_argument("game")
arguments.add_argument("--setup", nargs="*", default=[""], help="set-ups, such as 'size 8'")
arguments.add_argument("--count", type=int, default=50, help="openings of each set-up")
arguments.add_argument("--openings", default="random:4", help="random:PLIES or drawn:PLIES")
arguments.add_argument("--seed", type=int, default=1)
arguments.add_argument("--bound", type=int, default=100, help="largest estimate, in hundredths")
arguments.add_argument("--nodes", type=int, default=20_000_000, help="nodes of the search from each candidate")
arguments.add_argument("--arbiter", default="target/release/arbiter")
options = arguments.parse_args()

engine = subprocess.Popen([options.arbiter, "engine", options.game], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
engine.stdin.write("setoption name Hash value 256\n")


def score(fen):
    """The estimate of the last iteration, or None if the game is decided."""
    engine.stdin.write(f"uginewgame\nposition fen {fen}\ngo nodes {options.nodes}\n")
    engine.stdin.flush()
    value = None
    for line in engine.stdout:
        words = line.split()
        if words[0] == "bestmove":
            return value
        if words[0] == "info" and "score" in words:
            kind, number = words[words.index("score") + 1:][:2]
            value = int(number) if kind == "cp" else None


def candidates(setup):
    """Openings that the arbiter draws, in its order, each once."""
    plan = subprocess.run(
        [options.arbiter, "match", options.game, "random", "random", "--plan", "--games", str(24 * options.count)]
        + ["--openings", options.openings, "--seed", str(options.seed)] + (["--setup", setup] if setup else []),
        stdout=subprocess.PIPE, text=True, check=True)
    return dict.fromkeys(line.split("  ", 3)[3] for line in plan.stdout.splitlines() if line[:1].isdigit())


for setup in options.setup:
    terms = f"{setup or 'usual set-up'}, {options.openings}, seed {options.seed}"
    print(f"# {options.game}: {terms}, within {options.bound} after {options.nodes} nodes", flush=True)
    kept = 0
    for fen in candidates(setup):
        value = score(fen)
        if value is not None and abs(value) <= options.bound:
            print(fen, flush=True)
            kept += 1
            if kept == options.count:
                break
    else:
        raise SystemExit(f"only {kept} of {options.count} openings found")
engine.stdin.write("quit\n")
engine.stdin.close()
