import type { JsonObject } from "../domain/json.js";
import { ActivityError } from "../errors.js";
import { LruCache } from "../util/lru-cache.js";
import { createTimeSlice } from "../util/time-slice.js";
import type { Program } from "./ast.js";
import { createBudget, type QueryLimits } from "./budget.js";
import { type Environment, evaluate } from "./evaluator.js";
import type { QueryFunction } from "./function.js";
import { FUNCTIONS } from "./functions.js";
import { QueryLoad, type QueryShare } from "./load.js";
import { Memo } from "./memo.js";
import { parseProgram } from "./parser.js";
import { ResultCache, recordReads } from "./result-cache.js";
import { createRuleFunctions } from "./rule-functions.js";
import { sizeOf } from "./size.js";
import { BudgetSlot } from "./slot.js";
import type { EventSource } from "./source.js";
import type { Value } from "./values.js";
import { readVariables } from "./variables.js";
import { cacheVersions } from "./version-cache.js";
import { type BucketView, restrictSource } from "./view.js";
import type { Timeperiod } from "./window.js";

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
/** Memory for the sources of known programs, in bytes. */
const TEXT_BYTES = 16 * 1024 * 1024;
/** Maximum number of buckets whose versions are requested at once. */
const MAX_BUCKETS = 100;

/**
 * Creates an engine. It reuses parsed programs, compiled rules and results across queries.
 *
 * @param load shared with similar work
 */
export function createQueryEngine(
  source: EventSource,
  limits: QueryLimits,
  load: QueryLoad = new QueryLoad(),
): QueryEngine {
  const slot = new BudgetSlot();
  const memo = new Memo();
  const resultCache = new ResultCache();
  const programs = new LruCache<string, Program>(PROGRAM_BYTES);
  const functions: ReadonlyMap<string, QueryFunction> = new Map(
    [...FUNCTIONS, ...createRuleFunctions(slot)].map((each) => [each.name, each]),
  );

  function parseCached(text: string): Program {
    const program = programs.get(text) ?? parseProgram(text);
    programs.put(text, program, text.length * BYTES_PER_CHARACTER);
    return program;
  }

  const numbers = new LruCache<string, number>(TEXT_BYTES);
  let lastNumber = 0;

  /** Short number for a program and name in cache keys: a request with a long program may have thousands of periods. */
  function numberProgram(text: string, name: string, variables: JsonObject): number {
    const key = JSON.stringify([name, text, variables]);
    const number = numbers.get(key) ?? ++lastNumber;
    numbers.put(key, number, key.length * 2);
    return number;
  }

  async function runPeriods(request: QueryRequest, share: QueryShare): Promise<Value[]> {
    const { text, periods, name = "", variables = {}, isGone = () => false, view } = request;
    const timeSlice = createTimeSlice();
    const budget = createBudget(limits, isGone, share);
    const program = parseCached(text);
    const bound = readVariables(variables, budget);
    const visible = view === undefined ? source : restrictSource(view, source);
    const versionedSource = cacheVersions(visible, program.bucketIds.slice(0, MAX_BUCKETS));
    const number = numberProgram(text, name, variables);
    const results: Value[] = [];
    for (const period of periods) {
      const key = JSON.stringify([number, period.startText, period.endText, view?.key]);
      let value = await resultCache.get(key, versionedSource);
      if (value === undefined) {
        const recording = recordReads(versionedSource);
        const yieldNow = (): Promise<void> | undefined => timeSlice.yield();
        const shared = { source: recording.source, functions, budget, slot, memo, yieldNow };
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
