"""Tables of a database of findings as files of Parquet, for DuckDB, pandas and whatever else reads columns.

    python3 -m opconform.parquet findings.db FOLDER [TABLE...]

Each table becomes FOLDER/TABLE.parquet, and with them the views v_bug and v_state: what each bug and finding counts as today.  Rows go
through memory some thousands at a time.  A file is put in its place when it is whole."""
import os
import sqlite3
import sys

VIEWS = ('v_bug', 'v_state')
BATCH = 32768


def columns(connection, table):
    """Names and types.  Tables are strict; a column of a view without a type is what its values are."""
    quoted = quote(table)
    for _, name, declared, *_ in connection.execute(f'PRAGMA table_info({quoted})').fetchall():
        kinds = {declared.upper()} if declared else {
            kind.upper() for kind, in connection.execute(f'SELECT DISTINCT typeof({quote(name)}) FROM {quoted}')} - {'NULL'}
        if kinds <= {'INTEGER'} and kinds:
            yield name, 'INTEGER'
        elif kinds <= {'INTEGER', 'REAL'} and kinds:
            yield name, 'REAL'
        else:
            yield name, 'TEXT'


def quote(name):
    return '"' + name.replace('"', '""') + '"'


def write(connection, table, path):
    """The number of rows."""
    import pyarrow
    from pyarrow import parquet
    types = {'INTEGER': pyarrow.int64(), 'REAL': pyarrow.float64(), 'TEXT': pyarrow.string()}
    named = list(columns(connection, table))
    schema = pyarrow.schema([(name, types[kind]) for name, kind in named])
    # A text of which a library has written some bytes need not be UTF-8.
    connection.text_factory = lambda text: text.decode('utf-8', 'backslashreplace')
    asked = ', '.join(f'CAST({quote(name)} AS {kind}) AS {quote(name)}' for name, kind in named)
    rows = connection.execute(f'SELECT {asked} FROM {quote(table)}')
    count = 0
    with parquet.ParquetWriter(path + '.new', schema, compression='zstd') as writer:
        while batch := rows.fetchmany(BATCH):
            arrays = [pyarrow.array(values, type=field.type) for values, field in zip(zip(*batch), schema)]
            writer.write_batch(pyarrow.record_batch(arrays, schema=schema))
            count += len(batch)
    os.replace(path + '.new', path)
    return count


def export(database, folder, wanted=()):
    """Rows by the name of the table."""
    if not os.path.exists(database):
        raise SystemExit(f'opconform: {database}: no such database')
    connection = sqlite3.connect(f'file:{database}?mode=ro'.replace('%', '%25').replace('#', '%23'), uri=True)
    try:
        asked = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name"
        tables = [name for name, in connection.execute(asked)]
        unknown = [name for name in wanted if name not in tables + list(VIEWS)]
        if 'finding' not in tables:
            raise SystemExit(f'opconform: {database}: not a database of opconform')
        if unknown:
            raise SystemExit(f'opconform: {database}: no table {unknown[0]}')
        os.makedirs(folder, exist_ok=True)
        return {name: write(connection, name, os.path.join(folder, name + '.parquet')) for name in wanted or tables + list(VIEWS)}
    except sqlite3.Error as why:
        raise SystemExit(f'opconform: {database}: {why}') from None
    except ModuleNotFoundError as why:
        raise SystemExit(f'opconform: {why}: python3 -m pip install pyarrow') from None
    finally:
        connection.close()


def main():
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    for name, count in export(sys.argv[1], sys.argv[2], sys.argv[3:]).items():
        print(f'{count:>12} {name}')
    return 0


if __name__ == '__main__':
    sys.exit(main())
