#!/usr/bin/env python3
"""Plays our engine of each game against every agent, and prints the tables of docs/strength.md.

A section is GAME-MS, both with MS milliseconds a move, or GAME-tenth, 10 milliseconds against 100. Every opening of the
game's list is played twice, with sides swapped; in GAME-100 all of them once more, and in GAME-200 only twenty, drawn at
random. A table takes from a minute to half an hour, on a machine that does nothing else. To be started in the repository's root.
"""

import json
import subprocess
import tempfile
from pathlib import Path

import pages

# Games against each agent: all openings from both sides.
GAMES = {"simplexity": 100, "xrudder": 100, "colosseum": 112, "andantino": 100}

# Games where each takes longest.
FEW = 40

# Milliseconds of ours and of theirs.
LIMITS = {"50": (50, 50), "100": (100, 100), "200": (200, 200), "tenth": (10, 100)}

HEAD = ["agent", "won", "drawn", "lost", "score % ± 95 %", "pairs with 0, ½, 1, 1½, 2 points", "faults of ours, of theirs"]


def agents(arbiter, game):
    """The names of the agents of a game."""
    done = subprocess.run([arbiter, "engines", "--json"], capture_output=True, text=True, check=True)
    engines = [engine["name"] for engine in json.loads(done.stdout) if engine["game"] == game]
    return [name for name in engines if name != "builtin"]


def score(pairs):
    """The score in percent with its 95 % interval, from the numbers of pairs with 0 to 4 half points (pentanomial)."""
    total = sum(pairs)
    if not total:
        return "-"
    mean = sum(points * count for points, count in enumerate(pairs)) / 4 / total
    variance = sum((points / 4 - mean) ** 2 * count for points, count in enumerate(pairs)) / total
    error = 1.96 * (variance / total) ** 0.5
    # All results alike are no sign of certainty.
    return f"{100 * mean:.1f} ± {100 * error:.1f}" if error else f"{100 * mean:.1f}"


def tournament(game, limit, names):
    """The file of a tournament of our engine against these agents."""
    ours, theirs = LIMITS[limit]
    games = {"100": 2 * GAMES[game], "200": FEW}.get(limit, GAMES[game])
    engines = [f'[[engine]]\nbuiltin = "builtin"\nlimits = {{ movetime = {ours} }}']
    engines += [f'[[engine]]\nbuiltin = "{name}"' for name in names]
    openings = Path("examples/openings", f"{game}.txt").resolve()
    order = "random" if limit == "200" else "sequential"
    head = {"game": game, "format": "gauntlet", "openings": str(openings), "order": order}
    numbers = {"games": games, "movetime": theirs, "seed": 1}
    lines = [f'{key} = "{value}"' for key, value in head.items()] + [f"{key} = {value}" for key, value in numbers.items()]
    return "\n".join([*lines, "recover = true", *engines, ""])


def table(arbiter, game, limit):
    with tempfile.TemporaryDirectory() as directory:
        plan = Path(directory, "strength.toml")
        plan.write_text(tournament(game, limit, agents(arbiter, game)), encoding="utf-8")
        command = [arbiter, "tournament", str(plan), "--json", "--quiet", "--journal", str(Path(directory, "games.ndjson"))]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    # Code 3 says that an engine has forfeited a game.
    if done.returncode not in (0, 3):
        raise SystemExit(f"{' '.join(command)}: {done.stderr}")
    standings = {row["engine"]: row for row in json.loads(done.stdout)["standings"]}
    yield "| " + " | ".join(HEAD) + " |"
    yield "|---|---:|---:|---:|---:|---|---|"
    for row in sorted(standings["builtin"]["opponents"], key=lambda row: -row["strength"]["score"]):
        pairs, name = "-".join(str(count) for count in row["pairs"]), row["engine"]
        faults = f"{standings['builtin']['faults']}, {standings[name]['faults']}"
        cells = [f"`{name}`", row["wins"], row["draws"], row["losses"], score(row["pairs"]), pairs, faults]
        yield "| " + " | ".join(str(cell) for cell in cells) + " |"


SECTIONS = {
    f"{game}-{limit}": (lambda arbiter, game=game, limit=limit: table(arbiter, game, limit), False)
    for game in GAMES
    for limit in LIMITS
}


if __name__ == "__main__":
    pages.run(__doc__, SECTIONS)
