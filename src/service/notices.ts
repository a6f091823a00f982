import type { StoredEvent } from "../domain/event.js";
import { ActivityError } from "../errors.js";
import type { Logger } from "../logger.js";
import type { Identity } from "./hooks.js";
import type { ImportCounts } from "./import.js";

/** What every notice of a write has in common. */
interface Notice {
  /** Who asked for it; absent in process and without `authorize`. */
  readonly identity?: Identity;
}

/** Events were inserted or replaced, or one was deleted. */
export type EventNotice = Notice & { readonly bucketId: string } & (
    | { readonly action: "inserted"; readonly events: readonly StoredEvent[] }
    | { readonly action: "deleted"; readonly eventId: number }
  );

/** A beat was folded in. */
export interface HeartbeatNotice extends Notice {
  readonly bucketId: string;
  /** The event that now covers the beat. */
  readonly event: StoredEvent;
}

/** A bucket was created, changed or deleted by itself; those that an import brings are told by its own notice. */
export interface BucketNotice extends Notice {
  readonly action: "created" | "updated" | "deleted";
  readonly bucketId: string;
}

/** An import was merged in. */
export interface ImportNotice extends Notice, ImportCounts {
  /** All buckets that it named. */
  readonly bucketIds: readonly string[];
}

/** What a host can listen to, by name. */
export interface ServerNotices {
  readonly event: EventNotice;
  readonly heartbeat: HeartbeatNotice;
  readonly bucket: BucketNotice;
  readonly import: ImportNotice;
  /** The server is closed: its sockets and its storage. */
  readonly close: Readonly<Record<never, never>>;
}

/** Called with what happened. What it returns or throws changes nothing; a failure is logged. */
export type NoticeListener<Name extends keyof ServerNotices> = (notice: ServerNotices[Name]) => unknown;

/** Tells the listeners of a host what was written. */
export interface Announcer {
  /** @returns ends the listening */
  on<Name extends keyof ServerNotices>(name: Name, listener: NoticeListener<Name>): () => void;
  hasListeners(name: keyof ServerNotices): boolean;
  announce<Name extends keyof ServerNotices>(name: Name, notice: ServerNotices[Name]): void;
}

type Listeners = { readonly [Name in keyof ServerNotices]: Set<NoticeListener<Name>> };

/** Makes an announcer. A listener that fails is logged, and neither its write nor another listener notices. */
export function createAnnouncer(logger: Logger): Announcer {
  const listeners: Listeners = {
    event: new Set(),
    heartbeat: new Set(),
    bucket: new Set(),
    import: new Set(),
    close: new Set(),
  };

  function report(name: keyof ServerNotices, cause: unknown): void {
    logger.error(new Error(`a listener of '${name}' failed`, { cause }));
  }

  return {
    on(name, listener) {
      if (!Object.hasOwn(listeners, name)) {
        const names = Object.keys(listeners).join(", ");
        throw new ActivityError("INVALID_INPUT", `there is no notice '${String(name)}'; there are ${names}`);
      }
      if (typeof listener !== "function") throw new ActivityError("INVALID_INPUT", "the listener is no function");
      // Wrapped, so that the same function can listen twice and stop once.
      const own: typeof listener = (notice) => listener(notice);
      listeners[name].add(own);
      return () => void listeners[name].delete(own);
    },
    hasListeners: (name) => listeners[name].size > 0,
    announce(name, notice) {
      for (const listener of listeners[name]) {
        try {
          const result = listener(notice);
          // By its shape: a promise may come from another realm, or a library of its own.
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
