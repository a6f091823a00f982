// What commands say of buckets, events, the trash, privacy and retention: that each calls its operation is shown by
// test/api/surfaces.test.ts.
import fs from "node:fs";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import type { ActivityServer } from "../../src/index.js";
import { inside } from "../cli/inside.js";
import { stopped } from "../cli/launcher.js";
import { withServer } from "../harness.js";

const test = suite("management from the command line");

const BUCKET = { type: "t", client: "c", hostname: "old" };

/** Does something to what a folder holds. */
function filling<T>(folder: string, fill: (server: ActivityServer) => Promise<T>): Promise<T> {
  return withServer({ door: "process", storage: leveldb({ path: folder }) }, ({ server }) => fill(server));
}

async function createIn(folder: string, id: string): Promise<void> {
  await filling(folder, ({ buckets }) => buckets.create(id, BUCKET, [{ timestamp: "2024-01-01" }]));
}

test("buckets: rename, rename-host, redirects and undo; nothing is done without --yes", () =>
  inside(async ({ path, run, program }) => {
    const folder = path("data");
    await createIn(folder, "w_old");
    const buckets = (...words: string[]) => run(["buckets", "--data", folder, ...words]);
    const unasked = await program.run(["buckets", "rename", "w_old", "w_new", "--data", folder]);
    assert.is(unasked.code, 2);
    assert.match(unasked.stderr, /use --yes, or --dry-run/);
    assert.match((await buckets("rename", "w_old", "w_new", "--dry-run")).stdout, /^w_old -> w_new, 1 event\n$/);
    assert.is((await buckets("redirects")).stdout, "no redirects\n");
    const renamed = await buckets("rename-host", "old", "new", "--rename-buckets", "--yes");
    assert.match(
      renamed.stdout,
      /^w_old -> w_new, host old -> new, 1 event\nw_old redirects to w_new\ndone; undo with: .* undo (\w+)\n$/,
    );
    assert.is((await buckets("redirects")).stdout, "w_old redirects to w_new\n");
    const [, undo = ""] = /buckets undo (\w+)/.exec(renamed.stdout) ?? [];
    assert.match((await buckets("undo")).stdout, new RegExp(`^${undo}: \\S+ host, w_old -> w_new\n$`));
    assert.match((await buckets("undo", undo)).stdout, /^undone: /);
    assert.match((await buckets("undo", undo)).stderr, /no change with the undo ID/);
    await createIn(folder, "-x");
    assert.match((await buckets("rename", "--yes", "--", "-x", "--y")).stdout, /^-x -> --y, 1 event$/m);
    await createIn(folder, "w_more");
    const merged = await buckets("merge", "w_old", "--source", "w_more", "--yes");
    assert.match(merged.stdout, /^w_more: of 1 event 1 equal, 0 cut, 0 covered\nw_more redirects to w_old\ndone; /m);
  }));

test("a change that a server finished before it was killed was done already", () =>
  inside(async ({ path, run, program }) => {
    const folder = path("data");
    for (const id of ["a", "into", "more"]) await createIn(folder, id);
    const changes = [
      { words: ["rename", "a", "b", "--redirect", "no"], name: "the rename of 'a' to 'b'" },
      { words: ["merge", "into", "--source", "more"], name: "the merge into 'into'" },
      { words: ["rename-host", "old", "new"], name: "the rename of the hostname 'old' to 'new'" },
    ];
    const { ended, kill } = await program.start(["--data", folder, "--port", "0"]);
    const undos: string[] = [];
    for (const { words } of changes) {
      const { stdout } = await run(["buckets", ...words, "--yes", "--data", folder]);
      undos.push(/undo (\w+)\n$/.exec(stdout)?.[1] ?? "none");
    }
    kill("SIGKILL");
    await ended;
    for (const [index, { words, name }] of changes.entries()) {
      for (const flag of ["--yes", "--dry-run"]) {
        const { code, stdout, stderr } = await run(["buckets", ...words, flag, "--data", folder]);
        assert.equal([code, stdout], [1, ""]);
        assert.match(stderr, `${name} was done already (undo ID ${undos[index]})`);
      }
    }
  }));

function event(minute: number, app: string) {
  return { timestamp: `2024-03-01T10:0${minute}:00Z`, duration: { seconds: 10 }, data: { app } } as const;
}

