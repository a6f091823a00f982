// Sums up the activity of a period. docs/guides/reports.md
import type { DomainOf } from "../../api/codec.js";
import { EventBatch } from "../../domain/batch.js";
import type { Bucket } from "../../domain/bucket.js";
import { readGoals } from "../../domain/goals.js";
import type { JsonObject } from "../../domain/json.js";
import { currentMicros, type Micros } from "../../domain/time.js";
import { hasCode } from "../../errors.js";
import type { Category } from "../../filter/categories.js";
import { compileCategories } from "../../filter/compile.js";
import { createBudget, type QueryBudget, type QueryLimits } from "../../query/budget.js";
import type { QueryLoad } from "../../query/load.js";
import { BudgetSlot } from "../../query/slot.js";
import type { EventSource } from "../../query/source.js";
import type { BucketView } from "../../query/view.js";
import { activityOf, filtered, type HostActivity, presenceAt, together } from "../../report/activity.js";
import { browserOf } from "../../report/browsers.js";
import { bucketsOf, type HostBuckets } from "../../report/buckets.js";
import { daysBetween, type Period } from "../../report/calendar.js";
import { coverOnce, overlaidAll } from "../../report/cover.js";
import { coverageOf } from "../../report/coverage.js";
import { goalsIn } from "../../report/goals.js";
import { type PartInput, partOf, type ReportPart, type Sums } from "../../report/part.js";
import { type Plan, planOf, type ReportRequest } from "../../report/request.js";
import {
  categoryFinder,
  compiledOr,
  compileGiven,
  compileRuleTest,
  type Pattern,
  type ReportRules,
} from "../../report/rules.js";
import { type CategoryOf, sumsByCategory } from "../../report/sums.js";
import type { Storage } from "../../storage/storage.js";
import type { Decide } from "../../transforms/data.js";
import type { Steps } from "../../transforms/steps.js";
import type { TextTest } from "../../transforms/text-test.js";
import type { CacheMemory } from "../../util/memory-budget.js";
import { createTimeSlice, type TimeSlice } from "../../util/time-slice.js";
import { ReportCache } from "./cache.js";
import { type FilterParts, filterParts } from "./filter.js";
import { reportRules } from "./rules.js";

type Report = DomainOf<"Report">;

/** What reports are made from. */
export interface ReportParts {
  readonly storage: Storage;
  readonly source: EventSource;
  readonly load: QueryLoad;
  readonly limits: QueryLimits;
  /** Counts the kept reports. */
  readonly memory: CacheMemory | undefined;
  /** Returns Unix milliseconds. */
  readonly clock: () => number;
  /** The buckets that the caller can see; `undefined` for all. */
  readonly view: BucketView | undefined;
  /** Whether the caller has left. */
  readonly isGone: () => boolean;
  /** A category to try out: the report is made as if it were the last one. */
  readonly trial?: Category | undefined;
}

/**
 * Makes a report, with the limits of a query.
 *
 * @throws ActivityError `INVALID_INPUT`, `QUERY_TOO_LARGE`, `BUSY`
 */
export async function report(parts: ReportParts, request: ReportRequest): Promise<Report> {
  const share = await parts.load.begin(parts.isGone);
  try {
    const budget = createBudget(parts.limits, parts.isGone, share);
    return await new Reporter(parts, budget).report(request);
  } finally {
    share.end();
  }
}

const MINUTE_MICROS = 60_000_000;

/** By the source of their events. */
const caches: WeakMap<EventSource, ReportCache> = new WeakMap();

/** One report in progress. */
class Reporter {
  readonly #parts: ReportParts;
  readonly #budget: QueryBudget;
  readonly #slot: BudgetSlot = new BudgetSlot();
  readonly #timeSlice: TimeSlice = createTimeSlice();
  readonly #faults: DomainOf<"ReportFault">[] = [];
  /** The end of what counts: time after now has not passed, although events can claim it. */
  #end: Micros = Number.POSITIVE_INFINITY;

  constructor(parts: ReportParts, budget: QueryBudget) {
    this.#parts = parts;
    this.#budget = budget;
  }

