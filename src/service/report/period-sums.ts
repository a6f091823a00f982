// Sums up a period in parts, whose sums are kept.
import type { EventBatch } from "../../domain/batch.js";
import type { Micros } from "../../domain/time.js";
import { activityOf, filtered, type HostActivity, presenceAt, together, withEntered } from "../../report/activity.js";
import { AppNames } from "../../report/app-names.js";
import { extrasInBins, type PeriodEvents } from "../../report/bin-extras.js";
import type { BrowserPattern } from "../../report/browsers.js";
import type { HostBuckets } from "../../report/buckets.js";
import type { Period } from "../../report/calendar.js";
import { overlaidAll } from "../../report/cover.js";
import { type Crossings, type Piece, rangeOf } from "../../report/piece.js";
import type { Plan } from "../../report/request.js";
import type { Pattern, ReportRules } from "../../report/rules.js";
import { addSummaries, type Summary, type SummaryWishes, summaryOf } from "../../report/summary.js";
import type { CategoryOf } from "../../report/sums.js";
import { firstWhere } from "../../util/binary-search.js";
import type { FilterParts } from "./filter.js";
import { joined, leavesOf, type PieceTree, piecesOf } from "./pieces.js";
import { allOf, Reads, togetherOf } from "./reads.js";
import type { Found, PieceVersions, Summaries, SummarySpec } from "./summaries.js";
import type { ReportWork } from "./work.js";

/** Joins of parts after which the whole period is summed up at once. */
const MAX_JOINS = 4;
/** Sums of fewer events are not stored: making them again takes no longer than reading them. */
const FEWEST_STORED_EVENTS = 100;
const NO_CROSSINGS: Crossings = { atStart: false, atEnd: false };

/** What all parts of a report have in common. */
export interface Run {
  readonly plan: Plan;
  readonly now: Micros;
  /** The end of what counts: time after now has not passed, although events can claim it. */
  readonly limit: Micros;
  readonly rules: ReportRules;
  readonly filter: FilterParts | undefined;
  readonly hosts: readonly HostBuckets[];
  /** Buckets of browsers without a host that do not clearly belong to one. */
  readonly unassigned: readonly string[];
  /** Buckets of other types that lists need. */
  readonly types: ReadonlyMap<string, readonly string[]>;
  /** Whether files are needed. */
  readonly hasFiles: boolean;
  /** How to recognize windows of the browser that reports to a bucket. */
  readonly browsers: ReadonlyMap<string, BrowserWindows>;
  readonly categoryOf: CategoryOf;
  readonly wishes: SummaryWishes;
  readonly spec: SummarySpec;
}

/** How to recognize the windows of a browser. */
export interface BrowserWindows {
  readonly apps: BrowserPattern["apps"];
  /** Absent for an invalid pattern. */
  readonly pattern: Pattern | undefined;
}

/** Borders in a period. */
export interface Borders {
  /** Of the shortest bins that are needed. */
  readonly bins: readonly Micros[];
  readonly days: readonly Micros[];
}

/** Sums up periods for one report. */
export class PeriodSums {
  readonly #run: Run;
  readonly #work: ReportWork;
  readonly #kept: Summaries | undefined;

  /** @param kept where summaries are kept, if at all */
  constructor(run: Run, work: ReportWork, kept: Summaries | undefined) {
    this.#run = run;
    this.#work = work;
    this.#kept = kept;
  }

  /** Sums up a period at once, and returns its events as well. */
  async ofWhole(period: Period, borders: Borders): Promise<Made> {
    return this.#make(joined(period, period), borders);
  }

