import type { AcceptedDraft, EventDraft } from "../domain/event.js";
import type { Micros } from "../domain/time.js";
import { AbandonedError, busy } from "../errors.js";
import type { Waiting } from "../util/waiting.js";
import { type Caller, type Grants, OPERATOR } from "./access/grants.js";
import { execute, executeHeartbeat } from "./execute.js";
import type { FeedReader } from "./feed/reader.js";
import { type FeedRequest, parseFeedRequest } from "./feed/request.js";
import type { DraftSpool } from "./import/spool.js";
import type { ImportDocument, ImportResult } from "./import.js";
import { MAX_IMPORTS } from "./shared.js";
import { isHooked } from "./steps/run-hooks.js";
import { Visible } from "./visible.js";
import type { ResultOf, Write, WriteContext, WriteKind, WriteParts } from "./write.js";

/** Absent fields stay absent: your app may inspect the whole argument of its hooks. */
function createOrigin(identity: object | undefined, context: unknown): WriteContext["by"] {
  return { ...(identity !== undefined && { identity }), ...(context !== undefined && { context }) };
}

/** The operations of the API for one caller: reads by `visible`, writes by `execute`. */
export class Service {
  /** What the caller can read. */
  readonly visible: Visible;
  readonly #context: WriteContext;
  /** Services for unnamed callers by their rights: most requests come from few callers. */
  #byGrants: WeakMap<Grants, Service> | undefined;

  constructor(parts: WriteParts, grants: Grants = OPERATOR, by: WriteContext["by"] = {}) {
    this.visible = new Visible(parts, grants);
    this.#context = { parts, grants, by, visible: this.visible };
  }

  /** The caller's key or session; `undefined` for the process itself, and if none was recognized. */
  get caller(): Caller | undefined {
    return this.#context.grants.caller;
  }

  /** Returns Unix milliseconds. */
  get clock(): () => number {
    return this.#context.parts.clock;
  }

  /**
   * Returns the same service for another caller.
   *
   * @param identity passed to hooks and listeners
   * @param context passed to hooks
   */
  actingFor(grants: Grants, identity?: object, context?: unknown): Service {
    const { parts } = this.#context;
    if (identity !== undefined || context !== undefined)
      return new Service(parts, grants, createOrigin(identity, context));
    this.#byGrants ??= new WeakMap();
    let service = this.#byGrants.get(grants);
    if (service === undefined) {
      service = new Service(parts, grants);
      this.#byGrants.set(grants, service);
    }
    return service;
  }

  /** Returns the same service with other rights, for the same identity and context. */
  withGrants(grants: Grants): Service {
    return new Service(this.#context.parts, grants, this.#context.by);
  }

  /** Await it before lookups (docs/explanation/decisions.md). */
  ready(): Waiting {
    return this.#context.parts.shared.ready();
  }

  /** Runs a write. @throws ActivityError the errors of its steps */
  execute<Kind extends WriteKind>(write: Write<Kind>): Promise<ResultOf<Kind>> {
    return execute(write, this.#context);
  }

  /**
   * @param pulsetimeMicros longest gap that still belongs to the same activity
   * @throws ActivityError `NO_SUCH_BUCKET`
   */
  heartbeat(bucketId: string, beat: EventDraft, pulsetimeMicros: Micros): Promise<AcceptedDraft> {
    return executeHeartbeat({ kind: "heartbeat", bucketId, beat, pulsetimeMicros }, this.#context);
  }

  /**
   * Imports documents into the storage (docs/reference/api.md#export-and-import). Reads them completely before the
   * first write.
   *
   * @param read puts the events of the documents into a spool
   * @param hasLeft whether the caller has left
   * @throws ActivityError `BUSY` if too many imports are in progress, AbandonedError
   */
  async importDocuments(
    read: (spool: DraftSpool) => Promise<readonly ImportDocument[]>,
    hasLeft: () => boolean = () => false,
  ): Promise<ImportResult> {
    const { shared, hooks } = this.#context.parts;
    // A hook gets all events at once, in memory: no other import is read at the same time.
    const isHeld = isHooked("importBuckets", hooks);
    const release = await shared.imports.enter(isHeld ? MAX_IMPORTS : 1, hasLeft);
    if (release === undefined) throw hasLeft() ? new AbandonedError() : busy("too many imports are being read");
    const spool = shared.spools.open(isHeld);
    try {
      const documents = await read(spool);
      const counts = await this.execute({
        kind: "importBuckets",
        buckets: documents.flatMap(({ buckets }) => buckets),
      });
      return { ...counts, eventsInvalid: documents.reduce((sum, { invalidEvents }) => sum + invalidEvents, 0) };
    } finally {
      release();
      await spool.close();
    }
  }

  /**
   * Opens the feed of the changes that the caller may see (docs/guides/feed.md).
   *
   * @param onSlow called if the reader does not take the changes @default no limit
   * @throws ActivityError `INVALID_INPUT`, `BUSY`
   */
  async openFeed(request: FeedRequest, onSlow?: () => void): Promise<FeedReader> {
    const { parts, grants } = this.#context;
    return parts.feed.open({ ...parseFeedRequest(request, grants, parts.feed.hasKeys), onSlow });
  }

  /** Clears the caches after the storage was emptied elsewhere. */
  forget(): void {
    const { access, shared } = this.#context.parts;
    access.forget();
    shared.privacy.forget();
    shared.redirects.forget();
  }
}
