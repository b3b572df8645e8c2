"""kill -9 at random moments of every command that writes, on copies of base.db in the present folder.

What was there and what was printed is not lost, every database is sound, files are whole or not there, and the same command
goes on.  With --chain N a command is ended N times in what it left itself before it is run to its end; all is checked after
each.
"""

import argparse
import os
import random
import re
import resource
import shutil
import sqlite3
import subprocess
import sys
import time

PRINTED = re.compile(r"^#(\d+) ", re.M)
failures = 0


def fail(what):
    global failures
    failures += 1
    print("FAILED:", what, flush=True)


def first(query):
    with sqlite3.connect("base.db") as base:
        return base.execute(query).fetchone()[0]


def commands(tool):
    """Pairs of the statuses that end a command well (2: the bugs are one already) and its words."""
    number = first("SELECT min(id) FROM finding")
    bug = first("SELECT min(id) FROM bug")
    following = first(f"SELECT min(id) FROM bug WHERE id > {bug}")
    # As little as each command can do and still write everything that it writes.
    flush = "planted:drop-last-k,planted:flush"
    few = "--dtype f32 --engine random"
    lines = [
        f"01 fuzz {few} --op gemm --backend planted:beta-twice --cases 20 --seed 5 --keep kept.cases --db w.db --verbose",
        "0 merge w.db other.db",
        "0 merge out.d/new.db base.db other.db",
        "0 bugs group --db w.db",
        f"0 bugs suppress {bug} --reason text --owner name --expires 2999-01-31 --db w.db",
        f"0 findings set {number} open --db w.db",
        "01 verify --db w.db",
        "0 report --no-programs --out out.d --db w.db --junit out.d/j.xml --sarif out.d/s.json",
        "0 corpus distil lines.cases --out out.d/distilled.cases --backend planted:ok-reference",
        "01 exhaust sqrt --dtype f16 --backend planted:one-ulp --db w.db --quiet",
        f"01 qualify planted:ok-reference planted:drop-last-k --op gemm {few} --cases 10 --seed 6 --db w.db --quiet",
        f"01 bisect {number} --over planted:ok-reference,{flush} --db w.db",
        "0 bugs probe --time 1s --db w.db",
        f"02 bugs join {bug} {following} --reason text --db w.db",
        "0 findings resign --db w.db",
        "0 import onednn words.log --out out.d/model.cases",
        f"01 nightly --out out.d/night --op gemm {few} --backend planted:drop-last-k --cases 8 --time 20s --quiet",
    ]
    # A program needs a library to be linked with.
    if subprocess.run([tool, "doctor", "netlib"], capture_output=True).returncode == 0:
        lines.append(f"01 reproduce {number} --backend netlib --out out.d/program --db w.db")
    pairs = [line.split(" ", 1) for line in lines]
    return [([int(digit) for digit in good], words.split()) for good, words in pairs]


def start(tool, words):
    with open("out", "w") as out, open("err", "w") as err:
        return subprocess.Popen([tool, *words], stdout=out, stderr=err)


def begin_anew():
    shutil.rmtree("out.d", ignore_errors=True)
    for name in os.listdir("."):
        if name.startswith("w.db") or name == "kept.cases":
            shutil.rmtree(name) if os.path.isdir(name) else os.unlink(name)
    shutil.copyfile("base.db", "w.db")
    os.mkdir("out.d")


def read(path):
    if not os.path.exists(path):
        return ""
    with open(path, errors="replace") as file:
        return file.read()


def check_database(tool, path, what):
    """The database is sound by SQLite's word and, where it has tables, by that of fsck."""
    if not os.path.exists(path) or os.path.getsize(path) == 0:
        return
    database = sqlite3.connect(path)
    answer = database.execute("PRAGMA integrity_check").fetchone()[0]
    tables = database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    database.close()
    if answer != "ok":
        fail(f"{what}: {path} is damaged: {answer}")
    elif tables and start(tool, ["fsck", "--db", path]).wait() != 0:
        fail(f"{what}: fsck of {path}: {read('out')} {read('err')}")


def check_findings(what, hits, printed):
    database = sqlite3.connect("w.db")
    now = database.execute("SELECT sum(hits) FROM finding").fetchone()[0]
    minimal = {row[0] for row in database.execute("SELECT id FROM finding WHERE min_line IS NOT NULL")}
    database.close()
    if now < hits:
        fail(f"{what}: hits are lost: {now} of {hits}")
    if printed - minimal:
        fail(f"{what}: findings were printed and lost: {sorted(printed - minimal)}")


def check_files(what):
    # A line of a file that is added to may be cut, but only the last one, whose end is missing.
    if any(not re.match("gem[mv]/[0-9]+ ", line) for line in read("kept.cases").split("\n")[:-1]):
        fail(f"{what}: lines of --keep")
    if os.path.exists("out.d/model.cases") and len(re.findall("^matmul/2 ", read("out.d/model.cases"), re.M)) != 1:
        fail(f"{what}: lines of import")
    if os.path.exists("out.d/distilled.cases") and "gemm/1 " not in read("out.d/distilled.cases"):
        fail(f"{what}: lines of distil")


class Kills:
    """The random moments, and what commands take when they run to their end, as of the last time."""

    def __init__(self, tool, seed, hits):
        self.tool, self.random, self.hits = tool, random.Random(seed), hits
        self.takes, self.count, self.ended, self.printed = {}, 0, 0, 0

    def check(self, what, printed):
        printed |= {int(number) for number in PRINTED.findall(read("err"))}
        for path in ("w.db", "out.d/new.db", "out.d/night/findings.db"):
            check_database(self.tool, path, what)
        check_findings(what, self.hits, printed)
        check_files(what)

    def run(self, words):
        begun = time.monotonic()
        status = start(self.tool, words).wait()
        self.takes[tuple(words)] = time.monotonic() - begun
        return status

    def kill(self, what, good, words, printed):
        process = start(self.tool, words)
        time.sleep(self.takes[tuple(words)] * self.random.random())
        process.kill()
        status = process.wait()
        self.count += 1
        self.ended += status == -9
        if status >= 0 and status not in good:
            fail(f"{what}: status {status}: {read('err')[:300]}")
        self.check(what, printed)

    def go(self, number, good, words, chain):
        printed = set()
        what = f"round {number}: {' '.join(words)}"
        begin_anew()
        if tuple(words) not in self.takes:
            self.run(words)
            begin_anew()
        for link in range(chain):
            self.kill(f"{what}, kill {link + 1}", good, words, printed)
        status = self.run(words)
        if status not in good:
            fail(f"{what}: status {status} once more: {read('err')[:300]}")
        self.check(f"{what}, once more", printed)
        self.printed += len(printed)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("tool")
    options.add_argument("--rounds", type=int, default=1)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--chain", type=int, default=1)
    chosen = options.parse_args()
    kills = Kills(chosen.tool, chosen.seed, first("SELECT sum(hits) FROM finding"))
    pairs = commands(chosen.tool)
    for number in range(chosen.rounds):
        for good, words in pairs:
            kills.go(number, good, words, chosen.chain)
    used = resource.getrusage(resource.RUSAGE_CHILDREN), resource.getrusage(resource.RUSAGE_SELF)
    seconds = sum(usage.ru_utime + usage.ru_stime for usage in used) / max(kills.count, 1)
    print(f"{kills.ended} of {kills.count} commands were ended, {seconds:.3f} processor-seconds each")
    print(f"{kills.printed} findings were printed")
    if kills.ended == 0:
        fail("nothing was ended")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
