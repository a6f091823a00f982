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
  /** Microseconds; may be negative (docs/reference/api.md#durations). */
  readonly duration: DurationMicros;
  readonly data: Data;
  /** If set, replaces the bucket's event with this ID, or assigns the ID if it is unused. */
  readonly id?: number;
}

/** A stored event in the public API. `Data` is the caller's type of its data, which is not checked. */
export interface ActivityEvent<Data extends object = JsonObject> extends ActivityEventDraft<Data> {
  readonly id: number;
}

/** The result of storing an event: the stored event, or one without an ID if a privacy rule dropped it. */
export interface AcceptedEvent<Data extends object = JsonObject> extends Omit<ActivityEventDraft<Data>, "id"> {
  /** `null` = dropped (docs/guides/privacy.md). */
  readonly id: number | null;
}

/** Casts an event to its public type, in which the unit of the duration is known. */
export function activityEvent<Data extends object = JsonObject>(event: StoredEvent): ActivityEvent<Data>;
export function activityEvent(event: EventDraft): ActivityEventDraft;
export function activityEvent<Data extends object = JsonObject>(event: AcceptedDraft): AcceptedEvent<Data>;
export function activityEvent(event: EventDraft | AcceptedDraft): unknown {
  return event;
}

/** Casts a list of events to their public type. */
export function activityEvents<Data extends object = JsonObject>(events: readonly StoredEvent[]): ActivityEvent<Data>[];
export function activityEvents(events: readonly EventDraft[]): ActivityEventDraft[];
export function activityEvents<Data extends object = JsonObject>(
  events: readonly AcceptedDraft[],
): AcceptedEvent<Data>[];
export function activityEvents(events: readonly (EventDraft | AcceptedDraft)[]): unknown {
  return events;
}
