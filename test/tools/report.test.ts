// The command `report`, as its users run it.
import { PassThrough } from "node:stream";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { launch } from "../../src/cli/launch.js";
import { inside } from "../cli/inside.js";
import { call, jsonLines } from "../cli/launcher.js";

const test = suite("the command report");

const BUCKET = { type: "currentwindow", client: "test", hostname: "desk" };
const EVENTS = [
  { timestamp: "2024-03-01T10:00:00Z", duration: 3600, data: { app: "editor", title: "a|b\\c" } },
  { timestamp: "2024-03-01T11:00:00Z", duration: 1200, data: { app: "mail", title: "\u001b[2J\u009binbox" } },
];

async function fill(folder: string): Promise<void> {
  const storage = leveldb({ path: folder });
  await storage.settings.put("timeZone", "Europe/Berlin");
  const category = (name: string, regex: string, score: string) => {
    return { name: [name], rule: { type: "regex", regex }, data: { score } };
  };
  await storage.settings.put("classes", [category("Work", "editor", "3"), category("Chat", "mail", "-1.5")]);
  const events = EVENTS.map(({ timestamp, duration, data }) => {
    return { timestamp: Date.parse(timestamp) * 1000, duration: duration * 1_000_000, data };
  });
  await storage.createBucket({ ...BUCKET, id: "window", name: null, created: 0, data: {} }, events);
  await storage.close();
}

test("prints a table, CSV, Markdown or JSON of a folder without a server", () =>
  inside(async ({ path, told }) => {
    await fill(path("data"));
    const words = ["report", "2024-03-01", "--data", "data", "--group", "app"];
    assert.is(
      await told([...words, "--by", "week", "--compare"]),
      [
        "2024-03-01, active 1:20, away 0:00, from 11:00 to 12:20, longest focus 1:20",
        "",
        "app     time  share  change",
        "editor  1:00   75 %   +1:00",
        "mail    0:20   25 %   +0:20",
        "",
        "start             active  away",
        "2024-03-01 04:00    1:20  0:00",
        "",
      ].join("\n"),
    );
    const csv = ["group,key,app,seconds,share,change", "app,editor,,3600,0.75,", "app,mail,,1200,0.25,", ""];
    assert.is(await told([...words, "--csv"]), csv.join("\r\n"));
    const titles = ["report", "2024-02-28..2024-03-02", "--data", "data", "--group", "title", "--markdown"];
    const [head, , ...table] = (await told(titles)).trimEnd().split("\n");
    assert.match(head ?? "", /^2024-02-28 to 2024-03-02, active 1:20/);
    assert.equal(table, [
      "| title | time | share |",
      "| --- | ---: | ---: |",
      "| a\\|b\\\\c (editor) | 1:00 | 75 % |",
      "| ?\\[2J?inbox (mail) | 0:20 | 25 % |",
    ]);
    const [json] = jsonLines(await told([...words, "--json"])) as { event: string; totals: { active: number } }[];
    assert.equal([json?.event, json?.totals.active], ["report", 4800]);
    const [shown] = jsonLines(await told([...words, "--group", "title", "--json"])) as {
      groups: Record<string, { rows: { key: string }[] }>;
    }[];
    assert.is(shown?.groups["title"]?.rows[1]?.key, EVENTS[1]?.data.title);
    for (const form of ["--json", "--csv", "--markdown"]) {
      const printed = await told([...words, "--group", "title", form]);
      assert.not.match(printed, /[^\P{Cc}\r\n]/u, form);
      if (form !== "--markdown") assert.match(printed, /\\u001b\[2J\\u009binbox/, form);
    }
    const narrow = [...words, "--filter", "app=mail", "--host", "desk"];
    assert.match(await told(narrow), /active 0:20/);
    const scored = await told(["report", "2024-03-01", "--data", "data"]);
    assert.match(scored, /longest focus 1:20, score 2\.5 \(productive 1:00, distracting 0:20\)\n/);
  }));

test("shows progress on a terminal for a period of several years", () =>
  inside(async ({ path }) => {
    await fill(path("data"));
    const shownFor = async (period: string) => {
      const terminal = () => Object.assign(new PassThrough(), { isTTY: true });
      const streams = { stdin: terminal(), stdout: terminal(), stderr: terminal() };
      const words = ["report", period, "--data", path("data"), "--csv"];
      assert.is(await launch(words, { env: {}, streams, stopSignal: () => new Promise(() => undefined) }), 0);
      return { stdout: String(streams.stdout.read()), stderr: String(streams.stderr.read() ?? "") };
    };
    const { stdout, stderr } = await shownFor("2021-06-01..2024-03-02");
    assert.match(stderr, "summing up:   0 %  0 years of 3 years");
    assert.ok(stderr.endsWith("\r\u001b[K"), "the line is gone");
    assert.match(stdout, "app,editor,,3600,0.75,");
    assert.is((await shownFor("2023-06-01..2024-03-02")).stderr, "");
  }));

test("asks the running server of the folder, or the one of --url", () =>
  inside(async ({ start, told }) => {
    const { url, facts } = await start();
    await call(`${url}/api/0/buckets/window`, "POST", BUCKET);
    await call(`${url}/api/0/buckets/window/events`, "POST", EVENTS);
    assert.match(await told(["report", "2024-03-01", "--data", String(facts.data)]), /active 1:20/);
    assert.match(await told(["report", "2024-03-01", "--url", url]), /active 1:20/);
  }));

test.run();
