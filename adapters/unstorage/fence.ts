import { ActivityError } from "../../src/errors.js";
import { OWNER } from "./names.js";
import { checkFormat, FORMAT } from "./root.js";
import { bodyOf, type Found, type Values } from "./values.js";

/**
 * Keeps a writer from acknowledging anything once another one has taken over. There is no compare-and-set, so the check
 * comes *behind* the write and before its acknowledgement: as long as it still finds this writer's name, the next one
 * has not begun to read, and will read what was written. A writer that is too late has only written to places of its
 * own term, where nobody looks any more.
 */
export interface Fence {
  /** Why nothing can be done any more, if that is so. */
  readonly lost: ActivityError | undefined;
  /**
   * Makes sure that what was written until now is seen by the next writer. Those who ask at once share one check.
   *
   * @throws ActivityError `STORAGE_LOCKED` for good when another writer has taken over, `STORAGE_CORRUPT` when the
   *   record was removed, `STORAGE_FAILED` when it cannot be read
   */
  verify(): Promise<void>;
}

export function ownerBody(term: string): string {
  return JSON.stringify({ format: FORMAT, term });
}

/**
 * Looks at the record without believing it: a torn or damaged one only means that the next writer writes it anew.
 *
 * @throws ActivityError `STORAGE_UNUSABLE` for somebody else's value, `STORAGE_TOO_NEW`
 */
export function checkOwner(found: Found, title: string): void {
  if (found.kind === "foreign") {
    throw new ActivityError("STORAGE_UNUSABLE", `${title} holds other data at '${OWNER}'; choose another base`);
  }
  if (found.kind === "body") checkFormat((JSON.parse(found.body) as { format: unknown }).format, title);
}

export function createFence(values: Values, term: string): Fence {
  const mine = ownerBody(term);
  let lost: ActivityError | undefined;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  async function check(): Promise<void> {
    try {
      const found = await values.read(OWNER);
      if (bodyOf(found) === mine) return;
      lost ??= found.kind === "missing" ? emptied(values.title) : takenOver(values.title);
      throw lost;
    } finally {
      running = undefined;
    }
  }

  function start(): Promise<void> {
    next = undefined;
    running = check();
    return running;
  }

  return {
    get lost() {
      return lost;
    },
    verify() {
      if (lost !== undefined) return Promise.reject(lost);
      if (running === undefined) return start();
      // The check under way may have been answered before our write was made.
      next ??= running.then(start, start);
      return next;
    },
  };
}

function takenOver(title: string): ActivityError {
  const message = `another writer has taken over ${title}; this one was opened earlier and is refused from now on`;
  return new ActivityError("STORAGE_LOCKED", message);
}

function emptied(title: string): ActivityError {
  return new ActivityError("STORAGE_CORRUPT", `${title} was removed while it was open`);
}
