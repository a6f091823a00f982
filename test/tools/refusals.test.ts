// What commands refuse: wrong usage with exit code 2, what cannot be carried out with 1, each in one line.
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { inside } from "../cli/inside.js";
import { bucket } from "./backups.js";

const test = suite("refusals of commands");

const KEYS = /usage: activity-server keys add NAME --scope SCOPE .*\| list \| revoke NAME/;
const EVENTS = /usage: activity-server events/;
const AT = "--at 2024-03-01T10:02:04Z";

const REFUSED: readonly (readonly [exitCode: 1 | 2, words: string, message: RegExp])[] = [
  [2, "verifi", /did you mean verify/],
  [2, "verify --to x", /unknown|--to/],
  [1, "verify --data none", /cannot find the data folder/],
  [1, "verify --data full/letter", /is not a folder/],
  [1, "verify --data full", /contains other files, such as letter/],
  [2, "backup", /usage: activity-server backup --to FILE/],
  [1, "backup --data none --to x", /cannot find the data folder/],
  [1, "backup --to full/letter", /exists; .*--force/],
  [1, "backup --to none/file", /cannot be written \(ENOENT\)/],
  [2, "restore", /usage: activity-server restore FILE/],
  [2, "salvage", /usage: activity-server salvage --to DIR/],
  [1, "salvage --data none --to x", /cannot find the data folder/],
  [1, "salvage --data full --to x", /contains no data of activity-server/],
  [1, "salvage --to full", /is not an empty folder/],
  [2, "keys", KEYS],
  [2, "keys delete a", KEYS],
  [2, "keys add --scope admin", KEYS],
  [2, "keys revoke", KEYS],
  [2, "keys add a", /keys add needs --scope/],
  [2, "keys add a b --scope admin", /unexpected argument 'b'/],
  [1, "keys add a --scope root", /scopes\[0\] must be/],
  [1, "keys add a --scope admin --expires soon", /expires must be a time .*, got 'soon'/],
  [1, "keys revoke a", /no key is named 'a'/],
  [1, "keys list --data none", /cannot find the data folder/],
  [2, "buckets nothing", /usage: activity-server buckets/],
  [2, "buckets merge window --yes", /needs --source/],
  [1, "buckets merge window --source none --yes", /no bucket named 'none'/],
  [1, "buckets redirects window --remove", /'window' is not redirected/],
  [2, "events", EVENTS],
  [2, "events split window 1", EVENTS],
  [2, "events move window", EVENTS],
  [2, "events delete --yes", /needs --filter, --start or --end/],
  [1, "events delete --start yesterday --yes", /start/],
  [1, `events split none 1 ${AT}`, /none/],
  [2, "trash", /usage: activity-server trash/],
  [2, "privacy", /usage: activity-server privacy/],
  [1, "privacy preview full/letter", /must contain a JSON list/],
  [2, "report --by minute", /--by must be hour, day, week, month, got 'minute'/],
  [2, "report 2024-03-01..", /the period must be today, .* or FROM\.\.TO, got '2024-03-01\.\.'/],
  [2, "report --csv --markdown", /use one of --json, --csv and --markdown/],
  [1, "report --group nonsense", /groups\[0\] must be one of category/],
  [1, "report soon", /date must be a date/],
  [1, "open", /no server is running with the data folder/],
  [1, "pair", /no server is running with the data folder/],
  [2, "pair --refuse", /usage: activity-server pair \[CODE/],
];

test("each is one line, nothing is printed, and nothing is made", () =>
  inside(async ({ path, run }) => {
    const storage = leveldb({ path: path("data") });
    await storage.createBucket(bucket("window"), [{ timestamp: 0, duration: 1, data: {} }]);
    await storage.close();
    await mkdir(path("full"));
    await writeFile(path("full/letter"), "[");
    for (const [exitCode, words, message] of REFUSED) {
      const place = words.includes("--data") ? [] : ["--data", "data"];
      const { code, stdout, stderr } = await run([...words.split(" "), ...place]);
      assert.equal([code, stdout], [exitCode, ""], `${words}: ${stderr}`);
      assert.match(stderr, message);
      assert.match(stderr, /^activity-server: .*\n$/);
    }
    assert.equal((await readdir(path("."))).sort(), ["data", "full"]);
  }));

test.run();
