#!/usr/bin/env python3
"""Plays the matches of docs/replication.md and prints its tables.

Without a section, all are played that no clock has a part in: agents look to a fixed depth or count nodes or random
games, so that a run gives the same figures on any machine, however busy. It takes half an hour. The others, searches
and the published tournaments, are played where they are named. To be started in the repository's root.
"""

import json
import math
import subprocess
import tempfile
from pathlib import Path

import pages

Z95 = 1.959963984540054

# 200 ms in the framework, where a position of a search took about 27 µs.
NODES = "--nodes 6600"
# The agents of fixed depth need no limit, but the arbiter wants one.
DEPTH = "--depth 9"
# Positions that the first program entered in two seconds on a board of six rows, and random games of one like it; then
# the same on eight.
IDH = "Limit=60000,Nodes=7200"
FLAT = "flat-mc{Limit=60000,MaxPlayouts=830}"
UNORDERED = f"idh{{Ordering=false,{IDH}}}"
IDH_8 = "Limit=60000,Nodes=3200"
FLAT_8 = "flat-mc{Limit=60000,MaxPlayouts=270}"
# Nodes that the course program searched in the 19.2 seconds of an early move, and a hundredth of them.
FULL, SMALL = "--nodes 768000", "--nodes 7680"

FAITHFUL = "simpai{Faithful=true}"
FRAMEWORK = ["sequential", "random"]


def versus(claim, first, second, limits, openings="random:4", games=200, setup=""):
    """A row of a table: what is claimed (nothing: the same as above), and what is played."""
    return claim, [first, second], f"{limits} --openings {openings} --games {games}{setup and f' --setup {setup}'}"


# Matches by game.
MATCHES = {
    "simplexity": [
        versus("DIABISMAI won all matches", FAITHFUL, "sequential", NODES),
        versus("", FAITHFUL, "random", NODES),
        versus("", FAITHFUL, "minimax{Depth=2}", NODES),
        versus("", FAITHFUL, "minimax", NODES),
        versus("as described, it is Minimax at depth 1", "simpai", "minimax{Depth=1}", NODES),
        versus("Oizys V5 loses to MiniD3", "oizys-v5", "minimax", NODES),
        versus("each version before it was better", "oizys-v2", "minimax", NODES),
        versus("", "oizys-v3", "minimax", NODES),
        versus("", "oizys-v4", "minimax", NODES),
        versus("", "oizys", "minimax", NODES),
        versus("V5 plays worse than main", "oizys-v5", "oizys", NODES),
        versus("IDS is a little stronger than Oizys", "ids", "oizys", NODES),
    ],
    "xrudder": [
        versus("1-1, the second player won both", "factorial-published", "depth4{Limit=600000}", DEPTH, "start", 2),
        versus("", "factorial", "depth4{Limit=600000}", DEPTH, "start", 2),
        versus("the same, a ply less", "factorial-published", "depth4{Depth=3,Limit=600000}", DEPTH, "random:2"),
        versus("won 5 of 6 games of its tournament", "factorial-published", "greedy", DEPTH, "random:2"),
        versus("", "factorial-published", "random", DEPTH, "random:2"),
        versus("beat refatK's program 3-0, 3 drawn", "factorial-published", "pyramid", DEPTH, "random:2"),
        versus("the report's reading instead", "factorial", "factorial-published", DEPTH, "random:2"),
        versus("to stop in mid-search is bad", "depth4{Limit=600000}", "factorial", "--nodes 20000", "random:2"),
        versus("of 300 random games 297 are drawn", "random", "random", DEPTH, "start", 300),
    ],
    "colosseum": [
        versus("99.7 % of 1000", "greedy{Limit=60000}", "random-walk", "--depth 9", "drawn:0", 1000),
        versus("the same, as coded", "greedy{AsCoded=true,Limit=60000}", "random-walk", "--depth 9", "drawn:0", 1000),
        versus("97.8 %", FLAT, "random-walk", "--depth 99", "drawn:0"),
        versus("100 %", f"idh{{{IDH}}}", "random-walk", "--depth 99", "drawn:0"),
        versus("100 %", f"idh{{{IDH}}}", FLAT, "--depth 99", "drawn:0"),
        versus("greedy wins 0 %", "greedy{Limit=60000}", f"idh{{{IDH}}}", "--depth 99", "drawn:0"),
        versus("44 % against fixed depth", FLAT, "idh{Depth=2,Ordering=false,Limit=60000}", "--depth 99", "drawn:0"),
        versus("the same, a ply less", FLAT, "idh{Depth=1,Ordering=false,Limit=60000}", "--depth 99", "drawn:0"),
        versus("20 % of 500 against deepening without order", FLAT, UNORDERED, "--depth 99", "drawn:0", 500),
        versus("2 % of 100 or none against the final one", FLAT, f"idh{{{IDH}}}", "--depth 99", "drawn:0"),
        versus("97.8 %, on 8 rows", FLAT_8, "random-walk", "--depth 99", "drawn:0", setup="size=8"),
        versus("100 %, on 8 rows", f"idh{{{IDH_8}}}", FLAT_8, "--depth 99", "drawn:0", setup="size=8"),
        versus("the first to move has 45 %", "random-walk", "random-walk", "--depth 9", "drawn:0", 1500),
    ],
    "andantino": [
        versus("2-0", "neighbours", "groups", FULL, "start", 2),
        versus("2-0", "groups", "plain", FULL, "start", 2),
        versus("2-0", "neighbours", "plain", FULL, "start", 2),
        versus("black wins in 11 own moves", "neighbours", "neighbours", FULL, "start", 2),
        versus("neighbours over groups", "neighbours", "groups", SMALL),
        versus("groups over none", "groups", "plain", SMALL),
        versus("neighbours over none", "neighbours", "plain", SMALL),
        versus("published depths less 2", "neighbours{MaxDepth=5}", "groups{MaxDepth=4}", "--depth 99"),
        versus("", "groups{MaxDepth=4}", "plain{MaxDepth=7}", "--depth 99"),
        versus("", "neighbours{MaxDepth=5}", "plain{MaxDepth=7}", "--depth 99"),
        versus("to block before winning costs games", "neighbours{Precheck=fixed}", "neighbours", SMALL),
        versus("random games: black 59 %, 34.8 plies", "random", "random", DEPTH, "start", 1000),
    ],
}

