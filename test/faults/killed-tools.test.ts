// long: 600 s
// Tools that are killed while they write: a run of any of them some minutes later removes what they have left.
import "./memory-disk.js";
import { readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { until } from "../adapters/until.js";
import { type Rig, withRig } from "./rig.js";
import { canInject } from "./shim.js";
import { rotatingSampleOf, sizeOf } from "./sizes.js";

const test = suite("killed tools");

/** At which of their operations tools are killed. */
const KILLS = sizeOf("TOOL_KILLS", { short: 1, long: 12 });
const KEY = "5a".repeat(32);

/** A tool and its arguments: `{}` stands for a name that no other run has. */
const TOOLS: readonly (readonly string[])[] = [
  ["backup", "--to", "{}"],
  ["restore", "backup.jsonl", "--data", "{}"],
  ["encrypt", "--to", "{}", "--new-key-file", "key"],
  ["salvage", "--to", "{}"],
];

if (await canInject()) {
  for (const [index, tool] of rotatingSampleOf([...TOOLS.entries()], TOOLS.length)) {
    test(`${tool[0]} is killed: the next run removes what it has left`, () =>
      withTools(async (rig, run) => {
        for (let nth = 1; nth <= KILLS; nth++) {
          await rig.shim.inject({ operations: ["write"], first: nth * 3, times: 1, action: "kill", path: ".partial" });
          const killed = await run(tool).ended;
          await rig.shim.heal();
          if (killed.signal === null) assert.ok(nth > 1, "it was not killed");
          else assert.ok((await partialsIn(rig)).length > 0, "nothing was left");
          await age(rig);
          const next = await run(TOOLS[(index + nth - 1) % TOOLS.length] as readonly string[]).ended;
          assert.is(next.code, 0, next.stderr);
          assert.equal(await partialsIn(rig), []);
        }
      }));
  }

  test("what another tool is writing stays, and so do the files of others", () =>
    withTools(async (rig, run) => {
      const backup = TOOLS[0] as readonly string[];
      const dayAgo = new Date(Date.now() - 25 * 60 * 60 * 1000);
      const uuid = "0f8fad5b-d9cb-469f-a165-70867728950e";
      const files = {
        recent: `old.gz.${uuid}.partial`,
        abandoned: `older.gz.${uuid}.partial`,
        foreign: "thesis.partial",
      };
      for (const name of Object.values(files)) await writeFile(join(rig.disk, name), "");
      for (const name of [files.abandoned, files.foreign]) await utimes(join(rig.disk, name), dayAgo, dayAgo);
      await rig.shim.slow(["write", "sync"], 300_000);
      const slow = run(backup);
      let made: string | undefined;
      const isMade = async (): Promise<boolean> => {
        made = (await partialsIn(rig)).find((name) => !Object.values(files).includes(name));
        return made !== undefined;
      };
      await until(isMade, () => "what the backup writes");
      await rig.shim.heal();
      process.kill(slow.pid, "SIGSTOP");
      // The data folder is in use.
      const next = await run(TOOLS[1] as readonly string[]).ended;
      assert.is(next.code, 0, next.stderr);
      assert.equal(await partialsIn(rig), [made, files.recent, files.foreign].sort());
      process.kill(slow.pid, "SIGCONT");
      assert.is((await slow.ended).code, 0);
      assert.equal(await partialsIn(rig), [files.recent, files.foreign].sort());
    }));
}

type Run = (tool: readonly string[]) => ReturnType<Rig["spawn"]>;

/** A data folder with events, and what runs tools on it; all names are in the folder that is the disk. */
function withTools(body: (rig: Rig, run: Run) => Promise<void>): Promise<void> {
  return withRig(async (rig) => {
    const server = await rig.startPlain();
    const events = Array.from({ length: 500 }, (_, n) => {
      return { timestamp: new Date(1.7e12 + 1e6 * n).toISOString(), duration: 1, data: { title: `${n}`.repeat(100) } };
    });
    await server.api.request("POST", "buckets/window", { client: "test", type: "currentwindow", hostname: "pc" });
    assert.is((await server.api.request("POST", "buckets/window/events", events))?.status, 200);
    await server.stop();
    await writeFile(join(rig.disk, "key"), KEY, { mode: 0o600 });
    let runs = 0;
    const run: Run = (tool) => {
      const name = `out-${++runs}`;
      const words = tool.map((word) => (word === "{}" ? name : word));
      const inDisk = words.map((word) =>
        word === name || /^(key|backup\.jsonl)$/.test(word) ? join(rig.disk, word) : word,
      );
      const data = words.includes("--data") ? [] : ["--data", rig.data];
      return rig.workshop.spawn([...inDisk, ...data], rig.shim.env);
    };
    const made = await rig.workshop.run(["backup", "--to", join(rig.disk, "backup.jsonl"), "--data", rig.data]);
    assert.is(made.code, 0, made.stderr);
    await body(rig, run);
  });
}

/** Makes what is left look as if it was left some minutes ago: containers may hide processes that still run. */
async function age(rig: Rig): Promise<void> {
  const before = new Date(Date.now() - 15 * 60 * 1000);
  for (const name of await readdir(rig.disk, { recursive: true })) {
    if (/\.partial/.test(name)) await utimes(join(rig.disk, name), before, before);
  }
}

async function partialsIn(rig: Rig): Promise<string[]> {
  return (await readdir(rig.disk)).filter((name) => /\.partial/.test(name)).sort();
}

test("this platform was asked what it can", () => {});

test.run();
