import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { findDatabases, findDatabasesIn, findSettingsFile } from "../../src/cli/import/find-databases.js";
import { withFolder } from "../adapters/folder.js";

const test = suite("places of databases");

async function make(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), "12345");
  }
}

const SERVERS = ["aw-server/peewee-sqlite.v2.db", "aw-server-rust/sqlite.db", "aw-server-rust/sqlite-testing.db"];
const MACHINES: readonly (readonly [NodeJS.Platform, readonly string[]])[] = [
  ["linux", SERVERS.map((name) => `.local/share/activitywatch/${name}`)],
  ["darwin", SERVERS.map((name) => `Library/Application Support/activitywatch/${name}`)],
  [
    "win32",
    [
      "AppData/Local/activitywatch/activitywatch/aw-server/peewee-sqlite.v2.db",
      "AppData/Roaming/activitywatch/aw-server-rust/sqlite.db",
      "AppData/Roaming/activitywatch/aw-server-rust/sqlite-testing.db",
    ],
  ],
];

for (const [platform, names] of MACHINES) {
  test(`${platform}: both servers, those for testing known as such`, () =>
    withFolder(async (home) => {
      await make(home, names);
      const found = await findDatabases({ platform, env: {}, home });
      const expected = names.map((name) => ({ file: join(home, name), isTesting: name.includes("-testing"), size: 5 }));
      const facts = found.map(({ file, isTesting, size }) => ({ file, isTesting, size }));
      const byFile = (a: { file: string }, b: { file: string }) => (a.file < b.file ? -1 : 1);
      assert.equal(facts.sort(byFile), expected.sort(byFile));
    }));
}

test("of several versions the newest; profiles; where variables say; logs count as well", () =>
  withFolder(async (home) => {
    const data = join(home, "elsewhere");
    await make(data, [
      "activitywatch/aw-server/peewee-sqlite.v1.db",
      "activitywatch/aw-server/peewee-sqlite.v2.db",
      "activitywatch/aw-server/peewee-sqlite.v2.db-wal",
      "activitywatch/aw-server/notes.db",
      "activitywatch-testing/aw-server-rust/sqlite.db",
      "other/aw-server-rust/sqlite.db",
    ]);
    const found = await findDatabases({ platform: "linux", env: { XDG_DATA_HOME: data }, home });
    assert.equal(found.map(({ file, isTesting, size }) => [file.slice(data.length + 1), isTesting, size]).sort(), [
      ["activitywatch-testing/aw-server-rust/sqlite.db", true, 5],
      ["activitywatch/aw-server/peewee-sqlite.v2.db", false, 10],
    ]);
    const [own] = await findDatabasesIn(join(data, "activitywatch"));
    assert.is(own?.file, join(data, "activitywatch/aw-server/peewee-sqlite.v2.db"));
    const [same] = await findDatabasesIn(join(data, "activitywatch/aw-server"));
    assert.is(same?.file, own?.file);
  }));

test("the settings of aw-server lie in its folder of settings, or beside a database that was moved", () =>
  withFolder(async (home) => {
    await make(home, [
      ".config/activitywatch/aw-server/settings.json",
      ".config/activitywatch/aw-server/settings-testing.json",
      "moved/settings.json",
    ]);
    const machine = { platform: "linux", env: {}, home } as const;
    const at = (name: string) => findSettingsFile(join(home, name), machine);
    const folder = ".local/share/activitywatch/aw-server";
    const settings = join(home, ".config/activitywatch/aw-server");
    assert.is(await at(`${folder}/peewee-sqlite.v2.db`), join(settings, "settings.json"));
    assert.is(await at(`${folder}/peewee-sqlite-testing.v2.db`), join(settings, "settings-testing.json"));
    assert.is(await at("moved/peewee-sqlite.v2.db"), join(home, "moved/settings.json"));
    assert.is(await at("bare/peewee-sqlite.v2.db"), undefined);
  }));

test.run();
