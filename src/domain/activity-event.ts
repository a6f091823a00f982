import type { AcceptedDraft, EventDraft, StoredEvent } from "./event.js";
import type { JsonObject } from "./json.js";
import type { DurationMicros, TimestampMicros } from "./time.js";

/**
 * An event on its way into the storage, as hooks and the builders of `activity-server/testing` have it. Inside the
 * server times and durations are plain numbers; in an app their types show that they are microseconds.
 */
export interface ActivityEventDraft<Data extends object = JsonObject> {
  /** Start, microseconds since 1970-01-01 UTC. */
  readonly timestamp: TimestampMicros;
  /** Microseconds; may be negative (docs/api.md#durations). */
  readonly duration: DurationMicros;
  readonly data: Data;
  /** Given: replaces that event of the bucket, or is taken over if nobody has it. */
  readonly id?: number;
}

/** A stored event, as a program gets it. `Data` is what the program knows of its data; nobody checks it. */
export interface ActivityEvent<Data extends object = JsonObject> extends ActivityEventDraft<Data> {
  readonly id: number;
}

/** What became of an event that was to be stored: as it is stored, or without an id where a privacy rule dropped it. */
export interface AcceptedEvent<Data extends object = JsonObject> extends Omit<ActivityEventDraft<Data>, "id"> {
  /** `null` = dropped (docs/privacy.md). */
  readonly id: number | null;
}

/** Says of an event what holds for all inside the server: its duration is in microseconds. */
export function activityEvent<Data extends object = JsonObject>(event: StoredEvent): ActivityEvent<Data>;
export function activityEvent(event: EventDraft): ActivityEventDraft;
export function activityEvent<Data extends object = JsonObject>(event: AcceptedDraft): AcceptedEvent<Data>;
export function activityEvent(event: EventDraft | AcceptedDraft): unknown {
  return event;
}

/** The same of a list. */
export function activityEvents<Data extends object = JsonObject>(events: readonly StoredEvent[]): ActivityEvent<Data>[];
export function activityEvents(events: readonly EventDraft[]): ActivityEventDraft[];
export function activityEvents<Data extends object = JsonObject>(
  events: readonly AcceptedDraft[],
): AcceptedEvent<Data>[];
export function activityEvents(events: readonly (EventDraft | AcceptedDraft)[]): unknown {
  return events;
}
