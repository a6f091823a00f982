// One attempt to send one event.
import { sameJson } from "../../domain/json.js";
import { parseTimestamp, secondsToMicros, serializeTimestamp } from "../../domain/time.js";
import type { ClientEvent } from "../client-types.js";
import { isActivityClientError, isTransient } from "../errors.js";
import { serializeBeat, type WireBeat } from "./beat.js";
import type { CheckedOptions } from "./options.js";
import type { Group } from "./pending.js";

export type Outcome =
  /** The server has the event; `wasStored` = it had it before this attempt. */
  | { readonly kind: "done"; readonly wasStored: boolean }
  /** The server will never take it. */
  | { readonly kind: "refused"; readonly error: unknown }
  /** The server does not respond, or is temporarily unable to. */
  | { readonly kind: "unreachable"; readonly error: unknown }
  /** The server or a proxy refuses every event: the key, URL or bucket needs a fix. */
  | { readonly kind: "unauthorized"; readonly error: unknown };

export class Delivery {
  /**
   * ID of the event that the last heartbeat created or extended; 0 = unknown. IDs grow, so later events have this one
   * or a greater one.
   */
  eventId: number;
  readonly #options: CheckedOptions;
  #isEnsured = false;

  constructor(options: CheckedOptions, eventId: number) {
    this.#options = options;
    this.eventId = eventId;
  }

  /** Makes one attempt. Never rejects. @param signal ends the attempt, which then counts as unreachable */
  async attempt(group: Group, signal: AbortSignal): Promise<Outcome> {
    const outcome = await this.#attempt(group, signal);
    if (outcome !== "no bucket") return outcome;
    // The bucket was deleted, or the server is new: create it once, but do not compete with a program that deletes it.
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
      // A key that may write but not read continues without the check: the server's merging must do.
      if (!isLasting(error)) return { kind: "unreachable", error };
    }
    return this.#send(prepared, signal);
  }

  async #send({ group, beat }: Prepared, signal: AbortSignal): Promise<Outcome | "no bucket"> {
    const { client, bucketId, pulsetime } = this.#options;
    try {
      const { id } = await client.heartbeat(bucketId, beat, pulsetime, { signal });
      // A privacy rule of the server dropped it: that counts as delivered.
      if (id === null) return { kind: "done", wasStored: false };
      if (!Number.isSafeInteger(id) || id < 1) throw new Error(`the response has no id of an event: ${id}`);
      this.eventId = id;
      return { kind: "done", wasStored: false };
    } catch (error) {
      const status = statusOf(error);
      if (status === 404) return this.#noBucket();
      if (isAboutEvent(error)) return { kind: "refused", error };
      if (isLasting(error)) return { kind: "unauthorized", error };
      // The request may have run, and only its response is lost.
      group.inDoubt = true;
      return { kind: "unreachable", error };
    }
  }

  /**
   * Checks whether the server has run a request without a response. Sending it again is mostly harmless, because it
   * merges into the event that it created. But not if the server no longer compares with that event: after a restart
   * for heartbeats out of order, or after a write by another program.
   */
  async #isStored({ group, range }: Prepared, signal: AbortSignal): Promise<boolean> {
    const { client, bucketId } = this.#options;
    const found = await client.events.list(bucketId, range, { signal, retries: 0 });
    const ids = found.filter((event) => event.id >= this.eventId && covers(event, group)).map(({ id }) => id);
    group.inDoubt = false;
    if (ids.length === 0) return false;
    // The oldest of them: an equal event may have followed at once, and is then in doubt as well.
    this.eventId = ids.reduce((least, id) => Math.min(least, id));
    return true;
  }

  #noBucket(): "no bucket" {
    this.#isEnsured = false;
    return "no bucket";
  }

  /** A new bucket is empty, and may belong to a server with new IDs. */
  #forget(group: Group): void {
    this.eventId = 0;
    group.inDoubt = false;
  }
}

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

/** Whether an event, perhaps cut to the group's time, contains everything of the group. */
function covers({ timestamp, duration, data }: ClientEvent, { event }: Group): boolean {
  const start = parseTimestamp(timestamp);
  if (start === undefined || start > event.timestamp) return false;
  return start + secondsToMicros(duration) >= event.timestamp + event.duration && sameJson(data, event.data);
}

/** Status of an error response of this API; `undefined` for one of a proxy or a captive portal. */
function statusOf(error: unknown): number | undefined {
  const isGenuine = isActivityClientError(error) && error.code === "REFUSED" && error.serverMessage !== undefined;
  return isGenuine ? error.status : undefined;
}

/** Whether the same request would get the same response again. */
function isLasting(error: unknown): boolean {
  const status = statusOf(error);
  return status !== undefined && status < 500 && !isTransient(error);
}

/** Statuses about the sent event rather than its sender or URL. */
const ABOUT_EVENTS: readonly (number | undefined)[] = [400, 413, 415, 422];

/**
 * Whether the server refuses this event, but may accept the next one. Any other mistake can be fixed, so the events are
 * kept.
 */
function isAboutEvent(error: unknown): boolean {
  if (!isActivityClientError(error)) return false;
  // The event cannot be sent at all.
  if (error.code === "INVALID_INPUT") return true;
  // A hook of the server refuses this event, with the status of a key that may not write.
  return ABOUT_EVENTS.includes(statusOf(error)) || (error.serverType === "Vetoed" && !isTransient(error));
}
