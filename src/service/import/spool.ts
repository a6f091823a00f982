// Keeps drafts of an import between its document and the storage: a few in memory, many in a file.
import type { EventDraft } from "../../domain/event.js";
import type { JsonObject } from "../../domain/json.js";
import { createTimeSlice } from "../../util/time-slice.js";
import { DraftRun, RUN_BYTES_PER_DRAFT, type SortedRun, toDraft } from "./draft-run.js";
import { FileRun } from "./file-run.js";
import { RunMerger } from "./merge-runs.js";
import { type DraftData, SharedData } from "./shared-data.js";
import { hasSpoolFiles, openSpoolFile, type SpoolFile } from "./spool-file.js";

/** Maximum estimated memory for the drafts of all imports in progress, in bytes. */
const BUDGET_BYTES = 8 * 1024 * 1024;
/** Maximum characters of the strings by which equal data are found. */
const SHARED_CHARACTERS = 512 * 1024;
/** Memory of a data object in addition to its string, and per character of it. */
const BYTES_PER_DATA = 200;
const BYTES_PER_CHARACTER = 3;
/** Memory of a list without drafts. */
const BYTES_PER_LIST = 400;

/** Divides the budget among the imports in progress. */
export class SpoolBudget {
  #open = 0;

  /** Reserves memory for one import. @param holdsAll whether it stays in memory, even if it is large */
  open(holdsAll: boolean): DraftSpool {
    this.#open++;
    const limit = (): number => (holdsAll ? Number.POSITIVE_INFINITY : BUDGET_BYTES / this.#open);
    return new DraftSpool(limit, () => {
      this.#open--;
    });
  }
}

/** Collects the drafts of one import. */
export class DraftSpool {
  readonly #limit: () => number;
  readonly #onClose: () => void;
  readonly #shared: SharedData = new SharedData(SHARED_CHARACTERS);
  /** Lists with drafts in memory. */
  readonly #held: Set<DraftList> = new Set();
  #heldBytes = 0;
  #file: SpoolFile | undefined;

  constructor(limit: () => number, onClose: () => void) {
    this.#limit = hasSpoolFiles() ? limit : () => Number.POSITIVE_INFINITY;
    this.#onClose = onClose;
  }

  /** Whether `spill` should be called before adding more drafts. */
  get isFull(): boolean {
    return this.#heldBytes > this.#limit();
  }

  newList(): DraftList {
    return new DraftList((list, data) => this.#shareData(list, data));
  }

  /** Moves the drafts to a file. @throws ActivityError `STORAGE_FULL`, `STORAGE_FAILED` */
  async spill(): Promise<void> {
    this.#file ??= await openSpoolFile();
    for (const list of this.#held) list.replaceHeld(await writeRun(list.held(), this.#file, this.#shared));
    this.#held.clear();
    this.#heldBytes = 0;
  }

  async close(): Promise<void> {
    this.#onClose();
    await this.#file?.close();
  }

  #shareData(list: DraftList, data: JsonObject): DraftData {
    const { shared, isKnown } = this.#shared.share(data);
    this.#heldBytes += RUN_BYTES_PER_DRAFT;
    if (!isKnown) this.#heldBytes += BYTES_PER_DATA + BYTES_PER_CHARACTER * shared.text.length;
    if (!this.#held.has(list)) {
      this.#held.add(list);
      this.#heldBytes += BYTES_PER_LIST;
    }
    return shared;
  }
}

/** The drafts of an import for one bucket. */
export class DraftList {
  readonly #keep: (list: DraftList, data: JsonObject) => DraftData;
  #runs: SortedRun[] = [];
  #last: DraftRun | undefined;
  #length = 0;

  /** @param keep returns data in the form in which they are kept */
  constructor(
    keep: (list: DraftList, data: JsonObject) => DraftData = (_, value) => ({ value, text: JSON.stringify(value) }),
  ) {
    this.#keep = keep;
  }

  get length(): number {
    return this.#length;
  }

  /** In no particular order. */
  get runs(): readonly SortedRun[] {
    return this.#runs;
  }

  add({ timestamp, duration, data }: EventDraft): void {
    if (this.#last === undefined || this.#last.isFull) {
      this.#last = new DraftRun();
      this.#runs.push(this.#last);
    }
    this.#last.add({ timestamp, duration, data: this.#keep(this, data) });
    this.#length++;
  }

  /** The drafts in memory, in the order of insertion. */
  toArray(): EventDraft[] {
    return this.held().flatMap((run) => Array.from({ length: run.length }, (_, index) => toDraft(run.draftAt(index))));
  }

  held(): DraftRun[] {
    return this.#runs.filter((run) => run instanceof DraftRun);
  }

  /** Replaces the drafts in memory with one run. */
  replaceHeld(run: SortedRun): void {
    this.#runs = [...this.#runs.filter((held) => !(held instanceof DraftRun)), run];
    this.#last = undefined;
  }
}

/** Characters per write. */
const CHUNK = 64 * 1024;

/** Writes runs into a file, as one. */
async function writeRun(runs: readonly DraftRun[], file: SpoolFile, shared: SharedData): Promise<SortedRun> {
  const timeSlice = createTimeSlice();
  const encoder = new TextEncoder();
  const merger = new RunMerger(runs);
  let first: number | undefined;
  let from: number | undefined;
  let text = "";
  let length = 0;
  const write = async (): Promise<void> => {
    const bytes = encoder.encode(text);
    const position = await file.append(bytes);
    from ??= position;
    length += bytes.length;
    text = "";
    await timeSlice.yield();
  };
  for (;;) {
    const waiting = merger.ready();
    if (waiting !== undefined) await waiting;
    const draft = merger.take();
    if (draft === undefined) break;
    first ??= draft.timestamp;
    text += `${draft.timestamp} ${draft.duration} ${draft.data.text}\n`;
    if (text.length >= CHUNK) await write();
  }
  await write();
  return new FileRun(file, { first: first ?? 0, from: from ?? 0, length, shared });
}
