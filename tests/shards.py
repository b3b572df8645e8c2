"""Makes shards of a fleet with synthetic bugs: shards.py TEMPLATE FOLDER COUNT.

TEMPLATE is a database of real campaigns.  Each shard has its contents under names of its own: other runs, which counted 10^9 / COUNT
cases together, and each finding as one of many variants of a bug, of which the n-th is about 1/n as frequent as the first."""
import hashlib
import os
import random
import shutil
import sqlite3
import sys

VARIANTS = 2000  # of each finding: signatures that differ by a facet


def zipf(draw):
    """A number below VARIANTS; n comes about 1/n as often as the first."""
    return min(int((VARIANTS + 1) ** draw.random()) - 1, VARIANTS - 1)


def fill(path, shard, count):
    draw = random.Random(shard)
    database = sqlite3.connect(path, isolation_level=None)
    database.execute('PRAGMA synchronous = OFF')
    database.execute('PRAGMA journal_mode = MEMORY')
    database.execute('BEGIN')
    start = 1_700_000_000 + draw.randrange(3600)
    runs = database.execute('SELECT id FROM run').fetchall()
    for number, in runs:
        uuid = hashlib.md5(b'%d/%d %d' % (shard, count, number)).hexdigest()
        database.execute('UPDATE run SET uuid = ?, seed = ?, started = ?, ended = ? + 3600, cases = ? WHERE id = ?',
                         (uuid, shard, start, start, 10**9 // count // len(runs), number))
    for table in ('finding', 'hit'):
        database.execute(f'UPDATE {table} SET first_seen = ? + first_seen % 1000, last_seen = ? + 1000 + last_seen % 1000', (start, start))
    for number, in database.execute('SELECT id FROM finding').fetchall():
        variant = zipf(draw)
        database.execute("UPDATE finding SET signature = signature || ' variant=' || ?1 WHERE id = ?2", (variant, number))
        database.execute("UPDATE raw_signature SET raw = raw || ' variant=' || ?1 WHERE finding = ?2", (variant, number))
    database.execute('COMMIT')
    database.close()


def main():
    template, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    os.makedirs(os.path.join(folder, 'work'), exist_ok=True)
    open(os.path.join(folder, f'shards-{count:05d}'), 'w').close()
    for shard in range(count):
        path = os.path.join(folder, f'shard-{shard:05d}-of-{count:05d}.db')
        shutil.copyfile(template, path)
        fill(path, shard, count)


main()
