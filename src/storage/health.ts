import type { Storage } from "./storage.js";

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

/** What happens while a storage is verified, the report last. */
export type VerifyStep =
  | ({ readonly event: "progress" } & VerifyProgress)
  | ({ readonly event: "problem" } & StorageProblem)
  | ({ readonly event: "verified"; readonly sound: boolean; readonly problems: number } & Omit<
      VerifyReport,
      "problems"
    >);

/**
 * Verifies a storage step by step. Progress that nobody takes in time is passed over. A consumer that stops early does
 * not end the verification.
 *
 * @throws what `storage.verify` throws
 */
export async function* verifySteps(storage: Storage): AsyncGenerator<VerifyStep> {
  let progress: VerifyProgress | undefined;
  let wake: () => void = () => {};
  const running = storage.verify((told) => {
    progress = told;
    wake();
  });
  const end = (): "ended" => "ended";
  // A failure is thrown below; a consumer that is gone by then does not wait for it.
  const ended = running.then(end, end);
  for (;;) {
    const woken = new Promise<"woken">((resolve) => {
      wake = () => resolve("woken");
    });
    if (progress === undefined && (await Promise.race([woken, ended])) === "ended") break;
    const told: VerifyProgress | undefined = progress;
    progress = undefined;
    if (told !== undefined) yield { event: "progress", ...told };
  }
  const { problems, ...counts } = await running;
  for (const problem of problems) yield { event: "problem", ...problem };
  yield { event: "verified", sound: problems.length === 0, problems: problems.length, ...counts };
}
