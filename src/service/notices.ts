import type { ActivityEvent } from "../domain/activity-event.js";
import { ActivityError } from "../errors.js";
import type { Logger } from "../logger.js";
import type { BucketChangeKind } from "../storage/changes.js";
import type { ImportCounts } from "./import.js";

/** Common fields of all write notices. */
interface Notice<Identity extends object> {
  /** The caller, as `authorize` or `server.as()` named it; absent if neither did. */
  readonly identity?: Identity;
}

/** Events were inserted or replaced, or one was deleted. */
export type EventNotice<Identity extends object = object> = Notice<Identity> & { readonly bucketId: string } & (
    | { readonly action: "inserted"; readonly events: readonly ActivityEvent[] }
    | { readonly action: "deleted"; readonly eventId: number }
  );

/** A heartbeat was stored or merged. */
export interface HeartbeatNotice<Identity extends object = object> extends Notice<Identity> {
  readonly bucketId: string;
  /** The event that now covers the heartbeat. */
  readonly event: ActivityEvent;
}

/** A bucket was created, changed or deleted, by this or another node. Imports have a separate notice. */
export interface BucketNotice<Identity extends object = object> extends Notice<Identity> {
  readonly action: "created" | "updated" | "deleted";
  readonly bucketId: string;
  /** Another node over the same data did it; absent for this node. */
  readonly elsewhere?: true;
}

/**
 * This or another node wrote data: the place and the kind of the write. Many writes of another node may be combined.
 * `missed`: other nodes wrote more than could be reported.
 */
export type ChangeNotice<Identity extends object = object> = Notice<Identity> & {
  /** Another node over the same data wrote it; absent for this node. */
  readonly elsewhere?: true;
} & (
    | { readonly kind: BucketChangeKind; readonly bucketId: string }
    | { readonly kind: "setting"; readonly key: string }
    | { readonly kind: "missed" }
  );

/** An import was stored. */
export interface ImportNotice<Identity extends object = object> extends Notice<Identity>, ImportCounts {
  /** All buckets of the import. */
  readonly bucketIds: readonly string[];
}

/** The notices for your app, by name. */
export interface ServerNotices<Identity extends object = object> {
  readonly event: EventNotice<Identity>;
  readonly heartbeat: HeartbeatNotice<Identity>;
  readonly bucket: BucketNotice<Identity>;
  readonly import: ImportNotice<Identity>;
  readonly change: ChangeNotice<Identity>;
  /** The server is closed, with its sockets and its storage. */
  readonly close: Readonly<Record<never, never>>;
}

/** Called after an event. Its return value and errors have no effect; errors are logged. */
export type NoticeListener<Name extends keyof ServerNotices, Identity extends object = object> = (
  notice: ServerNotices<Identity>[Name],
) => unknown;

/** Notifies your app's listeners after writes. */
export interface Announcer<Identity extends object = object> {
  /** @returns stops listening */
  on<Name extends keyof ServerNotices>(name: Name, listener: NoticeListener<Name, Identity>): () => void;
  hasListeners(name: keyof ServerNotices): boolean;
  announce<Name extends keyof ServerNotices>(name: Name, notice: ServerNotices<Identity>[Name]): void;
}

type Changes = { readonly [Name in keyof ServerNotices]?: (notice: ServerNotices[Name]) => ChangeNotice | undefined };

/** Notices of writes to a bucket are changes as well. Imports and settings announce theirs themselves. */
const CHANGES: Changes = {
  heartbeat: ({ bucketId }) => ({ kind: "events-written", bucketId }),
  bucket: ({ action, bucketId }) => ({ kind: `bucket-${action}`, bucketId }),
  event(notice) {
    const { bucketId } = notice;
    if (notice.action === "deleted") return { kind: "events-deleted", bucketId };
    return notice.events.length === 0 ? undefined : { kind: "events-written", bucketId };
  },
};

/** The change in a notice, if there is one. */
export function toChange<Name extends keyof ServerNotices>(
  name: Name,
  notice: ServerNotices[Name],
): ChangeNotice | undefined {
  const make: Changes[Name] = CHANGES[name];
  return make?.(notice);
}

type Listeners<Identity extends object> = {
  [Name in keyof ServerNotices]: Set<NoticeListener<Name, Identity>> | undefined;
};

/** Creates an announcer. Logs a failing listener, without affecting its write or another listener. */
export function createAnnouncer<Identity extends object>(logger: Logger): Announcer<Identity> {
  const listeners: Listeners<Identity> = {
    event: undefined,
    heartbeat: undefined,
    bucket: undefined,
    import: undefined,
    change: undefined,
    close: undefined,
  };

  function report(name: keyof ServerNotices, cause: unknown): void {
    logger.error(new Error(`a listener of '${name}' failed`, { cause }));
  }

  return {
    on(name, listener) {
      if (!Object.hasOwn(listeners, name)) {
        const names = Object.keys(listeners).join(", ");
        throw new ActivityError("INVALID_INPUT", `name must be one of ${names}, got '${String(name)}'`);
      }
      if (typeof listener !== "function") throw new ActivityError("INVALID_INPUT", "listener must be a function");
      // Wrapped, so that the same function can listen twice and stop once.
      const own: typeof listener = (notice) => listener(notice);
      const added: Set<typeof listener> = listeners[name] ?? new Set();
      listeners[name] = added.add(own) as Listeners<Identity>[typeof name];
      return () => void added.delete(own);
    },
    hasListeners: (name) => (listeners[name]?.size ?? 0) > 0,
    announce(name, notice) {
      for (const listener of listeners[name] ?? []) {
        try {
          const result = listener(notice);
          // Duck typing: a promise may come from another realm or library.
          if (isThenable(result)) Promise.resolve(result).catch((cause: unknown) => report(name, cause));
        } catch (cause) {
          report(name, cause);
        }
      }
    },
  };
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