  async of(period: Period, borders: Borders): Promise<Summary> {
    const { plan, now } = this.#run;
    const tree = await this.#work.finish(piecesOf(period, plan.calendar, now));
    const versions = await this.#versionsOf(tree);
    const found = await this.#sums(tree, borders, versions);
    const parts: Sum[] = [];
    let joins = 0;
    for (let at = 0; at < found.length; at++) {
      let next = found[at] as Sum;
      while (next.summary === undefined) {
        const before = next.crossings.atStart ? parts.pop() : undefined;
        let piece = joined(period, period);
        if (++joins > MAX_JOINS) {
          parts.length = 0;
          at = found.length;
        } else if (before !== undefined) piece = joined({ start: before.piece.start, end: next.piece.end }, period);
        else piece = joined({ start: next.piece.start, end: (found[++at] as Sum).piece.end }, period);
        next = await this.#find(piece, borders);
      }
      parts.push(next);
    }
    await this.#kept?.stored();
    return this.#add(parts);
  }

  /** The sums of a part as a whole, or those of its parts if overlaps prevent that, up to too many of these. */
  async #sums({ piece, parts, isYear }: PieceTree, borders: Borders, versions: TreeVersions): Promise<readonly Sum[]> {
    if (parts.length === 0) return [await this.#find(piece, borders, versions.own)];
    const known = await this.#known(piece, bordersIn(borders.bins, piece), versions.own);
    if (known?.summary !== undefined) return [{ ...known, piece, versions: versions.own }];
    const found: Sum[] = [];
    for (const [at, part] of parts.entries()) {
      found.push(...(await this.#sums(part, borders, versions.parts[at] as TreeVersions)));
      if (found.filter(({ summary }) => summary === undefined).length > 2 * MAX_JOINS) return found;
    }
    if (this.#kept === undefined || found.some(({ summary }) => summary === undefined)) return found;
    const sum: Sum = {
      ...{ piece, versions: togetherOf(found.map(({ versions }) => versions)) },
      ...{ crossings: NO_CROSSINGS, summary: await this.#add(found) },
    };
    if (this.#isPast(piece)) {
      const storing = isYear && hasEvents(sum.summary) ? { isYear, now: this.#run.now } : undefined;
      this.#kept.put(this.#run.spec, piece, sum.versions, { ...sum, storing });
    }
    return [sum];
  }

  #add(parts: readonly Sum[]): Promise<Summary> {
    return this.#work.finish(addSummaries(parts.map(({ summary }) => summary as Summary)));
  }

  /** The versions of all events in a part and in its parts. */
  async #versionsOf(tree: PieceTree): Promise<TreeVersions> {
    const leaves = [...leavesOf(tree)].map(({ piece }) => piece);
    const { bucketIds } = this.#run.spec;
    const ofBuckets: (readonly PieceVersions[])[] = [];
    for (const id of bucketIds) ofBuckets.push((await this.#kept?.versionsOf(id, leaves)) ?? []);
    let leaf = 0;
    const ofTree = ({ parts }: PieceTree): TreeVersions => {
      const versions = parts.map(ofTree);
      if (parts.length > 0) return { own: togetherOf(versions.map(({ own }) => own)), parts: versions };
      const at = leaf++;
      return { own: allOf(ofBuckets.map((versions) => versions[at])), parts: [] };
    };
    return ofTree(tree);
  }

  /** Finds the sums of a part, or makes them. */
  async #find(piece: Piece, borders: Borders, given?: PieceVersions): Promise<Sum> {
    const own = { bins: bordersIn(borders.bins, piece), days: bordersIn(borders.days, piece) };
    const versions = given ?? (await this.#versionsOf({ piece, parts: [], isYear: false })).own;
    const known = await this.#known(piece, own.bins, versions);
    return known === undefined ? this.#make(piece, own) : { ...known, piece, versions };
  }

  async #known(piece: Piece, bins: readonly Micros[], versions: PieceVersions): Promise<Found | undefined> {
    const known = this.#isPast(piece) ? await this.#kept?.get(this.#run.spec, piece, versions) : undefined;
    return known?.summary === undefined || isSame(known.summary.borders, bins) ? known : undefined;
  }

  /** Whether the sums of a part stay the same until its events change. */
  #isPast(piece: Piece): boolean {
    return rangeOf(piece).end <= this.#run.now;
  }

  async #make(piece: Piece, { bins, days }: Borders): Promise<Made> {
    const { filter, hosts: buckets, spec, wishes, categoryOf, now, limit } = this.#run;
    const crossings: Crossings = { atStart: false, atEnd: false };
    const reads = new Reads({ work: this.#work, kept: this.#kept, limit }, piece, crossings);
    const read: HostActivity[] = [];
    const hosts: HostActivity[] = [];
    const types = new Map<string, EventBatch>();
    for (const each of buckets) read.push(await this.#host(each, reads));
    const found = await this.#work.finish(withEntered(read));
    for (const host of found) {
      hosts.push(filter === undefined ? host : await this.#work.finish(filtered(host, filter)));
    }
    for (const [type, ids] of this.#run.types) {
      const lists: EventBatch[] = [];
      for (const { events } of await reads.all(ids)) {
        lists.push(filter === undefined ? events : await this.#work.finish(filter.keep(events)));
      }
      types.set(type, await this.#work.finish(overlaidAll(lists)));
    }
    const all = await this.#work.finish(together(hosts));
    const input = { ...wishes, all, hosts, types, borders: bins, days, categoryOf };
    const isApart = !crossings.atStart && !crossings.atEnd;
    const events = async () => ({ all, types, presence: await this.#work.finish(presenceAt(found)) });
    const summary = isApart ? await this.#withExtras(await this.#work.finish(summaryOf(input)), events) : undefined;
    const versions = allOf(spec.bucketIds.map((id) => reads.versions.get(id)));
    if (this.#isPast(piece)) {
      const storing = reads.events < FEWEST_STORED_EVENTS ? undefined : { isYear: false, now };
      this.#kept?.put(spec, piece, versions, { crossings, summary, storing });
    }
    return { piece, versions, crossings, summary, events };
  }

  async #withExtras(summary: Summary, events: Made["events"]): Promise<Summary> {
    const { wishes, rules, categoryOf } = this.#run;
    if (wishes.extras === undefined) return summary;
    const appNames = new AppNames(rules.settings["app_names"]);
    const ofBins = { ...wishes.extras, borders: summary.borders, categoryOf, appNames };
    const room = { characters: Number.POSITIVE_INFINITY };
    return { ...summary, extras: await this.#work.finish(extrasInBins(await events(), ofBins, room)) };
  }

  async #host(buckets: HostBuckets, reads: Reads): Promise<HostActivity> {
    const { rules, hasFiles, browsers } = this.#run;
    const given = {
      host: buckets.host,
      windows: await reads.all(buckets.windows),
      phones: await reads.all(buckets.phones),
      afk: await reads.all(buckets.afk),
      browsers: (await reads.all(buckets.browsers)).map(({ id, events }) => {
        const { apps = [], pattern } = browsers.get(id) ?? {};
        return { id, events, apps: new Set(apps), matches: this.#work.test(pattern) };
      }),
      editors: hasFiles ? await reads.all(buckets.editors) : [],
      stopwatches: await reads.all(buckets.stopwatches),
    };
    return this.#work.finish(activityOf(given, this.#work.test(rules.alwaysActive)));
  }
}

/** The sums of a part of the period. */
interface Sum extends Found {
  readonly piece: Piece;
  readonly versions: PieceVersions;
}

interface Made extends Sum {
  readonly events: () => Promise<PeriodEvents>;
}

interface TreeVersions {
  readonly own: PieceVersions;
  readonly parts: readonly TreeVersions[];
}

function hasEvents(summary: Summary | undefined): boolean {
  return summary?.coverage.some(({ first }) => first !== null) ?? false;
}

/** @param borders ascending */
function bordersIn(borders: readonly Micros[], { start, end }: Piece): readonly Micros[] {
  const from = firstWhere(0, borders.length, (at) => (borders[at] as number) >= start);
  return borders.slice(
    from,
    firstWhere(from, borders.length, (at) => (borders[at] as number) > end),
  );
}

function isSame(one: readonly Micros[], other: readonly Micros[]): boolean {
  return one.length === other.length && one.every((at, index) => at === other[index]);
}
