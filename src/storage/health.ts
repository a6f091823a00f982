import type { Storage } from "./storage.js";

/** A problem with stored data. */
export interface StorageProblem {
  /**
   * `damaged`: cannot be read or fails its checksum; `missing`: referred to, but absent; `orphaned`: nothing refers to
   * it; `dropped`: the log ended before intact records; `disordered`: an index was out of order and was rebuilt, or a
   * change was rejected that would have disordered it.
   */
  readonly kind: "damaged" | "missing" | "orphaned" | "dropped" | "disordered";
  /** Description for people: bucket, time range, reason. It contains no file path. */
  readonly message: string;
  /** The affected bucket, if it is known. */
  readonly bucketId?: string;
}

/** The progress of a verification. */
export interface VerifyProgress {
  readonly doneBytes: number;
  readonly totalBytes: number;
}

/** The results of a verification. */
export interface VerifyReport {
  readonly problems: readonly StorageProblem[];
  readonly buckets: number;
  readonly events: number;
  readonly bytes: number;
}

/** The state of a storage since it was opened. */
export interface StorageHealth {
  /** `ok`; `read-only` while writes are rejected; `degraded` if data are damaged or the database cannot be reached. */
  readonly state: "ok" | "read-only" | "degraded";
  /** Reasons for rejected writes, and damaged data. */
  readonly problems: readonly StorageProblem[];
  /** Why the storage rejects writes now, if it does. */
  readonly refusal?: string;
  /** When and why a database could not be reached last; `at` in Unix milliseconds. */
  readonly lastFailure?: { readonly at: number; readonly message: string };
  /** Unix milliseconds of the last complete check of all data; `undefined` before the first one. */
  readonly lastScrub?: number;
  /** Whether all data are encrypted; `undefined` if the storage does not know. */
  readonly encrypted?: boolean;
  /** Size of the data's file system in bytes. */
  readonly disk?: { readonly freeBytes: number; readonly totalBytes: number; readonly minFreeBytes: number };
}

/** Steps of a verification; the report is the last one. */
export type VerifyStep =
  | ({ readonly event: "progress" } & VerifyProgress)
  | ({ readonly event: "problem" } & StorageProblem)
  | ({ readonly event: "verified"; readonly sound: boolean; readonly problems: number } & Omit<
      VerifyReport,
      "problems"
    >);

/**
 * Verifies a storage step by step. Progress that the consumer does not take in time is skipped. A consumer that stops
 * early does not stop the verification.
 *
 * @throws the errors of `storage.verify`
 */
export async function* verifySteps(storage: Storage): AsyncGenerator<VerifyStep> {
  let progress: VerifyProgress | undefined;
  let isOver = false;
  let wake: () => void = () => {};
  const running = storage.verify((told) => {
    progress = told;
    wake();
  });
  const end = (): void => {
    isOver = true;
    wake();
  };
  // A failure is thrown below; a consumer that has stopped does not wait for it.
  running.then(end, end);
  for (;;) {
    const told: VerifyProgress | undefined = progress;
    progress = undefined;
    if (told !== undefined) yield { event: "progress", ...told };
    else if (isOver) break;
    else {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  const { problems, ...counts } = await running;
  for (const problem of problems) yield { event: "problem", ...problem };
  yield { event: "verified", sound: problems.length === 0, problems: problems.length, ...counts };
}
