// Sums up the activity of a period. docs/guides/reports.md
import type { DomainOf } from "../../api/codec.js";
import type { Bucket } from "../../domain/bucket.js";
import { isDemoBucket } from "../../domain/demo.js";
import { type Goal, readGoals } from "../../domain/goals.js";
import type { JsonObject } from "../../domain/json.js";
import { currentMicros, type Micros } from "../../domain/time.js";
import { readWorkdays } from "../../domain/weekday.js";
import type { Category } from "../../filter/categories.js";
import { compileCategories } from "../../filter/compile.js";
import { createBudget, type QueryBudget, type QueryLimits } from "../../query/budget.js";
import type { QueryLoad } from "../../query/load.js";
import type { BucketView } from "../../query/view.js";
import { AppNames } from "../../report/app-names.js";
import { cutExtras, extrasInBins, hasExtras } from "../../report/bin-extras.js";
import { daysBetween, type Period } from "../../report/calendar.js";
import { activeDaysOf, goalsIn } from "../../report/goals.js";
import { categorySums, coverageOf, type PartInput, partOf, type Sums } from "../../report/part.js";
import { type Plan, planOf, type ReportRequest } from "../../report/request.js";
import { compileGiven, compileRuleTest, type ReportRules } from "../../report/rules.js";
import type { Storage } from "../../storage/storage.js";
import type { Decide } from "../../transforms/data.js";
import type { CacheMemory } from "../../util/memory-budget.js";
import type { StorageSource } from "../event-source.js";
import { ReportCache } from "./cache.js";
import { PeriodSums, type Run } from "./period-sums.js";
import { reportRules } from "./rules.js";
import { createRun } from "./run.js";
import { Summaries } from "./summaries.js";
import { ReportWork } from "./work.js";

type Report = DomainOf<"Report">;

/** What reports are made from. */
export interface ReportParts {
  readonly storage: Storage;
  readonly version: string;
  readonly source: StorageSource;
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
const caches: WeakMap<StorageSource, { readonly reports: ReportCache; readonly summaries: Summaries }> = new WeakMap();

/** One report in progress. */
class Reporter {
  readonly #parts: ReportParts;
  readonly #work: ReportWork;

  constructor(parts: ReportParts, budget: QueryBudget) {
    this.#parts = parts;
    this.#work = new ReportWork(parts.source, budget);
  }

