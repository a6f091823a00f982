// Beats of the tests, and their bucket. Watchers that are killed load no more than this and the client.
import type { NewEvent } from "../../../src/client/index.js";

export const BUCKET_ID = "editor";
export const BUCKET = { type: "app.editor.activity", client: "test", hostname: "box" } as const;
export const PULSETIME = 5;

/** A beat at a second of the day of the tests. */
export function beat(second: number, app: string = "a", duration = 0): NewEvent {
  return { timestamp: at(second), duration, data: { app } };
}

export function at(second: number): string {
  return new Date(Date.UTC(2024, 2, 1, 9) + second * 1000).toISOString();
}

/** A long list of beats that everybody can make: activities of some seconds, and a gap now and then. */
export function nthBeat(n: number): NewEvent {
  const activity = Math.floor(n / 7);
  const gaps = Math.floor(n / 31) * 40;
  return beat(n * 2 + gaps, `app ${activity % 3}`, n % 5 === 0 ? 1 : 0);
}

export function beats(count: number): NewEvent[] {
  return Array.from({ length: count }, (_, n) => nthBeat(n));
}
