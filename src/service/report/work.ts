import { EventBatch } from "../../domain/batch.js";
import { hasCode } from "../../errors.js";
import type { QueryBudget } from "../../query/budget.js";
import { BudgetSlot } from "../../query/slot.js";
import type { SourceRead } from "../../query/source.js";
import type { Pattern } from "../../report/rules.js";
import type { Steps } from "../../transforms/steps.js";
import type { TextTest } from "../../transforms/text-test.js";
import { createTimeSlice, type TimeSlice } from "../../util/time-slice.js";
import type { StorageSource } from "../event-source.js";
import type { TimeSpan } from "../read-cache.js";

const NO_EVENTS: EventBatch = EventBatch.from([]);

/** The work of one report, in slices and within the limits of a query. */
export class ReportWork {
  readonly source: StorageSource;
  readonly #budget: QueryBudget;
  readonly #slot: BudgetSlot = new BudgetSlot();
  readonly #timeSlice: TimeSlice = createTimeSlice();

  constructor(source: StorageSource, budget: QueryBudget) {
    this.source = source;
    this.#budget = budget;
  }

  /** Reads the events of a bucket that may be deleted in the meantime. */
  async read(bucketId: string, span: TimeSpan): Promise<SourceRead> {
    const budget = this.#budget;
    let made = 0;
    if (span.start > span.end) return { version: undefined, events: NO_EVENTS };
    try {
      const read = await this.source.readForward(bucketId, span, (soFar, dataBytes) => {
        budget.check();
        budget.made(dataBytes - made, dataBytes / Math.max(soFar, 1));
        made = dataBytes;
        const size = { nodes: 1, events: soFar, depth: 0 };
        budget.checkSize(size);
        return budget.awaitMemory(size);
      });
      budget.countProduced(read.events.length);
      return read;
    } catch (cause) {
      if (!hasCode(cause, "NO_SUCH_BUCKET")) throw cause;
      return { version: undefined, events: NO_EVENTS };
    }
  }

  test(regex: Pattern | undefined): TextTest | undefined {
    return regex && ((text) => regex.test(text, this.#slot));
  }

  /** Finishes a computation; other work runs in between. @throws ActivityError `QUERY_TOO_LARGE`, AbandonedError */
  async finish<Result>(steps: Steps<Result> | Generator<void, Result, void>): Promise<Result> {
    for (;;) {
      this.#slot.startSlice(this.#budget);
      const step = steps.next();
      if (step.done === true) {
        const { value } = step;
        if (value instanceof EventBatch) this.#budget.countProduced(value.length);
        await this.#timeSlice.yield();
        return value;
      }
      this.#budget.check();
      await this.#timeSlice.yield();
    }
  }
}
