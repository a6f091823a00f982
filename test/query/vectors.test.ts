// long: 300 s
// Plays the recorded query cases over HTTP, on every storage in the long tests, each file on a server that has only its
// buckets.

import { createStorage } from "unstorage";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { unstorage } from "../../adapters/unstorage/index.js";
import type { ActivityServer, Storage } from "../../src/index.js";
import { checkedFetch } from "../api/answer-check.js";
import { IS_LONG, sampleOf, sizeOf } from "../faults/sizes.js";
import { withServer } from "../harness.js";
import { ADAPTERS, json } from "../http/client.js";
import { postgresGround } from "../postgres/ground.js";
import { type Answer, answerDifference, loadQueryFiles, type QueryCase, type QueryFile } from "./vectors.js";

const test = suite("recorded query cases");

type Play = (storage: Storage) => Promise<void>;

const FILES = loadQueryFiles();
const MAX_SHOWN = 8;
/** Of a file this many cases are played over a socket, too. */
const OVER_SOCKET = sizeOf("OVER_SOCKET", { short: 2, long: 4 });

/** How a case reaches a server. */
type Send = (path: string, body: unknown) => Promise<Answer>;

async function fill(send: Send, { buckets }: QueryFile): Promise<void> {
  for (const { id, events, ...bucket } of buckets) {
    const place = `/api/0/buckets/${encodeURIComponent(id)}`;
    assert.is((await send(place, bucket)).status, 200, id);
    if (events.length > 0) assert.is((await send(`${place}/events`, events)).status, 200, id);
  }
}

/** The cases that are not answered as recorded. */
async function faultsOf(send: Send, cases: readonly QueryCase[]): Promise<string[]> {
  const faults: string[] = [];
  for (const { name, tier, timeperiods, query, unordered, expect } of cases) {
    const answer = await send("/api/0/query/", { timeperiods, query });
    const found = answerDifference(expect.target, answer, unordered);
    if (found !== undefined) faults.push(`${name} (tier ${tier}): ${found}`);
  }
  return faults;
}

function refuse(faults: readonly string[]): void {
  if (faults.length === 0) return;
  const hidden = faults.length - MAX_SHOWN;
  assert.unreachable([...faults.slice(0, MAX_SHOWN), ...(hidden > 0 ? [`and ${hidden} more`] : [])].join("\n    "));
}

function inProcess(server: ActivityServer): Send {
  return async (path, body) => {
    const headers = { "Content-Type": "application/json" };
    const request = new Request(`http://127.0.0.1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    const response = await checkedFetch(request, undefined, server.fetch);
    return { status: response.status, body: await response.text() };
  };
}

const postgres = IS_LONG ? await postgresGround() : undefined;
const STORAGES: typeof ADAPTERS = {
  ...ADAPTERS,
  ...(IS_LONG && { unstorage: (body: Play) => body(unstorage({ storage: createStorage() })) }),
  ...(postgres && { postgres: (body: Play) => body(postgres.open(postgres.newNamespace())) }),
};

for (const [adapter, withStorage] of Object.entries(STORAGES)) {
  // Numbers and words are the same wherever events come from.
  for (const file of adapter === "memory" ? FILES : sampleOf(FILES, 6)) {
    test(`${file.name}: all ${file.cases.length} cases are answered as recorded on ${adapter}`, () =>
      withStorage(async (storage) => {
        await withServer({ door: "process", storage }, async ({ server }) => {
          const send = inProcess(server);
          await fill(send, file);
          refuse(await faultsOf(send, file.cases));
        });
      }));
  }
}

test("a few cases of files are answered as recorded over a socket", async () => {
  for (const file of sampleOf(FILES, 3)) {
    await withServer({}, async ({ send }) => {
      const post: Send = async (path, body) => {
        const answer = await send("POST", path, body);
        return { status: answer.status, body: answer.body.toString() };
      };
      await fill(post, file);
      const step = Math.ceil(file.cases.length / OVER_SOCKET);
      refuse(
        (
          await faultsOf(
            post,
            file.cases.filter((_, index) => index % step === 0),
          )
        ).map((fault) => `${file.name} ${fault}`),
      );
    });
  }
});

test("a program is answered in process as over HTTP", async () => {
  const file = FILES.find(({ name }) => name.startsWith("19-")) as QueryFile;
  await withServer({}, async ({ server, send }) => {
    await fill(inProcess(server), file);
    for (const { name, timeperiods, query } of file.cases) {
      const answer = json(await send("POST", "/api/0/query", { timeperiods, query }));
      assert.equal(await server.query({ timeperiods, query }), answer, name);
    }
  });
});

test("the connections of the cases end, if there were any", async () => {
  if (IS_LONG && postgres === undefined) assert.is(process.env["CI"], undefined);
  await postgres?.finish();
});

test.run();
