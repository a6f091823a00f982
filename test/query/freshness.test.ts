// Answers are kept and given again; nobody may notice, other than by the time that it takes.
// long: 300 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import type { ActivityServer, DurationInput, TimeperiodInput } from "../../src/index.js";
import { intOf, randomOf } from "../contract/case.js";
import { sizeOf } from "../faults/sizes.js";
import { BUCKET, withServer } from "../harness.js";
import { ADAPTERS } from "../http/client.js";
import { pick } from "./programs.js";

const test = suite("answers after writes");

const STEPS = sizeOf("FRESHNESS_STEPS", { short: 40, long: 80 });
const IDS = ["window_box", "window_desk", "afk_box"];
const PERIODS: readonly TimeperiodInput[] = ["2024-03-01/2024-03-02", "2024-03-01T10:00:00Z/2024-03-01T10:01:00Z"];
const PROGRAMS: readonly string[] = [
  ...IDS.map((id) => `RETURN = query_bucket("${id}");`),
  'RETURN = [query_bucket_eventcount("window_box"), sum_durations(flood(query_bucket("window_desk")))];',
  "RETURN = query_bucket_names();",
  'RETURN = find_bucket("window_", "box");',
  'RETURN = query_bucket(find_bucket("window"));',
  'RETURN = categorize(query_bucket("window_box"), [[["A"], {"regex": "a"}]]);',
];

/** Something that writes, whatever the state is. */
type Write = (server: ActivityServer, random: () => number) => Promise<unknown>;

const timeOf = (random: () => number): string =>
  new Date(Date.UTC(2024, 2, 1, 10, 0, intOf(random, 0, 120))).toISOString();

function eventOf(random: () => number): { timestamp: string; duration: DurationInput; data: { app: string } } {
  return {
    timestamp: timeOf(random),
    duration: { seconds: intOf(random, 0, 20) },
    data: { app: pick(random, ["a", "b"]) },
  };
}

const WRITES: readonly Write[] = [
  (server, random) => server.events.insert(pick(random, IDS), eventOf(random)),
  (server, random) => server.events.insert(pick(random, IDS), [eventOf(random), eventOf(random)]),
  (server, random) => server.heartbeat(pick(random, IDS), eventOf(random), "30s"),
  (server, random) => server.events.delete(pick(random, IDS), intOf(random, 1, 40)),
  async (server, random) => {
    const id = pick(random, IDS);
    const [event] = await server.events.read(id).toArray();
    if (event !== undefined) await server.events.insert(id, { ...eventOf(random), id: event.id });
  },
  (server, random) => server.buckets.create(pick(random, IDS), BUCKET, [eventOf(random)]),
  (server, random) => server.buckets.update(pick(random, IDS), { hostname: pick(random, ["box", "desk"]) }),
  (server, random) => server.buckets.delete(pick(random, IDS)),
  async (server, random) => {
    const id = pick(random, IDS);
    return server.import({ buckets: { [id]: { id, created: timeOf(random), ...BUCKET, events: [eventOf(random)] } } });
  },
];

/** The answer, or what kind of mistake it was. */
async function outcomeOf(server: ActivityServer, query: string, period: TimeperiodInput): Promise<string> {
  try {
    return JSON.stringify(await server.query({ timeperiods: [period], query }));
  } catch (thrown) {
    return String((thrown as { type?: string }).type);
  }
}

/** The adapters, and one whose versions have to be waited for. */
const STORAGES: typeof ADAPTERS = {
  ...ADAPTERS,
  "memory from afar": (body) => {
    const inner = memory();
    return body({ ...inner, versions: async (ids) => (await inner.versions?.(ids)) ?? [] });
  },
};

for (const [adapter, withStorage] of Object.entries(STORAGES)) {
  test(`after each write a program that was asked before sees the same as one that was not, on ${adapter}`, () =>
    withStorage(async (storage) => {
      await withServer({ door: "process", storage }, async ({ server }) => {
        const random = randomOf(7);
        for (const id of IDS) await server.buckets.create(id, BUCKET);
        for (let step = 0; step < STEPS; step++) {
          const write = pick(random, WRITES);
          await write(server, random).catch((error) => assert.is(error.code, "NO_SUCH_BUCKET", String(error)));
          for (const program of PROGRAMS) {
            for (const period of PERIODS) {
              const asked = await outcomeOf(server, program, period);
              const other = await outcomeOf(server, `${program} # ${step}`, period);
              assert.is(asked, other, `step ${step}: ${program}`);
            }
          }
        }
      });
    }));

  test(`a query that runs during writes leaves nothing outdated behind, on ${adapter}`, () =>
    withStorage(async (storage) => {
      await withServer({ door: "process", storage }, async ({ server }) => {
        const random = randomOf(8);
        const program = PROGRAMS[0] as string;
        const period = PERIODS[0] as TimeperiodInput;
        await server.buckets.create("window_box", BUCKET);
        for (let step = 0; step < STEPS; step++) {
          const during = [1, 2, 3].map(() => outcomeOf(server, program, period));
          const write = server.events.insert("window_box", eventOf(random));
          during.push(outcomeOf(server, program, period));
          await write;
          const behind = await outcomeOf(server, program, period);
          await Promise.all(during);
          assert.is(behind, await outcomeOf(server, `${program} # ${step}`, period), `step ${step}`);
          assert.is(await outcomeOf(server, program, period), behind, `step ${step}, when all have ended`);
        }
      });
    }));
}

test("the name, the period and the zone in which it was sent are told apart", () =>
  ADAPTERS["memory"]?.(async (storage) => {
    await withServer({ door: "process", storage }, async ({ server }) => {
      const query = "RETURN = [NAME, STARTTIME, ENDTIME];";
      const seen: unknown[] = [];
      for (const name of ["", "a", "b"]) {
        for (const period of [
          "2024-03-01T00:00:00Z/2024-03-02T00:00:00Z",
          "2024-03-01T01:00:00+01:00/2024-03-02T00:00:00Z",
          "2024-03-01T00:00:00Z/2024-03-01T19:00:00-05:00",
          "2024-03-01T00:00:00Z/2024-03-02T00:00:00.000001Z",
        ]) {
          seen.push(JSON.stringify(await server.query({ timeperiods: [period], query, name })));
        }
      }
      assert.is(new Set(seen).size, 12);
    });
  }) ?? assert.unreachable());

test.run();