  async report(request: ReportRequest): Promise<Report> {
    const { storage, view, clock, trial } = this.#parts;
    // First, since categories to try out can contain the rule, and its own mistakes are clearer.
    const rule = request.rule && (await this.#work.finish(compileRuleTest(request.rule as JsonObject)));
    const rules = await this.#rules(request);
    const buckets = (await storage.listBuckets()).filter(({ id }) => view === undefined || view.sees(id));
    const seesNone = view?.isEmpty ?? false;
    const now = currentMicros(clock);
    const { around, ...plan } = planOf(request, rules.settings, now);
    const calendarWords = [request.dayStart, request.weekStart];
    const isKept = trial === undefined && !request.categories && !rule;
    const hasGoals = plan.terms.length === 0 && !rule && !seesNone;
    const given: Given = { hasGoals, now, rules, rule: rule ?? undefined, buckets, seesNone, isKept, calendarWords };
    const report = await this.#ofPlan(plan, given);
    if (around === undefined) return report;
    // Only active time is returned, so goals would only cost the categories of each bin.
    const { bins } = await this.#ofPlan(around, { ...given, hasGoals: false });
    return { ...report, around: bins.map(({ start, end, active }) => ({ start, end, active })) };
  }

  async #ofPlan(plan: Plan, given: Given): Promise<Report> {
    const { hasGoals, now, rules, rule, buckets, seesNone, isKept, calendarWords } = given;
    const isOver = plan.period.end <= now;
    const limit = isOver ? Number.POSITIVE_INFINITY : now;
    // Goals and faults show settings, which are nothing for a watcher that can only write.
    const faults = seesNone ? [] : [...rules.faults];
    const goals = hasGoals ? readGoals(rules.settings["goals"]) : [];
    const run = createRun({ plan, now, limit, rules }, buckets, { faults, goals, version: this.#parts.version, rule });
    if (!isKept) return this.#make(run, { goals, faults });
    const { calendar: _, ...facts } = plan;
    const described = buckets.map((one) => [one.id, one.hostname, one.type, isDemoBucket(one)]);
    // The calendar follows from the request and the settings.
    const minute = !isOver && Math.floor(now / MINUTE_MICROS);
    const key = JSON.stringify([facts, minute, calendarWords, described, seesNone]);
    const { reports, summaries } = this.#caches();
    return reports.get({ key, bucketIds: run.spec.bucketIds, rules }, () =>
      this.#make(run, { goals, faults, summaries }),
    );
  }

  #caches() {
    const { storage, source, memory } = this.#parts;
    const known = caches.get(source);
    if (known !== undefined) return known;
    const made = { reports: new ReportCache(source, memory), summaries: new Summaries(storage, memory) };
    caches.set(source, made);
    return made;
  }

  async #rules({ categories }: ReportRequest): Promise<ReportRules> {
    const { storage, trial } = this.#parts;
    const rules = await reportRules(storage, (steps) => this.#work.finish(steps));
    if (categories) return this.#work.finish(compileGiven(rules, categories as readonly JsonObject[]));
    if (trial === undefined) return rules;
    const tried = await this.#work.finish(compileCategories([trial]));
    return { ...rules, categories: [...rules.categories, ...tried], known: new WeakMap() };
  }

  async #make(run: Run, { goals, faults, summaries }: Extras): Promise<Report> {
    const { plan, rules } = run;
    const sums = new PeriodSums(run, this.#work, summaries);
    const compared = plan.compared && (await this.#part(run, sums, { period: plan.compared, keepsSums: true }));
    const wanted = { period: plan.period, before: compared?.sums };
    const { part, summary, days: ofPeriod } = await this.#part(run, sums, wanted);
    const days = daysBetween(plan.period.first, plan.period.last) + 1;
    const workdays = readWorkdays(rules.settings["workdays"]);
    const activeDays = days === 1 ? [] : activeDaysOf(summary, ofPeriod, workdays);
    return {
      ...part,
      timeZone: plan.zone,
      firstDay: plan.period.first,
      lastDay: plan.period.last,
      ...(compared && { compared: compared.part }),
      coverage: summary.coverage.map(coverageOf),
      unassigned: [...run.unassigned],
      goals: goals.length === 0 ? [] : goalsIn(goals, { sums: categorySums(summary), days, activeDays }),
      faults,
    };
  }

  async #part(
    { plan, rules, hosts, categoryOf, wishes: { extras } }: Run,
    sums: PeriodSums,
    { period, keepsSums = false, before }: Wanted,
  ) {
    const { by, calendar, groups, shortestBreak } = plan;
    const ofDays = await this.#work.finish(calendar.borders(period, "day"));
    const shortest = by === "hour" ? await this.#work.finish(calendar.borders(period, by)) : ofDays;
    const both = { bins: shortest, days: ofDays };
    const whole = hasExtras(plan) && extras === undefined ? await sums.ofWhole(period, both) : undefined;
    const summary = whole?.summary ?? (await sums.of(period, both));
    const borders = by === undefined ? [] : await this.#work.finish(calendar.borders(period, by));
    const events = await whole?.events();
    const appNames = new AppNames(rules.settings["app_names"]);
    const wishes = { groups, borders, shortestBreak, categoryOf, appNames };
    const days = await this.#work.finish(calendar.days(period));
    const input: PartInput = {
      ...{ start: period.start, end: period.end, summary, keepsSums, groups, borders, days, appNames },
      scoreOf: rules.scoreOf,
      hosts: hosts.map(({ host }) => host),
      binExtras: (room) =>
        events ? extrasInBins(events, wishes, room) : cutExtras(summary.extras ?? [], groups, room),
    };
    return { ...(await this.#work.finish(partOf(input, before))), summary, days };
  }
}

/** What the plans of one request have in common. */
interface Given {
  readonly hasGoals: boolean;
  readonly now: Micros;
  readonly rules: ReportRules;
  readonly rule: Decide<boolean> | undefined;
  readonly buckets: readonly Bucket[];
  /** Whether the caller may not read any bucket. */
  readonly seesNone: boolean;
  /** Whether the stored settings alone decide what counts. */
  readonly isKept: boolean;
  /** The fields that define days and weeks. */
  readonly calendarWords: readonly unknown[];
}

interface Extras {
  readonly goals: readonly Goal[];
  readonly faults: readonly DomainOf<"ReportFault">[];
  /** Where sums are kept, if the stored settings alone decide what counts. */
  readonly summaries?: Summaries;
}

interface Wanted {
  readonly period: Period;
  readonly keepsSums?: boolean;
  readonly before?: Sums | undefined;
}
