import type { EventDraft } from "../../domain/event.js";
import { compareDrafts, type RunDraft, type SortedRun, toDraft } from "./draft-run.js";
import { RunMerger } from "./merge-runs.js";

/**
 * Events, and characters of their data, in one call of the storage: a later heartbeat must not be delayed noticeably.
 */
const STEP_EVENTS = 2048;
const STEP_CHARACTERS = 1024 * 1024;
/** Maximum number of equal drafts in one call of the storage. */
const MAX_TWINS = 16 * 1024;

/** The drafts for one storage call. */
export interface ImportStep {
  readonly drafts: readonly EventDraft[];
  /** Whether all of them equal the previous step, so that its result applies to them as well. */
  readonly isContinued: boolean;
}

/**
 * Cuts the drafts of a bucket into steps. Equal drafts are in the same step, so that a storage which skips existing
 * events takes either all of them or none.
 */
export async function* createSteps(runs: readonly SortedRun[]): AsyncGenerator<ImportStep> {
  const merger = new RunMerger(runs);
  let drafts: EventDraft[] = [];
  let last: RunDraft | undefined;
  let characters = 0;
  let isContinued = false;
  /** The index of the first draft equal to the last one. */
  let twinsFrom = 0;
  for (;;) {
    const waiting = merger.ready();
    if (waiting !== undefined) await waiting;
    const draft = merger.take();
    if (draft === undefined) break;
    if (last === undefined || compareDrafts(last, draft) !== 0) {
      if (isContinued || drafts.length >= STEP_EVENTS || characters >= STEP_CHARACTERS) {
        yield { drafts, isContinued };
        drafts = [];
        characters = 0;
        isContinued = false;
      }
      twinsFrom = drafts.length;
    } else if (drafts.length >= MAX_TWINS) {
      const isBefore = twinsFrom > 0;
      yield { drafts: isBefore ? drafts.slice(0, twinsFrom) : drafts, isContinued };
      drafts = isBefore ? drafts.slice(twinsFrom) : [];
      isContinued = !isBefore;
      twinsFrom = 0;
    }
    drafts.push(toDraft(draft));
    characters += draft.data.text.length;
    last = draft;
  }
  if (drafts.length > 0) yield { drafts, isContinued };
}
