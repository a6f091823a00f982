// One try to get one event to the server.
import { sameJson } from "../../domain/json.js";
import { parseTimestamp, secondsToMicros, serializeTimestamp } from "../../domain/time.js";
import type { ClientEvent } from "../client-types.js";
import { isActivityClientError, isTransient } from "../errors.js";
import { serializeBeat, type WireBeat } from "./beat.js";
import type { CheckedOptions } from "./options.js";
import type { Group } from "./pending.js";

/** How a try ended. */
export type Outcome =
  /** The server has the event; `wasStored` = it had it before this try. */
  | { readonly kind: "done"; readonly wasStored: boolean }
  /** The server will never take it. */
  | { readonly kind: "refused"; readonly error: unknown }
  /** The server does not respond, or not now. */
  | { readonly kind: "unreachable"; readonly error: unknown }
  /** The server, or what stands before it, refuses whatever comes: somebody has to mend key, URL or bucket. */
  | { readonly kind: "unauthorized"; readonly error: unknown };

/** The way of a queue to its bucket. */
export class Delivery {
  /**
   * Id of the event that the last heartbeat has made or extended; 0 = unknown. Ids grow, so whatever is stored
   * afterwards has this one or a greater one.
   */
  eventId: number;
  readonly #options: CheckedOptions;
  #isEnsured = false;

  constructor(options: CheckedOptions, eventId: number) {
    this.#options = options;
    this.eventId = eventId;
  }

  /** Tries once. Never rejects. @param signal ends the try, which then counts as unreachable */
  async attempt(group: Group, signal: AbortSignal): Promise<Outcome> {
    const outcome = await this.#attempt(group, signal);
    if (outcome !== "no bucket") return outcome;
    // Deleted, or a fresh server: it is made again, but not in turns with somebody who deletes it.
    const second = await this.#attempt(group, signal);
    return second === "no bucket" ? { kind: "unauthorized", error: new Error("the bucket is gone") } : second;
  }

  async #attempt(group: Group, signal: AbortSignal): Promise<Outcome | "no bucket"> {
    const { client, bucketId, bucket } = this.#options;
    let prepared: Prepared;
    try {
      prepared = prepare(group);
    } catch (error) {
      return { kind: "refused", error };
    }
    try {
      if (!this.#isEnsured) {
        const isNew = await client.buckets.create(bucketId, bucket, { signal });
        if (isNew) this.#forget(group);
        this.#isEnsured = true;
      }
    } catch (error) {
      return { kind: isLasting(error) ? "unauthorized" : "unreachable", error };
    }
    try {
      if (group.inDoubt && (await this.#isStored(prepared, signal))) return { kind: "done", wasStored: true };
    } catch (error) {
      if (statusOf(error) === 404) return this.#noBucket();
      // Who may report but not read goes on without having looked: then the server's rule of merging has to do.
      if (!isLasting(error)) return { kind: "unreachable", error };
    }
    return this.#send(prepared, signal);
  }

  async #send({ group, beat }: Prepared, signal: AbortSignal): Promise<Outcome | "no bucket"> {
    const { client, bucketId, pulsetime } = this.#options;
    try {
      const { id } = await client.heartbeat(bucketId, beat, pulsetime, { signal });
      // A privacy rule of the server dropped it: that is as far as it was to get.
      if (id === null) return { kind: "done", wasStored: false };
      if (!Number.isSafeInteger(id) || id < 1) throw new Error(`the response has no id of an event: ${id}`);
      this.eventId = id;
      return { kind: "done", wasStored: false };
    } catch (error) {
      const status = statusOf(error);
      if (status === 404) return this.#noBucket();
      if (isAboutEvent(error)) return { kind: "refused", error };
      if (isLasting(error)) return { kind: "unauthorized", error };
      // The request may have been carried out, and only its response be lost.
      group.inDoubt = true;
      return { kind: "unreachable", error };
    }
  }

  /**
   * Looks whether the server has carried out a request without a response. Sending it again would mostly be harmless,
   * since it merges into the event that it has made; but not when that is no longer the one that the server compares
   * with: behind a restart for beats out of order, or when somebody else has written.
   */
  async #isStored({ group, range }: Prepared, signal: AbortSignal): Promise<boolean> {
    const { client, bucketId } = this.#options;
    const found = await client.events.list(bucketId, range, { signal, retries: 0 });
    const ids = found.filter((event) => event.id >= this.eventId && covers(event, group)).map(({ id }) => id);
    group.inDoubt = false;
    if (ids.length === 0) return false;
    // The oldest of them: the same may have come again at once, and is in doubt then, too.
    this.eventId = ids.reduce((least, id) => Math.min(least, id));
    return true;
  }

  #noBucket(): "no bucket" {
    this.#isEnsured = false;
    return "no bucket";
  }

  /** A new bucket is empty, and may belong to a server that counts its ids anew. */
  #forget(group: Group): void {
    this.eventId = 0;
    group.inDoubt = false;
  }
}

/** A group in the forms of requests. */
interface Prepared {
  readonly group: Group;
  readonly beat: WireBeat;
  readonly range: { readonly start: string; readonly end: string };
}

/** @throws RangeError for a time that cannot be serialized */
function prepare(group: Group): Prepared {
  const { timestamp, duration } = group.event;
  const range = { start: serializeTimestamp(timestamp), end: serializeTimestamp(timestamp + duration) };
  return { group, beat: serializeBeat(group.event), range };
}

/** Whether an event, which may be cut to the time of the group, says all that the group says. */
function covers({ timestamp, duration, data }: ClientEvent, { event }: Group): boolean {
  const start = parseTimestamp(timestamp);
  if (start === undefined || start > event.timestamp) return false;
  return start + secondsToMicros(duration) >= event.timestamp + event.duration && sameJson(data, event.data);
}

/** Status of an error response of this API; `undefined` for what a proxy or a captive portal says in its place. */
function statusOf(error: unknown): number | undefined {
  const isGenuine = isActivityClientError(error) && error.code === "REFUSED" && error.serverMessage !== undefined;
  return isGenuine ? error.status : undefined;
}

/** A response that will be the same next time. */
function isLasting(error: unknown): boolean {
  const status = statusOf(error);
  return status !== undefined && status < 500 && !isTransient(error);
}

/** Statuses that say something about what was sent, and not about who sends it, or where to. */
const ABOUT_EVENTS: readonly (number | undefined)[] = [400, 413, 415, 422];

/**
 * Whether an event is refused for itself: the next one may be welcome. Anything else is a mistake that somebody can
 * mend, and no reason to throw events away.
 */
function isAboutEvent(error: unknown): boolean {
  if (!isActivityClientError(error)) return false;
  // No request can be made of it at all.
  if (error.code === "INVALID_INPUT") return true;
  // A hook of the server refuses this one event; its status is that of a key that may not write.
  return ABOUT_EVENTS.includes(statusOf(error)) || (error.serverType === "Vetoed" && !isTransient(error));
}
