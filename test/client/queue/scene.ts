// A queue, a server that fails when it is told to, and a clock that the test moves.
import { memory } from "../../../adapters/memory.js";
import { type ActivityClient, connect, createClient } from "../../../src/client/index.js";
import {
  createHeartbeatQueue,
  type HeartbeatQueue,
  type HeartbeatQueueOptions,
  type HeartbeatQueueWarning,
  type QueueBeat,
} from "../../../src/client/queue/index.js";
import type { JsonObject } from "../../../src/domain/json.js";
import { createActivityServer } from "../../../src/index.js";
import { withoutStrays, withServer } from "../../harness.js";
import { until } from "../../http/client.js";
import { at, BUCKET, BUCKET_ID, PULSETIME } from "./beats.js";

export { at, BUCKET, BUCKET_ID, beat, PULSETIME } from "./beats.js";

/**
 * What happens to a request: `down` = it never arrives, `cut` = it is carried out and its answer is lost, `late` = it is
 * carried out and answered with 502, a number = a status instead of being carried out, a function = another response.
 */
export type Fault = "down" | "cut" | "late" | number | (() => Response);

/** A page in place of an answer, as of a captive portal or a proxy. */
export const page = (status = 200, text = "<html>please log in</html>"): Fault => {
  return () => new Response(text, { status, headers: { "content-type": "text/html" } });
};

/** A request that arrived at the scene, such as `POST heartbeat`. */
export interface Seen {
  readonly what: string;
  readonly fault: Fault | undefined;
}

/** Time that stands still until the test moves it. */
export class HandTime {
  /** Unix milliseconds. */
  now: number = Date.UTC(2024, 2, 1, 9);
  readonly #waiting = new Set<{ readonly until: number; readonly end: () => void }>();

  readonly clock = (): number => this.now;

  readonly wait = (millis: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const waiter = {
        until: this.now + millis,
        end: () => {
          this.#waiting.delete(waiter);
          resolve();
        },
      };
      this.#waiting.add(waiter);
      signal.addEventListener("abort", waiter.end, { once: true });
    });

  /** How long the waits still are that somebody is in, in milliseconds. */
  get waits(): number[] {
    return [...this.#waiting].map((waiter) => waiter.until - this.now);
  }

  advance(millis: number): void {
    this.now += millis;
    for (const waiter of [...this.#waiting]) if (waiter.until <= this.now) waiter.end();
  }
}

/** What a test of a queue works with. */
export interface Scene {
  readonly time: HandTime;
  /** A client that nothing happens to. */
  readonly client: ActivityClient;
  /** A client whose requests meet the faults. */
  readonly faulty: ActivityClient;
  /** Decides what happens to the next requests: given what is asked, such as `POST heartbeat`. */
  fault: (what: string) => Fault | undefined;
  readonly seen: Seen[];
  readonly warnings: HeartbeatQueueWarning[];
  /** Opens a queue, which is closed with the scene. */
  open(options?: Partial<HeartbeatQueueOptions>): HeartbeatQueue;
  /** What the bucket holds, in the order in which it was stored. */
  events(): Promise<PlainEvent[]>;
  /** Waits for so many back-offs, one after the other, and lets each be over. */
  backOffs(count: number): Promise<void>;
  /** Waits until the queue has nothing left. */
  drained(queue: HeartbeatQueue): Promise<void>;
}

/** An event without its id. */
export interface PlainEvent {
  readonly timestamp: string;
  readonly duration: number;
  readonly data: JsonObject;
}

/** An event, as `plainEvents` gives it. */
export function plain(second: number, duration: number, app: string = "a"): PlainEvent {
  return { timestamp: at(second), duration, data: { app } };
}

/** Codes of the warnings so far. */
export const codes = ({ warnings }: Scene): string[] => warnings.map(({ code }) => code);

/** How many heartbeats have arrived. */
export const heartbeats = ({ seen }: Scene): number => seen.filter(({ what }) => what === "POST heartbeat").length;

/** The n-th heartbeat, counted from 0, meets a fault. */
export function faultAt(scene: Scene, n: number, fault: Fault): void {
  let count = 0;
  scene.fault = (what) => (what === "POST heartbeat" && count++ === n ? fault : undefined);
}

/** Runs a test with a server in memory. Afterwards no promise may be left that was rejected unseen. */
export function inScene(body: (scene: Scene) => Promise<void>): Promise<void> {
  return withoutStrays(async () => {
    const server = createActivityServer({ storage: memory(), hostname: "box" });
    const time = new HandTime();
    const queues: HeartbeatQueue[] = [];
    const client = connect(server);
    const scene: Scene = {
      time,
      client,
      faulty: createClient({ url: "http://localhost", fetch: (url, init) => request(scene, url, init) }),
      fault: () => undefined,
      seen: [],
      warnings: [],
      open(options = {}) {
        const queue = createHeartbeatQueue({
          ...{ client: scene.faulty, bucketId: BUCKET_ID, bucket: BUCKET, pulsetime: PULSETIME },
          ...{ clock: time.clock, wait: time.wait, random: () => 1 },
          onWarning: (warning) => scene.warnings.push(warning),
          ...options,
        });
        queues.push(queue);
        return queue;
      },
      events: () => plainEvents(client, BUCKET_ID),
      async backOffs(count) {
        for (let round = 0; round < count; round++) {
          await until(() => time.waits.length > 0, "a back-off");
          time.advance(time.waits[0] ?? 0);
        }
      },
      async drained(queue) {
        await until(() => queue.state.size === 0, "an empty queue");
      },
    };
    try {
      await body(scene);
    } finally {
      for (const queue of queues) await queue.close({ timeoutMillis: 0 });
      await server.close();
    }

    async function request({ fault: faultOf, seen }: Scene, url: string, init: RequestInit): Promise<Response> {
      const what = `${init.method} ${new URL(url).pathname.split("/").at(-1)}`;
      const fault = faultOf(what);
      seen.push({ what, fault });
      init.signal?.throwIfAborted();
      if (fault === "down") throw new TypeError("fetch failed");
      if (typeof fault === "function") return fault();
      if (typeof fault === "number") return Response.json({ message: `scripted ${fault}` }, { status: fault });
      const answer = await server.fetch(new Request(url, init));
      if (fault === "cut") throw new TypeError("terminated");
      return fault === "late" ? Response.json({ message: "bad gateway" }, { status: 502 }) : answer;
    }
  });
}

/** What a bucket holds, in the order in which it was stored. */
export async function plainEvents(client: ActivityClient, bucketId: string): Promise<PlainEvent[]> {
  const events = await client.events.list(bucketId);
  events.sort((one, other) => one.id - other.id);
  return events.map(({ timestamp, duration, data }) => ({
    timestamp: new Date(timestamp).toISOString(),
    duration,
    data,
  }));
}

/** What a server makes of beats that reach it one by one, with nothing in between. */
export async function undisturbed(beats: readonly QueueBeat[], pulsetime: number): Promise<PlainEvent[]> {
  return withServer({ door: "process", hostname: "box" }, async ({ server }) => {
    const client = connect(server);
    await client.buckets.create(BUCKET_ID, BUCKET);
    for (const { timestamp = "", ...event } of beats) {
      await client.heartbeat(BUCKET_ID, { timestamp, ...event }, pulsetime);
    }
    return plainEvents(client, BUCKET_ID);
  });
}
