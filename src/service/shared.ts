import type { Logger } from "../logger.js";
import { DEFAULT_LIMITS, type QueryLimits } from "../query/budget.js";
import type { QueryEngine } from "../query/engine.js";
import { QueryLoad } from "../query/load.js";
import type { Storage } from "../storage/storage.js";
import { Admission } from "../util/admission.js";
import { deferModule } from "../util/deferred-modules.js";
import type { CacheMemory } from "../util/memory-budget.js";
import type { Waiting } from "../util/waiting.js";
import type { RecordCaches } from "./access/record-cache.js";
import { createEventSource, type StorageSource } from "./event-source.js";
import { createRedirectedSource } from "./identity/redirected-source.js";
import { Redirects } from "./identity/redirects.js";
import { SpoolBudget } from "./import/spool.js";
import { Privacy } from "./privacy/privacy.js";
import type { Trash } from "./trash/trash.js";

/** Options of the service. */
export interface ServiceOptions {
  /** The main space. */
  readonly storage: Storage;
  /** Records that requests look up: redirects, the access of buckets, privacy rules. */
  readonly caches: RecordCaches;
  /** Keeps deleted data. */
  readonly trash: Trash;
  readonly hostname: string;
  readonly version: string;
  readonly testing: boolean;
  /** Returns Unix milliseconds. */
  readonly clock: () => number;
  /** Memory for caches. @default the limit of each cache */
  readonly budget?: CacheMemory;
  /** Limits of a query. @default DEFAULT_LIMITS */
  readonly queryLimits?: QueryLimits;
  /** Receives warnings about rules that cannot apply. */
  readonly logger?: Logger;
}

/** Maximum number of imports that are read at the same time. */
export const MAX_IMPORTS = 4;
/**
 * Maximum number of waiting imports. Node keeps their received data in memory in the meantime, possibly in tiny chunks.
 */
const MAX_WAITING_IMPORTS = 8;
const IMPORT_WAIT_MILLIS = 30_000;

/** Parts that the services over one storage share. */
export interface Shared {
  /** Await it before lookups. Every write waits, so writes reach the storage in the order of the calls. */
  readonly ready: () => Waiting;
  readonly spools: SpoolBudget;
  readonly imports: Admission;
  /** Loaded at the first use, to keep the start fast. */
  readonly engine: () => Promise<QueryEngine>;
  /** The event source of queries and reports, which share reads. */
  readonly source: () => StorageSource;
  /** The limits of each query and report. */
  readonly limits: QueryLimits;
  /** The load of queries, and of other work over many events. */
  readonly load: QueryLoad;
  readonly privacy: Privacy;
  readonly redirects: Redirects;
}

const loadLanguage = deferModule(() => import("../query/engine.js"));

export function createShared({
  storage,
  caches,
  budget,
  queryLimits = DEFAULT_LIMITS,
  logger,
  clock,
}: Pick<ServiceOptions, "storage" | "caches" | "budget" | "queryLimits" | "logger" | "clock">): Shared {
  const redirects = new Redirects(storage, clock, caches);
  const load = new QueryLoad(queryLimits.timeMillis);
  let engine: QueryEngine | undefined;
  let events: StorageSource | undefined;
  const source = (): StorageSource => (events ??= createEventSource(storage, budget));
  return {
    ready: () => caches.ready(),
    load,
    source,
    limits: queryLimits,
    spools: new SpoolBudget(),
    imports: new Admission({
      capacity: MAX_IMPORTS,
      waitMillis: IMPORT_WAIT_MILLIS,
      mostWaiting: MAX_WAITING_IMPORTS,
    }),
    async engine() {
      const { createQueryEngine } = await loadLanguage();
      engine ??= createQueryEngine(createRedirectedSource(source(), redirects), queryLimits, load, budget);
      return engine;
    },
    privacy: new Privacy(storage, caches, logger),
    redirects,
  };
}
