import type { JsonObject } from "../domain/json.js";
import { ActivityError } from "../errors.js";
import { LruCache } from "../util/lru-cache.js";
import type { CacheMemory } from "../util/memory-budget.js";
import { createTimeSlice, turnOfLoop } from "../util/time-slice.js";
import type { Program } from "./ast.js";
import { createBudget, type QueryLimits } from "./budget.js";
import { type Environment, evaluate } from "./evaluator.js";
import { QueryLoad, type QueryShare } from "./load.js";
import { Memo } from "./memo.js";
import { parseProgram } from "./parser.js";
import { ResultCache, recordReads } from "./result-cache.js";
import { createRuleCaches } from "./rule-functions.js";
import { sizeOf } from "./size.js";
import { BudgetSlot } from "./slot.js";
import type { EventSource } from "./source.js";
import type { Value } from "./values.js";
import { readVariables } from "./variables.js";
import { cacheVersions } from "./version-cache.js";
import { type BucketView, restrictSource } from "./view.js";
import type { Timeperiod } from "./window.js";

/** A parsed program with its name and variables. */
interface KnownProgram {
  readonly program: Program;
  /** Its short number in cache keys: a request with a long program may have thousands of periods. */
  readonly number: number;
}

/** A query to run. */
export interface QueryRequest {
  /** Source of the program. */
  readonly text: string;
  /** The program runs once per period. */
  readonly periods: readonly Timeperiod[];
  /** Value of the variable NAME. @default "" */
  readonly name?: string;
  /** Other variables that the program starts with. @default none */
  readonly variables?: JsonObject | undefined;
  /** Whether the client has disconnected. @default never */
  readonly isGone?: () => boolean;
  /** The buckets that the caller can see. @default all */
  readonly view?: BucketView | undefined;
}

/** Runs programs over one source of events. */
export interface QueryEngine {
  /**
   * Runs a program over each period, in order.
   *
   * @throws QueryError for a mistake in the program, ActivityError `QUERY_TOO_LARGE`, `BUSY`, or `INVALID_INPUT` for
   *   too many periods
   */
  run(request: QueryRequest): Promise<Value[]>;
}

/** Memory for cached programs, in bytes. */
const PROGRAM_BYTES = 16 * 1024 * 1024;
/** Bytes of a parsed program per character of its source. */
const BYTES_PER_CHARACTER = 32;
/** Maximum number of buckets whose versions are requested at once. */
const MAX_BUCKETS = 100;

/**
 * Creates an engine. It reuses parsed programs, compiled rules and results across queries.
 *
 * @param load shared with similar work
 * @param memory for caches @default the limit of each cache
 */
export function createQueryEngine(
  source: EventSource,
  limits: QueryLimits,
  load: QueryLoad = new QueryLoad(),
  memory?: CacheMemory,
): QueryEngine {
  const slot = new BudgetSlot();
  const memo = new Memo(memory);
  const rules = createRuleCaches(memory);
  const resultCache = new ResultCache(memory);
  const programs = new LruCache<string, KnownProgram>(PROGRAM_BYTES, { memory, name: "programs" });

  let lastNumber = 0;

  function parseCached({ text, name = "", variables = {} }: QueryRequest): KnownProgram {
    // The lengths show where the texts end. As a JSON list, the key would cost a tenth of the row `query-day`.
    const variablesText = Object.keys(variables).length === 0 ? "" : JSON.stringify(variables);
    const key = `${name.length} ${text.length} ${name}${text}${variablesText}`;
    let known = programs.get(key);
    if (known === undefined) {
      known = { program: parseProgram(text), number: ++lastNumber };
      programs.put(key, known, key.length * BYTES_PER_CHARACTER);
    }
    return known;
  }

  async function runPeriods(request: QueryRequest, share: QueryShare): Promise<Value[]> {
    const { periods, name = "", variables = {}, isGone = () => false, view } = request;
    const timeSlice = createTimeSlice();
    const budget = createBudget(limits, isGone, share);
    const { program, number } = parseCached(request);
    const bound = readVariables(variables, budget);
    const visible = view === undefined ? source : restrictSource(view, source);
    const versionedSource = cacheVersions(visible, program.bucketIds.slice(0, MAX_BUCKETS));
    const results: Value[] = [];
    let hasWaited = false;
    for (const period of periods) {
      const key = `${number} ${period.startText} ${period.endText}${view === undefined ? "" : ` ${view.key}`}`;
      let value = await resultCache.get(key, versionedSource);
      if (value === undefined) {
        // One query a turn, so that heartbeats wait for one of them and not for all (row `watchers/months`).
        if (!hasWaited) await turnOfLoop();
        hasWaited = true;
        const recording = recordReads(versionedSource);
        const yieldNow = (): Promise<void> | undefined => timeSlice.yield();
        const shared = { source: recording.source, budget, slot, memo, rules, yieldNow };
        const environment: Environment = { ...shared, name, variables: bound };
        value = await evaluate(program, period, environment);
        const reads = recording.reads();
        if (reads !== undefined) resultCache.put(key, value, reads);
      }
      results.push(value);
      budget.retain(sizeOf(value));
      budget.check();
      await budget.awaitMemory();
      await timeSlice.yield();
    }
    return results;
  }

  return {
    async run(request) {
      const { periods } = request;
      if (periods.length > limits.periods) {
        const most = `at most ${limits.periods} periods (queryLimits.periods)`;
        throw new ActivityError("INVALID_INPUT", `timeperiods must have ${most}, got ${periods.length}`);
      }
      const share = await load.begin(request.isGone);
      try {
        return await runPeriods(request, share);
      } finally {
        share.end();
      }
    },
  };
}