test("events: delete by range and filter, split, move", () =>
  inside(async ({ path, run, told: demand, program }) => {
    const folder = path("data");
    const mail = await filling(folder, async ({ buckets, events }) => {
      await buckets.create("window_a", BUCKET, [event(1, "web"), event(2, "mail"), event(3, "web")]);
      await buckets.create("window_b", BUCKET, [event(4, "web")]);
      return (await events.read("window_a").toArray()).find(({ data }) => data["app"] === "mail");
    });
    const wordsOf = (args: readonly string[]) => ["events", ...args, "--data", folder];
    const told = (...args: string[]): Promise<string> => demand(wordsOf(args));
    const { stdout: preview } = await program.run(wordsOf(["delete", "--filter", "app=web", "--dry-run"]));
    assert.match(preview, "window_a: 2 events, 2024-03-01T10:01:00+00:00 to 2024-03-01T10:03:10+00:00\n");
    assert.match(preview, "window_b: 1 event, ");
    assert.match(preview, "3 events in total, ");
    const deleted = await told("delete", "--filter", "app=web", "--start", "2024-03-01T10:02:00Z", "--yes");
    assert.match(deleted, /2 events deleted; restore with: activity-server trash restore \S+\n$/);
    const lines = await told("delete", "--filter", "app=web", "--buckets", "window_b", "--yes", "--json");
    assert.match(lines, '{"event":"events-deleted","count":0,"entry":null}');

    const id = String(mail?.id);
    assert.match(await told("split", "window_a", id, "--at", "2024-03-01T10:02:04Z"), `${id}: 2024-03-01T10:02:00`);
    assert.match(await told("move", "window_a", id, "window_b"), /^window_b \d+: 2024-03-01T10:02:00\S+, 4 s\n$/);
    assert.match(
      await told("delete", "--filter", "app=mail", "--permanent", "--yes"),
      /2 events deleted permanently\n$/,
    );

    const unasked = await run(wordsOf(["delete", "--filter", "app=web"]));
    assert.is(unasked.code, 2);
    assert.match(unasked.stderr, "use --yes");
  }));

const EVENTS = [{ timestamp: "2024-03-01", duration: { seconds: 5 } }] as const;

test("trash: list, restore, delete and empty; what is too old goes when a server starts", () =>
  inside(async ({ path, told: demand, start, program }) => {
    const folder = path("data");
    const [third, second, first] = await filling(folder, async ({ buckets, trash }) => {
      for (const id of ["a", "b", "c"]) {
        await buckets.create(id, BUCKET, EVENTS);
        await buckets.delete(id);
      }
      return trash.list();
    });
    const told = (...args: string[]): Promise<string> => demand(["trash", ...args, "--data", folder]);
    assert.match(await told("list"), /^\S+: \S+ the bucket was deleted: c, 1 event, 2024-03-01T.* to /);
    assert.match(await told("restore", first?.id ?? "", "--bucket", "again"), "again: 1 event restored");
    assert.match(await told("delete", second?.id ?? "", "--yes"), "deleted permanently");
    assert.match(await told("list", "--json"), `"id":"${third?.id}"`);
    assert.match(await told("list", "--trash-days", "0"), "the trash is empty");

    const launched = await start(["--data", folder, "--port", "0", "--trash-days", "0"]);
    await stopped(launched);
    assert.match(await told("list"), "the trash is empty");
    assert.match(await told("empty", "--yes"), "0 deletions of 0 events deleted permanently");

    const refused = await program.run(["trash", "restore", "x", "--data", folder]);
    assert.is(refused.code, 1);
    assert.match(refused.stderr, "the trash has no entry 'x'");
  }));

test("privacy: preview counts what the rules of a file, or of the settings, would do", () =>
  inside(async ({ path, run, told, program }) => {
    const folder = path("data");
    await filling(folder, ({ buckets }) =>
      buckets.create("b", BUCKET, [
        { timestamp: "2024-01-01", data: { app: "secret" } },
        { timestamp: "2024-01-02", data: { app: "editor" } },
      ]),
    );
    fs.writeFileSync(path("rules.json"), JSON.stringify([{ when: { key: "app", equals: "secret" }, then: "drop" }]));
    const previewed = await told(["privacy", "preview", path("rules.json"), "--data", folder]);
    assert.match(previewed, /^rules\[0\]: 1 dropped, 0 changed\n {2}b 2024-01-01T\S+ \{"app":"secret"\} -> dropped$/m);
    assert.match(previewed, /^b: of 2 events: 1 dropped, 0 changed$/m);
    const unasked = await program.run(["privacy", "apply", path("rules.json"), "--data", folder]);
    assert.is(unasked.code, 2);
    assert.match(unasked.stdout, /^b: of 2 events: 1 dropped, 0 changed$/m);
    const applied = await run(["privacy", "apply", path("rules.json"), "--yes", "--data", folder]);
    const [, undo = ""] = /^b: of 2 events: 1 dropped, 0 changed; .* undo (\w+)$/m.exec(applied.stdout) ?? [];
    assert.match((await run(["buckets", "undo", undo, "--data", folder])).stdout, /^undone: .* privacy, b -> b$/m);
    assert.match(await told(["privacy", "preview", "--data", folder]), /^of 0 events: 0 dropped, 0 changed$/m);
  }));

test("retention: preview counts, run deletes, log tells", () =>
  inside(async ({ path, told, program }) => {
    const folder = path("data");
    await filling(folder, async ({ buckets, settings }) => {
      await buckets.create("b", BUCKET, [
        { timestamp: "2001-01-01", duration: { seconds: 5 } },
        { timestamp: new Date(), duration: { seconds: 5 } },
      ]);
      await settings.put("retention_rules", [{ buckets: "*", keepDays: 365 }]);
    });
    for (const [action, line] of [
      ["log", /^no retention runs\n$/],
      ["preview", /^b: 1 too old$/m],
      ["run", /^b: 1 too old$/m],
      ["run", /nothing to do/],
      ["log", /^\S+ b: 1 too old$/m],
    ] as const) {
      assert.match(await told(["retention", action, "--data", folder]), line, action);
    }
    const refused = await program.run(["retention", "--data", folder]);
    assert.is(refused.code, 2);
    assert.match(refused.stderr, /usage: activity-server retention preview/);
  }));

test.run();
