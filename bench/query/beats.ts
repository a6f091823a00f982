import { setTimeout as pause } from "node:timers/promises";
import type { Bench, Summary } from "../bench.js";
import type { Watched } from "../children.js";
import { Connection } from "../client/connection.js";
import { BEAT_TIME, beat, post, setTime } from "../client/request.js";
import { createBucket, watchNotes } from "../servers.js";
import { QUERY_PATH, type QueryServer, summary } from "./measure.js";
import { DAYS, desktopProgram, hostilePrograms, MONTH, type Question, unseen } from "./programs.js";

const WATCHERS = 16;
const CLIENTS = 4;
const BEAT_EVERY_MILLIS = 100;
/** Lengths of a measurement: what comes once in a hundred beats needs many of them. */
const STRETCH = 18;
const FIRST_BEAT_SECONDS = 1_750_000_000;

/** What runs beside the beats. */
export type Pressure = "nothing" | "months" | "days-and-months" | "hostile";

/** How long heartbeats wait while others query without pause. */
export async function measureBeats(bench: Bench, server: QueryServer, pressure: Pressure): Promise<void> {
  const seconds = bench.seconds * STRETCH;
  for (let watcher = 0; watcher < WATCHERS; watcher++)
    await createBucket(server.child.port, `beats-${pressure}-${watcher}`);
  const floor = await run(server, { seconds, pressure: "nothing", bucket: pressure });
  const ours = pressure === "nothing" ? floor : await run(server, { seconds, pressure, bucket: pressure });
  const facts = { via: "http", storage: server.storage, connections: WATCHERS, unit: "beats/s" } as const;
  bench.report({
    id: `query/beats/${pressure}`,
    workload: `heartbeats beside ${pressure}`,
    ...facts,
    ours: { ...ours, notes: { ...ours.notes, "p99 alone ms": floor.p99Millis } },
    floor,
    ratio: (100 * ours.rate) / floor.rate,
  });
}

interface Run {
  readonly seconds: number;
  readonly pressure: Pressure;
  /** Beginning of the names of the buckets that take the beats, less the number of the watcher. */
  readonly bucket: string;
}

let number = 1_000_000;

async function run({ child }: QueryServer, { seconds, pressure, bucket }: Run): Promise<Summary> {
  const { port } = child;
  const start = performance.now();
  const until = start + seconds * 1000;
  const waits: number[] = [];
  const counts = { done: 0, refused: 0 };
  const query = desktopProgram(false);
  const month: Question = { timeperiods: MONTH, query };
  const daysAndMonths = DAYS.flatMap((day) => [{ timeperiods: [day], query }, month]);

  async function watch(watcher: number): Promise<void> {
    const connection = await Connection.open(port);
    const body = `{"timestamp":"${BEAT_TIME}.500000+00:00","duration":0,"data":{"app":"app ${watcher}"}}`;
    const request = beat(post(port, `/api/0/buckets/beats-${bucket}-${watcher}/heartbeat?pulsetime=60`, body));
    for (let count = 0; ; count++) {
      const due = start + count * BEAT_EVERY_MILLIS + (watcher * BEAT_EVERY_MILLIS) / WATCHERS;
      if (due >= until) break;
      const late = performance.now() > due;
      if (!late) await pause(due - performance.now());
      setTime(request, FIRST_BEAT_SECONDS + count);
      // A watcher that still waits for its last answer at the time of the next beat waits for this one as well.
      const from = late && count > 0 ? due : performance.now();
      await connection.exchange(request.bytes);
      waits.push(performance.now() - from);
    }
    connection.close();
  }

  async function ask(questions: readonly Question[], first = 0): Promise<void> {
    const connection = await Connection.open(port);
    for (let turn = first; performance.now() < until; turn++) {
      const question = questions[turn % questions.length] as Question;
      await connection.exchange(post(port, QUERY_PATH, JSON.stringify(unseen(question, number++)))).then(
        () => counts.done++,
        () => counts.refused++,
      );
    }
    connection.close();
  }

  const cpuBefore = await child.cpu();
  await child.ask("watch");
  const clients: Promise<void>[] = [];
  const asked = pressure === "days-and-months" ? daysAndMonths : [month];
  // Each client begins at another question.
  if (pressure !== "nothing") for (let client = 0; client < CLIENTS; client++) clients.push(ask(asked, 7 * client));
  const hostile = hostilePrograms().map((program) => ({ timeperiods: MONTH, query: program }));
  if (pressure === "hostile") clients.push(ask(hostile));
  await Promise.all(Array.from({ length: WATCHERS }, (_, watcher) => watch(watcher)));
  const watched = watchNotes(await child.ask<Watched>("watched"));
  const cpu = (await child.cpu()) - cpuBefore;
  await Promise.all(clients);
  return {
    ...summary(waits, cpu / waits.length, { "max ms": Math.max(...waits), ...counts, ...watched }),
    rate: waits.length / seconds,
    rates: [waits.length / seconds],
  };
}