# All against all: 19-0-3 for IDS and 17-0-5 for Oizys; and how often the second player wins.
TOURNAMENTS = {
    "simplexity-all": (
        "simplexity",
        ["ids", "oizys", "oizys-v5", "bee", "minimax", "minimax2=minimax{Depth=2}", FAITHFUL, *FRAMEWORK],
        f"{NODES} --openings random:4 --games 50",
    ),
    "xrudder-all": (
        "xrudder",
        ["factorial", "factorial-published", "pyramid", "greedy", "random"],
        f"{DEPTH} --openings random:2 --games 50",
    ),
}


# What single searches cost: the set-up, the agent with options, the position and the limit.
SEARCHES = [
    ("simplexity", "minimax", "startpos", "depth 3"),
    ("simplexity", "minimax{Depth=4}", "startpos", "depth 4"),
    ("simplexity", "simpai{Faithful=true,Depth=2}", "startpos", "depth 2"),
    ("simplexity", "builtin", "startpos", "nodes 4200"),
    ("simplexity rows 8 cols 13 round 26 square 26", "builtin", "startpos", "nodes 1900"),
    ("simplexity", "builtin", "startpos", "movetime 200"),
    ("simplexity rows 8 cols 13 round 26 square 26", "builtin", "startpos", "movetime 325"),
    ("xrudder", "factorial", "startpos moves e5 f6 g5 f4", "depth 2"),
    ("xrudder", "factorial{Depth=3}", "startpos moves e5 f6 g5 f4", "depth 3"),
    ("xrudder", "depth4", "startpos moves e5 f6 g5 f4", "depth 4"),
    ("andantino", "plain", "startpos moves i10 i9", "nodes 768000"),
    ("andantino", "neighbours", "startpos moves i10 i9", "nodes 768000"),
    ("andantino", "groups", "startpos moves i10 i9", "nodes 768000"),
]

