import { Connection, type Outgoing } from "../client/connection.js";
import { get, post } from "../client/request.js";
import { MICROS_PER_DAY, seededRandom } from "../data.js";
import { desktopProgram, IDLE_BUCKET, QUERY_PATH, unseen, WINDOW_BUCKET } from "../programs.js";
import { dayOf, isoOf, otherBucket, SETS, type SetName } from "./watchers.js";

const program = desktopProgram(false);
const MONTH_DAYS = 30;

export interface Readings {
  readonly set: SetName;
  readonly clients: number;
  /** Stretches all numbers of requests, which are for 0.8. */
  readonly seconds: number;
}

/** Reads everything in a set. The clients share the requests; each has one in progress. */
export async function readAll(port: number, { set, clients, seconds }: Readings): Promise<void> {
  const requests = readings(port, set, seconds / 0.8);
  await Promise.all(
    Array.from({ length: clients }, async () => {
      const connection = await Connection.open(port);
      for (const request of requests) await connection.exchange(request);
      connection.close();
    }),
  );
}

/** Reads and queries 99 days of the set `200k`, queries three months and exports 200,000 events three times. */
export async function readDays(port: number): Promise<void> {
  const connection = await Connection.open(port);
  const span = (from: number, length: number): readonly [start: string, end: string] => {
    const start = dayOf("200k", from);
    return [isoOf(start), isoOf(start + length * MICROS_PER_DAY - 1_000_000)];
  };
  const query = (from: number, length: number): Promise<unknown> =>
    connection.exchange(
      post(port, QUERY_PATH, JSON.stringify({ timeperiods: [span(from, length).join("/")], query: program })),
    );
  for (let day = 0; day < 99; day++) {
    const [start, end] = span(day, 1).map(encodeURIComponent);
    await connection.exchange(get(port, `/api/0/buckets/${WINDOW_BUCKET}/events?start=${start}&end=${end}`));
    await query(day, 1);
  }
  for (const month of [0, 1, 2]) await query(month * MONTH_DAYS, MONTH_DAYS);
  for (let turn = 0; turn < 3; turn++) await connection.exchange(get(port, `/api/0/buckets/${WINDOW_BUCKET}/export`));
  connection.close();
}

/** A generator, so that each client gets requests that no other client gets. */
function* readings(port: number, set: SetName, stretch: number): Generator<Outgoing, undefined> {
  const random = seededRandom(11);
  const { days, otherMachines } = SETS[set];
  const events = `/api/0/buckets/${WINDOW_BUCKET}/events`;
  const span = (length: number): string => {
    const start = dayOf(set, Math.floor(random() * (days - length + 1)));
    return `${isoOf(start)}/${isoOf(start + length * MICROS_PER_DAY - 1_000_000)}`;
  };
  const query = (number: number, length: number): Outgoing =>
    post(port, QUERY_PATH, JSON.stringify(unseen({ timeperiods: [span(length)], query: program }, number)));
  const times = (count: number): number[] => Array.from({ length: Math.ceil(count * stretch) }, (_, index) => index);

  for (const limit of [1, 100, 1000]) for (const _ of times(50)) yield get(port, `${events}?limit=${limit}`);
  for (const _ of times(1000)) {
    const [start, end] = span(1).split("/").map(encodeURIComponent);
    yield get(port, `${events}?start=${start}&end=${end}`);
  }
  yield get(port, `${events}/count`);
  for (const number of times(200)) yield query(number, 1);
  for (const number of times(60)) yield query(1000 + number, MONTH_DAYS);
  for (const number of times(4)) yield query(2000 + number, Math.min(365, days));
  for (const _ of times(2)) yield get(port, `/api/0/buckets/${IDLE_BUCKET}/export`);
  const exported = otherMachines > 0 ? otherBucket(1) : WINDOW_BUCKET;
  for (const _ of times(4)) yield get(port, `/api/0/buckets/${exported}/export`);
}
