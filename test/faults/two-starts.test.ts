// long: 900 s
import "./memory-disk.js";
import { existsSync } from "node:fs";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { until } from "../http/client.js";
import { Api } from "./api.js";
import { type Rig, withRig } from "./rig.js";
import { canInject } from "./shim.js";
import { sizeOf } from "./sizes.js";

const test = suite("two starts");

/** How many pairs of servers are started, each pair on another folder. */
const PAIRS = sizeOf("START_PAIRS", { short: 2, long: 40 });
/** How long a force takes, and the file of the first server whose creation starts the second one. */
const RACES: readonly { readonly micros: number; readonly file?: string }[] = [
  { micros: 400_000, file: "db/000002.dbtmp" },
  { micros: 0 },
  { micros: 50_000, file: "db/LOCK" },
  { micros: 400_000, file: "db/LOCK" },
  { micros: 5_000 },
];

if (await canInject()) {
  for (let pair = 0; pair < PAIRS; pair++) {
    const { micros, file } = RACES[pair % RACES.length] as (typeof RACES)[number];
    const isLeftOver = pair % 2 === 1;
    const folder = isLeftOver ? "a folder whose first start was cut off" : "a new folder";
    test(`two servers start at once on ${folder}: one of them runs, and keeps what it acknowledges (${pair})`, () =>
      withRig(async (rig) => {
        if (isLeftOver) await cutOffFirstStart(rig, 1 + (pair % 7));
        await rig.shim.slow(["sync"], micros);
        const first = rig.spawn();
        if (file !== undefined) await until(() => existsSync(`${rig.data}/${file}`), file);
        const servers = [first, rig.spawn()];
        const urls = servers.map((server) =>
          server
            .line((text) => text.includes('"event":"listening"'))
            .then(
              (line): string => JSON.parse(line).url,
              () => undefined,
            ),
        );
        const running = (await Promise.all(urls)).filter((url) => url !== undefined);
        assert.is(running.length, 1, servers.map((server) => JSON.stringify(server.said())).join("\n"));
        await rig.shim.heal();
        const api = new Api(running[0] as string);
        const event = { timestamp: "2026-01-01T00:00:00Z", duration: 0, data: { app: "editor" } };
        const bucket = { client: "test", type: "currentwindow", hostname: "pc" };
        assert.is((await api.request("POST", "buckets/window", bucket))?.status, 200);
        assert.is((await api.request("POST", "buckets/window/events", [event]))?.status, 200);
        for (const server of servers) server.kill("SIGKILL");
        await Promise.all(servers.map(({ ended }) => ended));
        const next = await rig.start();
        assert.is((await next.api.request("GET", "buckets/window/events/count"))?.body, 1);
        await next.kill();
      }));
  }
}

async function cutOffFirstStart({ shim, spawn }: Rig, nth: number): Promise<void> {
  await shim.inject({ operations: ["sync", "syncFolder"], first: nth, times: 1, action: "kill" });
  await spawn().ended;
  await shim.heal();
}

test("this platform was asked what it can", () => {});

test.run();
