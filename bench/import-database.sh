#!/bin/sh
# Time and memory of an import of 500,000 events from a database of aw-server, into a folder that no server uses: the
# first time, and again when everything is there. Needs a built package, python3 for the database, and GNU time.
set -eu
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 - "$folder/peewee-sqlite.v2.db" "${1:-500000}" <<'PYTHON'
import datetime
import json
import random
import sqlite3
import sys

connection = sqlite3.connect(sys.argv[1])
connection.executescript("""
CREATE TABLE bucketmodel (key INTEGER NOT NULL PRIMARY KEY, id VARCHAR(255) NOT NULL, created DATETIME NOT NULL,
  name VARCHAR(255), type VARCHAR(255) NOT NULL, client VARCHAR(255) NOT NULL, hostname VARCHAR(255) NOT NULL,
  datastr VARCHAR(255));
CREATE TABLE eventmodel (id INTEGER NOT NULL PRIMARY KEY, bucket_id INTEGER NOT NULL, timestamp DATETIME NOT NULL,
  duration DECIMAL(10, 5) NOT NULL, datastr VARCHAR(255) NOT NULL);
CREATE INDEX eventmodel_bucket_id_timestamp ON eventmodel (bucket_id, timestamp);
""")
at = datetime.datetime(2023, 1, 1, tzinfo=datetime.timezone.utc)
for key in range(1, 6):
    row = (key, "bucket%d_desk" % key, str(at), None, "currentwindow", "bench", "desk", "{}")
    connection.execute("INSERT INTO bucketmodel VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
chance = random.Random(1)


def events(count):
    start = at
    for number in range(1, count + 1):
        start += datetime.timedelta(milliseconds=chance.randrange(1, 90000))
        title = "Some window title number %d - with words" % chance.randrange(60000)
        data = json.dumps({"app": "app %d" % chance.randrange(40), "title": title})
        yield number, chance.choice([1, 1, 1, 2, 3, 4, 5]), str(start), chance.randrange(90000) / 1000, data


connection.executemany("INSERT INTO eventmodel VALUES (?, ?, ?, ?, ?)", events(int(sys.argv[2])))
connection.commit()
PYTHON
for round in first again; do
  /usr/bin/time -f "$round: %e s, %M kB" \
    node dist/cli.cjs import --from "$folder/peewee-sqlite.v2.db" --data "$folder/data" --yes | tail -1
done