# The tournaments as they were held, with a second's grace for a loaded machine, and where they would take long, with
# less time for each move.
PUBLISHED = {
    "base-track": ("simplexity-base", "--margin 1000"),
    "unknown-2020": ("simplexity-unknown-2020", "--margin 1000"),
    "unknown-2021": ("simplexity-unknown-2021", "--margin 1000"),
    "xrudder-course": ("xrudder", "--margin 1000 --movetime 500"),
    "colosseum-course": ("colosseum", "--margin 1000 --movetime 200 --first-movetime 3000"),
    "andantino-course": ("andantino-fast", "--margin 1000"),
}

# Depths that the first Colosseum program finished in two seconds, by rows and the positions it entered.
IDH_BOARDS = [(5, 12000), (6, 7200), (7, 3900), (8, 3200), (10, 2100), (12, 1400), (16, 800), (20, 490)]


def run(arbiter, words):
    """Runs the arbiter, one game at a time: the records of its journal, and its tables as Markdown."""
    with tempfile.TemporaryDirectory() as directory:
        journal, report = Path(directory) / "journal", Path(directory) / "report"
        output = ["--concurrency", "1", "--quiet", "--journal", str(journal), "--markdown", str(report)]
        command = [arbiter, *words, "--seed", "1", *output]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        # Code 3 says that games were forfeited, which some of these agents do.
        if done.returncode not in (0, 3):
            raise SystemExit(f"{' '.join(command)}: {done.stderr}")
        records = [json.loads(text) for text in journal.read_text(encoding="utf-8").splitlines()]
        return records, report.read_text(encoding="utf-8").split("\n\n")


def play(arbiter, command, game, engines, options):
    """The engines' names, the games they play, and the arguments of the command as one would type them."""
    arguments = [*engines, *options.split()]
    # A tournament starts engines anew after a fault without being told.
    recover = ["--recover"] if command == "match" else []
    (plan, *records), _ = run(arbiter, [command, game, *arguments, *recover])
    games = [record for record in records if record["type"] == "game"]
    shown = " ".join(f'"{word}"' if "{" in word else word for word in arguments)
    return [engine["name"] for engine in plan["engines"]], games, shown


def results(games, name):
    """Games won, drawn and lost."""
    own = [game for game in games if name in (game["p1"], game["p2"])]
    drawn = sum(game["result"] == "draw" for game in own)
    won = sum(game["result"] == ("p1win" if game["p1"] == name else "p2win") for game in own)
    return won, drawn, len(own) - won - drawn


def interval(won, drawn, lost):
    """The share of points and its 95 % interval after Wilson, as if each game were a trial of its own."""
    games = won + drawn + lost
    share = (won + drawn / 2) / games
    whole = 1 + Z95**2 / games
    middle = (share + Z95**2 / (2 * games)) / whole
    reach = Z95 * math.sqrt(share * (1 - share) / games + Z95**2 / (4 * games**2)) / whole
    return f"{100 * share:.1f} ({100 * (middle - reach):.1f} to {100 * (middle + reach):.1f})"


def depth(games, name):
    """The mean depth that an engine reports, `-` if it reports none. All openings have an even number of plies."""
    found = [
        report["depth"]
        for game in games
        for ply, report in enumerate(game.get("evals", []))
        if report and game["p1" if ply % 2 == 0 else "p2"] == name
    ]
    return f"{sum(found) / len(found):.1f}" if found else "-"


