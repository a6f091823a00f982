import type { NewEvent } from "../../../src/client/index.js";
import { beat } from "./scene.js";

/** A long list of beats that everybody can make: activities of some seconds, and a gap now and then. */
export function nthBeat(n: number): NewEvent {
  const activity = Math.floor(n / 7);
  const gaps = Math.floor(n / 31) * 40;
  return beat(n * 2 + gaps, `app ${activity % 3}`, n % 5 === 0 ? 1 : 0);
}

export function beats(count: number): NewEvent[] {
  return Array.from({ length: count }, (_, n) => nthBeat(n));
}
