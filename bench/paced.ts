import { setTimeout as pause } from "node:timers/promises";
import { Connection } from "./client/connection.js";
import { createBucket, type LoadedServer } from "./client/load.js";
import { beat, post, setTime } from "./client/request.js";
import { type Measurement, quantile } from "./measure.js";
import { DAYS, desktopProgram, hostilePrograms, MONTH, QUERY_PATH, type Question, unseen } from "./programs.js";

const WATCHERS = 16;
const CLIENTS = 4;
const BEAT_EVERY_MILLIS = 100;
/** In lengths of other measurements: a 99th percentile needs many heartbeats. */
const LENGTHS = 10;

/** What other clients do at the same time. `hostile`: months, and patterns that need endless backtracking. */
export type Pressure = "nothing" | "months" | "days-and-months" | "hostile";

let beatSeconds = 1_750_000_000;
/** Programs are never repeated. */
let number = 1_000_000;

/** Measures how long heartbeats wait that come at a rate, also while other clients query without a pause. */
export async function measurePaced(server: LoadedServer, pressure: Pressure, seconds: number): Promise<Measurement> {
  const { port } = server;
  for (let watcher = 0; watcher < WATCHERS; watcher++) await createBucket(port, `paced-${watcher}`);
  const start = performance.now();
  const until = start + LENGTHS * seconds * 1000;
  const from = beatSeconds;
  beatSeconds += Math.ceil((until - start) / BEAT_EVERY_MILLIS) + 120;
  const waits: number[] = [];
  const counts = { done: 0, refused: 0 };

  async function watch(watcher: number): Promise<void> {
    const connection = await Connection.open(port);
    const request = beat(port, `paced-${watcher}`, `{"app":"app ${watcher}"}`);
    for (let count = 0; ; count++) {
      const due = start + count * BEAT_EVERY_MILLIS + (watcher * BEAT_EVERY_MILLIS) / WATCHERS;
      if (due >= until) break;
      const late = performance.now() > due;
      if (!late) await pause(due - performance.now());
      setTime(request, from + count);
      // If the last response is late, the next heartbeat waits as well.
      const sentAt = late && count > 0 ? due : performance.now();
      await connection.exchange(request.bytes);
      waits.push(performance.now() - sentAt);
    }
    connection.close();
  }

  async function ask(questions: readonly Question[], first: number): Promise<void> {
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

  const cpuBefore = server.cpu();
  if (server.isWatched) await server.ask("watch");
  // Each client starts with another question.
  const queries = questionsOf(pressure).flatMap(({ questions, clients }) =>
    Array.from({ length: clients }, (_, client) => ask(questions, 7 * client)),
  );
  await Promise.all(Array.from({ length: WATCHERS }, (_, watcher) => watch(watcher)));
  const took = (performance.now() - start) / 1000;
  const watched = server.isWatched ? await server.ask<Record<string, number>>("watched") : {};
  const cpu = server.cpu() - cpuBefore;
  await Promise.all(queries);
  waits.sort((a, b) => a - b);
  return {
    rate: waits.length / took,
    cpuMicros: cpu / waits.length,
    p50Millis: quantile(waits, 0.5),
    p99Millis: quantile(waits, 0.99),
    notes: { "max ms": waits.at(-1) ?? Number.NaN, ...(pressure !== "nothing" && counts), ...watched },
  };
}

function questionsOf(pressure: Pressure): { readonly questions: readonly Question[]; readonly clients: number }[] {
  const query = desktopProgram(false);
  const month: Question = { timeperiods: MONTH, query };
  if (pressure === "nothing") return [];
  if (pressure === "days-and-months") {
    return [{ questions: DAYS.flatMap((day) => [{ timeperiods: [day], query }, month]), clients: CLIENTS }];
  }
  const hostile = hostilePrograms().map((program) => ({ timeperiods: MONTH, query: program }));
  const months = { questions: [month], clients: CLIENTS };
  return pressure === "hostile" ? [months, { questions: hostile, clients: 1 }] : [months];
}