  async report(request: ReportRequest): Promise<Report> {
    const { storage, source, memory, view, clock, trial } = this.#parts;
    const rules = await this.#rules(request);
    this.#faults.push(...rules.faults);
    const now = currentMicros(clock);
    const plan = planOf(request, rules.settings, now);
    const buckets = (await storage.listBuckets()).filter(({ id }) => view === undefined || view.sees(id));
    const isOver = plan.period.end <= now;
    if (!isOver) this.#end = now;
    const rule = request.rule && (await this.#finish(compileRuleTest(rules, request.rule as JsonObject)));
    const make = () => this.#make({ plan, rules, rule: rule ?? undefined, buckets });
    if (trial !== undefined || request.categories || rule) return make();
    const cache = caches.get(source) ?? new ReportCache(source, memory);
    caches.set(source, cache);
    const { calendar: _, ...facts } = plan;
    const described = buckets.map(({ id, hostname, type }) => [id, hostname, type]);
    // The calendar follows from the request and the settings.
    const minute = !isOver && Math.floor(now / MINUTE_MICROS);
    const key = JSON.stringify([facts, minute, request.dayStart, request.weekStart, described]);
    return cache.get({ key, bucketIds: buckets.map(({ id }) => id), rules }, make);
  }

  async #rules({ categories }: ReportRequest): Promise<ReportRules> {
    const { storage, trial } = this.#parts;
    const rules = await reportRules(storage, (steps) => this.#finish(steps));
    if (categories) return this.#finish(compileGiven(rules, categories as readonly JsonObject[]));
    if (trial === undefined) return rules;
    const tried = await this.#finish(compileCategories([trial]));
    return { ...rules, categories: [...rules.categories, ...tried], known: new WeakMap() };
  }

  async #make(given: Pick<Run, "plan" | "rules" | "rule" | "buckets">): Promise<Report> {
    const { plan, rules, rule, buckets } = given;
    const filter = filterParts(plan.terms, rules.categories, rule);
    const run: Run = { ...given, filter, hosts: bucketsOf(buckets, plan.hosts), categoryOf: categoryFinder(rules) };
    const compared = plan.compared && (await this.#part(run, plan.compared, true));
    const { part, hosts, input } = await this.#part(run, plan.period, false, compared?.sums);
    const coverage: Report["coverage"][number][] = [];
    for (const { host, covered } of hosts) {
      for (const each of covered) coverage.push(await this.#finish(coverageOf(host, each)));
    }
    return {
      ...part,
      timeZone: plan.zone,
      firstDay: plan.period.first,
      lastDay: plan.period.last,
      ...(compared && { compared: compared.part }),
      coverage,
      goals: filter === undefined ? await this.#goals(run, input, part) : [],
      faults: this.#faults,
    };
  }

  async #part(run: Run, period: Period, keepsSums: boolean, before?: Sums): Promise<Made> {
    const { plan, filter, categoryOf } = run;
    const { start, end } = period;
    const found: HostActivity[] = [];
    for (const buckets of run.hosts) found.push(await this.#host(run, buckets, period));
    const least = plan.by && plan.shortestBreak;
    const breaks = least === undefined ? undefined : { activity: await this.#finish(presenceAt(found)), least };
    const hosts: HostActivity[] = [];
    for (const host of found) hosts.push(filter === undefined ? host : await this.#finish(filtered(host, filter)));
    const all = await this.#finish(together(hosts));
    const types = await this.#types(run, period);
    const borders = plan.by === undefined ? [] : await this.#finish(plan.calendar.borders(period, plan.by));
    const days = await this.#finish(plan.calendar.days(period));
    const { groups } = plan;
    const input: PartInput = { start, end, all, hosts, types, groups, days, borders, breaks, categoryOf, keepsSums };
    return { ...(await this.#finish(partOf(input, before))), hosts, input };
  }

  async #host({ rules, plan, filter }: Run, buckets: HostBuckets, period: Period): Promise<HostActivity> {
    const readAll = async (ids: readonly string[]) => {
      const all: { readonly id: string; readonly events: EventBatch }[] = [];
      for (const id of ids) all.push({ id, events: await this.#read(id, period) });
      return all;
    };
    const needsFiles =
      (filter?.fileKeys.length ?? 0) > 0 ||
      plan.shortestBreak !== undefined ||
      plan.groups.some(({ source }) => source.kind === "edits");
    const { alwaysActive } = rules;
    const given = {
      host: buckets.host,
      windows: await readAll(buckets.windows),
      phones: await readAll(buckets.phones),
      afk: await readAll(buckets.afk),
      browsers: (await readAll(buckets.browsers)).map(({ id, events }) => {
        const { apps, pattern } = browserOf(id, rules.browsers);
        return { id, events, apps: new Set(apps), matches: this.#test(this.#browserRegex(id, pattern)) };
      }),
      editors: needsFiles ? await readAll(buckets.editors) : [],
    };
    return this.#finish(activityOf(given, this.#test(alwaysActive)));
  }

  readonly #browsers: Map<string, Pattern | undefined> = new Map();

  #browserRegex(bucketId: string, pattern: string): Pattern | undefined {
    if (!this.#browsers.has(pattern)) {
      this.#browsers.set(pattern, compiledOr(this.#faults, "browser_apps", bucketId, pattern));
    }
    return this.#browsers.get(pattern);
  }

  #test(regex: Pattern | undefined): TextTest | undefined {
    return regex && ((text) => regex.test(text, this.#slot));
  }

  /** Events from buckets of other types, for the lists that need them. */
  async #types({ plan, filter, buckets }: Run, period: Period): Promise<Map<string, EventBatch>> {
    const types = new Map<string, EventBatch>();
    for (const { source } of plan.groups) {
      if (source.kind !== "type" || types.has(source.type)) continue;
      const lists: EventBatch[] = [];
      for (const { id, hostname, type } of buckets) {
        if (type !== source.type || plan.hosts?.includes(hostname) === false) continue;
        const covered = await this.#finish(coverOnce(await this.#read(id, period)));
        lists.push(filter === undefined ? covered : await this.#finish(filter.keep(covered)));
      }
      types.set(source.type, await this.#finish(overlaidAll(lists)));
    }
    return types;
  }

  /** The events of a bucket that may be deleted in the meantime. */
  async #read(bucketId: string, { start, end }: Period): Promise<EventBatch> {
    const { source } = this.#parts;
    const budget = this.#budget;
    let made = 0;
    try {
      const { events } = await source.readEvents(bucketId, start, Math.min(end, this.#end), (soFar, dataBytes) => {
        budget.check();
        budget.made(dataBytes - made, dataBytes / Math.max(soFar, 1));
        made = dataBytes;
        const size = { nodes: 1, events: soFar, depth: 0 };
        budget.checkSize(size);
        return budget.awaitMemory(size);
      });
      budget.countProduced(events.length);
      return events;
    } catch (cause) {
      if (!hasCode(cause, "NO_SUCH_BUCKET")) throw cause;
      return EventBatch.from([]);
    }
  }

  async #goals({ plan, rules, categoryOf }: Run, { all }: PartInput, { totals }: ReportPart): Promise<Report["goals"]> {
    const goals = readGoals(rules.settings["goals"]);
    if (goals.length === 0) return [];
    const { period } = plan;
    const sums = await this.#finish(sumsByCategory(all.windows, categoryOf));
    const days = daysBetween(period.first, period.last) + 1;
    return goalsIn(goals, sums.values(), { days, activeDays: totals.days?.count ?? 0 });
  }

  /** Finishes a computation; other work runs in between. @throws ActivityError `QUERY_TOO_LARGE`, AbandonedError */
  async #finish<Result>(steps: Steps<Result> | Generator<void, Result, void>): Promise<Result> {
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

/** What all parts of a report have in common. */
interface Run {
  readonly plan: Plan;
  readonly rules: ReportRules;
  /** The rule that windows must match; absent for all windows. */
  readonly rule: Decide<boolean> | undefined;
  readonly filter: FilterParts | undefined;
  readonly buckets: readonly Bucket[];
  readonly hosts: readonly HostBuckets[];
  readonly categoryOf: CategoryOf;
}

interface Made {
  readonly part: ReportPart;
  readonly sums: Sums;
  readonly hosts: readonly HostActivity[];
  readonly input: PartInput;
}
