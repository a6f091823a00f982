// What a server holds, as plainly as possible. Times are in seconds since START.

/** An event; the same object as long as it keeps its id. */
export interface Event {
  /** `undefined` until the server has told it. */
  id: number | undefined;
  at: number;
  length: number;
  app: string;
}

export interface Bucket {
  id: string;
  hostname: string;
  readonly created: number;
  /** Tells it from others that have or had its id. */
  readonly uid: number;
  /** Whether an undo knows it. */
  isNoted: boolean;
  events: Event[];
  /** What the last heartbeat made or extended; `undefined`: the newest event. */
  target: Event | undefined;
}

export interface Redirect {
  readonly to: string;
  readonly created: number;
  readonly until: number | null;
}

/** What was deleted of one bucket. */
export interface Item {
  readonly bucketId: string;
  readonly hostname: string;
  readonly created: number;
  /** The bucket, where all of it was deleted. */
  readonly whole: Bucket | undefined;
  readonly events: readonly Event[];
  /** Which bucket it was, if that was noted. */
  readonly uid: number | undefined;
}

export interface Entry {
  readonly id: string;
  readonly deleted: number;
  readonly items: readonly Item[];
}

export interface Times {
  readonly at: number;
  readonly length: number;
}

/** What a merge made of an event. */
export interface Trace {
  /** The event in the merged bucket; for one that was left out what it was before. */
  readonly event: Event;
  readonly original: Event;
  /** `undefined`: it was left out. */
  readonly written: Times | undefined;
}

/** A redirect before and after a change. */
export type RedirectStep = readonly [from: string, before: Redirect | undefined, after: Redirect | undefined];

export type Undo = {
  readonly id: string;
  readonly time: number;
  readonly redirects: readonly RedirectStep[];
} & (
  | {
      readonly kind: "label";
      readonly labels: readonly {
        readonly bucket: Bucket;
        readonly from: string;
        readonly to: string;
        readonly oldHostname: string;
        readonly hostname: string;
      }[];
    }
  | {
      readonly kind: "merge";
      readonly entry: Entry;
      readonly into: Bucket;
      readonly intoId: string;
      readonly own: readonly Trace[];
      readonly sources: readonly { readonly bucket: Bucket; readonly id: string; readonly traces: readonly Trace[] }[];
      /** Ids of events that have left the bucket other than by a deletion. */
      readonly moved: Set<number>;
    }
  | {
      readonly kind: "privacy";
      readonly entry: Entry;
      readonly bucket: Bucket;
      readonly bucketId: string;
      readonly isDrop: boolean;
    }
);

export type MergeUndo = Extract<Undo, { kind: "merge" }>;

/** A bucket that was exported. */
export interface Exported {
  readonly text: string;
  readonly id: string;
  readonly hostname: string;
  readonly created: number;
  readonly events: readonly Event[];
}

export const DAY = 86_400;
/** How long the trash keeps entries, and changes can be undone. */
export const KEPT_LONG: number = 30 * DAY;
/** What privacy rules put in the place of an app. */
export const HIDDEN = "hidden";

/** An operation that the server must refuse with a code. */
export class Refusal extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

export function sameEvent(a: Event, b: Event): boolean {
  return a.at === b.at && a.length === b.length && a.app === b.app;
}

export function copyOf({ id, at, length, app }: Event): Event {
  return { id, at, length, app };
}

/** Events as a storage orders them; those without an id are the newest of their time. */
export function inOrder(events: readonly Event[]): Event[] {
  return [...events].sort((a, b) => a.at - b.at || (a.id ?? Infinity) - (b.id ?? Infinity));
}
