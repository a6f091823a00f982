/** Something that is wrong with what is stored. */
export interface StorageProblem {
  /**
   * `damaged`: cannot be read or fails its checksum; `missing`: something refers to it; `orphaned`: nothing refers to
   * it; `dropped`: the log ended before records that are whole; `disordered`: an index was out of order and was
   * rebuilt, or a change was refused that would have put it out of order.
   */
  readonly kind: "damaged" | "missing" | "orphaned" | "dropped" | "disordered";
  /** What it is, for people: bucket, time range, reason. No path of a file. */
  readonly message: string;
  /** The bucket that it concerns, if one. */
  readonly bucketId?: string;
}

/** How far a verification is. */
export interface VerifyProgress {
  readonly doneBytes: number;
  readonly totalBytes: number;
}

/** What a verification found. */
export interface VerifyReport {
  readonly problems: readonly StorageProblem[];
  readonly buckets: number;
  readonly events: number;
  readonly bytes: number;
}

/** What a storage noticed while it was open. */
export interface StorageHealth {
  /** `ok`; `read-only` while writes are refused; `degraded` when something is damaged, or cannot be reached. */
  readonly state: "ok" | "read-only" | "degraded";
  /** Why writes are refused, or what is damaged. */
  readonly problems: readonly StorageProblem[];
  /** Why writes are refused just now, if they are. */
  readonly refusal?: string;
  /** The last time that a database could not be reached: Unix milliseconds, and why. */
  readonly lastFailure?: { readonly at: number; readonly message: string };
  /** Unix milliseconds of the last whole check of everything that is kept; `undefined` before the first one. */
  readonly lastScrub?: number;
  /** Whether everything that is kept is encrypted; `undefined` where the storage does not know. */
  readonly encrypted?: boolean;
  /** Of the file system that holds the data, in bytes. */
  readonly disk?: { readonly freeBytes: number; readonly totalBytes: number; readonly minFreeBytes: number };
}