def line(cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def matches(arbiter, game, rows):
    yield "| claim | arguments of the match | won | drawn | lost | score % (95 %) | won by p1, p2 | plies | depths |"
    yield "|---|---|---:|---:|---:|---:|---:|---:|---:|"
    for claim, engines, options in rows:
        (first, second), games, shown = play(arbiter, "match", game, engines, options)
        counts = results(games, first)
        sides = ", ".join(str(sum(game["result"] == won for game in games)) for won in ("p1win", "p2win"))
        plies = sum(game["plies"] for game in games) / len(games)
        depths = f"{depth(games, first)}, {depth(games, second)}"
        yield line([claim, f"`{shown}`", *counts, interval(*counts), sides, f"{plies:.1f}", depths])


def tournament(arbiter, game, engines, options):
    named, games, shown = play(arbiter, "tournament", game, engines, options)
    yield f"`arbiter tournament {game} {shown} --seed 1`"
    yield ""
    yield "| engine | won | drawn | lost | score % (95 %) |"
    yield "|---|---:|---:|---:|---:|"
    counted = [(name, results(games, name)) for name in named]
    for name, counts in sorted(counted, key=lambda engine: -2 * engine[1][0] - engine[1][1]):
        yield line([f"`{name}`", *counts, interval(*counts)])
    won = [sum(game["result"] == result for game in games) for result in ("p1win", "draw", "p2win")]
    yield ""
    yield "The first player won {}, {} were drawn, the second player won {}.".format(*won)


def think(arbiter, setup, agent, position, limit):
    """What an agent reports last when asked for a move: depth, nodes and milliseconds, `-` for what it doesn't."""
    name, _, options = agent.rstrip("}").partition("{")
    setting = [f"setoption name {option.replace('=', ' value ')}" for option in options.split(",") if option]
    text = "\n".join([*setting, f"setup {setup}", f"position {position}", f"go {limit}", ""])
    run = [arbiter, "engine", setup.split()[0], "--agent", name]
    done = subprocess.run(run, input=text, capture_output=True, text=True, check=True)
    reports = [text.split() for text in done.stdout.splitlines() if text.startswith("info depth")]
    last = reports[-1] if reports else []
    return [last[last.index(key) + 1] if key in last else "-" for key in ("depth", "nodes", "time")]


def searches(arbiter, rows):
    yield "| set-up | agent | position | limit | depth | nodes | ms |"
    yield "|---|---|---|---|---:|---:|---:|"
    for setup, agent, position, limit in rows:
        report = think(arbiter, setup, agent, position, limit)
        yield line([setup, f"`{agent}`", f"`{position}`", f"`{limit}`", *report])


def idh_depths(arbiter, boards):
    """How often the first Colosseum program finishes which depth on the first move of twenty starts."""
    yield "| rows | positions | depth 0 | 1 | 2 | 3 | 4 | more |"
    yield "|---:|---:|---:|---:|---:|---:|---:|---:|"
    for size, nodes in boards:
        counts = [0] * 6
        for seed in range(1, 21):
            setup = f"colosseum size {size} seed {seed}"
            agent = f"idh{{Limit=60000,Nodes={nodes}}}"
            depth_reached, *_ = think(arbiter, setup, agent, "startpos", "depth 99")
            counts[min(int(depth_reached), 5)] += 1
        yield line([size, nodes, *counts])


def published(arbiter, name, options):
    """A tournament of examples/tournaments: the first two of the arbiter's tables."""
    words = ["tournament", f"examples/tournaments/{name}.toml", *options.split()]
    _, tables = run(arbiter, words)
    yield f"`arbiter {' '.join(words)} --seed 1 --concurrency 1`"
    yield ""
    yield from "\n\n".join(tables[:2]).splitlines()


def sections():
    """What can be played, by name: functions from the arbiter's path to lines of Markdown, and whether time matters."""
    for game, rows in MATCHES.items():
        yield game, lambda arbiter, game=game, rows=rows: matches(arbiter, game, rows), False
    for name, what in TOURNAMENTS.items():
        yield name, lambda arbiter, what=what: tournament(arbiter, *what), False
    yield "idh-depths", lambda arbiter: idh_depths(arbiter, IDH_BOARDS), False
    yield "searches", lambda arbiter: searches(arbiter, SEARCHES), True
    for name, what in PUBLISHED.items():
        yield name, lambda arbiter, what=what: published(arbiter, *what), True


if __name__ == "__main__":
    pages.run(__doc__, {name: (lines_of, timed) for name, lines_of, timed in sections()})
