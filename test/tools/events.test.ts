import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { createActivityServer } from "../../src/index.js";
import { inside } from "../cli/inside.js";

const test = suite("events from the command line");

const BUCKET = { type: "t", client: "c", hostname: "h" };

function event(minute: number, app: string) {
  return { timestamp: `2024-03-01T10:0${minute}:00Z`, duration: { seconds: 10 }, data: { app } } as const;
}

test("delete by range and filter, split, move", () =>
  inside(async ({ path, run, program }) => {
    const folder = path("data");
    const server = createActivityServer({ storage: leveldb({ path: folder }) });
    await server.buckets.create("window_a", BUCKET, [event(1, "web"), event(2, "mail"), event(3, "web")]);
    await server.buckets.create("window_b", BUCKET, [event(4, "web")]);
    const [mail] = (await server.events.read("window_a").toArray()).filter(({ data }) => data["app"] === "mail");
    await server.close();
    const wordsOf = (args: readonly string[]) => ["events", ...args, "--data", folder];
    const tell = async (...args: string[]) => run(wordsOf(args));
    const told = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await tell(...args);
      assert.is(code, 0, stderr);
      return stdout;
    };
    const { stdout: preview } = await program.run(wordsOf(["delete", "--filter", "app=web", "--dry-run"]));
    assert.match(preview, "window_a: 2 events, 2024-03-01T10:01:00+00:00 to 2024-03-01T10:03:10+00:00\n");
    assert.match(preview, "window_b: 1 event, ");
    assert.match(preview, "3 events in all, 0.0 hours");
    const deleted = await told("delete", "--filter", "app=web", "--start", "2024-03-01T10:02:00Z", "--yes");
    assert.match(deleted, /2 events deleted; activity-server trash restore \S+\n$/);
    const lines = await told("delete", "--filter", "app=web", "--buckets", "window_b", "--yes", "--json");
    assert.match(lines, '{"event":"events-deleted","count":0,"entry":null}');

    const id = String(mail?.id);
    assert.match(await told("split", "window_a", id, "--at", "2024-03-01T10:02:04Z"), `${id}: 2024-03-01T10:02:00`);
    assert.match(await told("move", "window_a", id, "window_b"), /^window_b \d+: 2024-03-01T10:02:00\S+, 4 s\n$/);
    assert.match(await told("delete", "--filter", "app=mail", "--permanent", "--yes"), /2 events deleted for good\n$/);

    for (const [args, code, words] of [
      [["delete", "--yes"], 2, "needs --filter, --start or --end"],
      [["delete", "--filter", "app=web"], 2, "say --yes to do it"],
      [["delete", "--start", "yesterday", "--yes"], 1, "start"],
      [["split", "window_a", id], 2, "usage: activity-server events"],
      [["split", "none", id, "--at", "2024-03-01T10:02:04Z"], 1, "none"],
      [["move", "window_a"], 2, "usage: activity-server events"],
      [[], 2, "usage: activity-server events"],
    ] as const) {
      const refused = await tell(...args);
      assert.is(refused.code, code, refused.stderr);
      assert.match(refused.stderr, words);
    }
  }));

test.run();
