import type { Bench } from "../bench.js";
import { type Insides, measureInside, withPlaces } from "../inside.js";
import { type Entrant, hold } from "../rounds.js";
import { type LoadedServer, measureHttp } from "../servers.js";
import { beatClock, beatRequests, createBeatBuckets } from "../workloads/heartbeats.js";
import { withNodes } from "./nodes.js";

const KINDS = ["merge", "insert"] as const;
const VIAS = ["storage", "http"] as const;
const CALLERS = 64;
const FIRST_BEAT_SECONDS = 1_750_000_000;

interface Choice {
  readonly id: string;
  readonly kind: (typeof KINDS)[number];
  readonly via: (typeof VIAS)[number];
}

/** Heartbeats of 64 watchers, against an UPDATE for each of them. */
export async function beats(bench: Bench, url: string): Promise<void> {
  const all = KINDS.flatMap((kind) => VIAS.map((via) => ({ id: `postgres/${kind}/${via}/${CALLERS}`, kind, via })));
  const choices = all.filter(({ id }) => bench.wants(id));
  if (choices.length === 0) return;
  const places = new Map([
    ["postgres", url],
    ["postgres floor", url],
  ] as const);
  await withPlaces(places, bench, (insides) =>
    withNodes(bench, url, "beats", 1, async ([node]) => {
      await createBeatBuckets(node.port);
      for (const choice of choices) await holdOne(bench, insides, node, choice);
    }),
  );
}

async function holdOne(bench: Bench, insides: Insides, node: LoadedServer, { id, kind, via }: Choice): Promise<void> {
  const [ours, floor] = [insides.get("postgres"), insides.get("postgres floor")];
  if (ours === undefined || floor === undefined) return;
  const argument = {
    kind,
    callers: CALLERS,
    buckets: 0,
    data: bench.sample().distinct,
    firstSeconds: FIRST_BEAT_SECONDS,
  };
  const run = { operation: "heartbeat", argument, callers: CALLERS, seconds: bench.seconds };
  const next = beatRequests(node.port, bench.sample(), { kind, connections: CALLERS }, beatClock());
  const entrants = new Map<string, Entrant>([
    ["floor", () => measureInside(floor, run)],
    [
      "postgres",
      via === "storage"
        ? () => measureInside(ours, run)
        : () => measureHttp(node, { connections: CALLERS, seconds: bench.seconds, next }),
    ],
  ]);
  const workload = `heartbeat ${kind}, floor: an UPDATE each`;
  await hold(bench, { id, workload, via, connections: CALLERS, unit: "req/s", entrants });
}
