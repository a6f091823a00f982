// Sums up a period in parts, whose sums are kept.
import type { EventBatch } from "../../domain/batch.js";
import type { Micros } from "../../domain/time.js";
import {
  activityOf,
  type BucketEvents,
  filtered,
  type HostActivity,
  presenceAt,
  together,
} from "../../report/activity.js";
import type { PeriodEvents } from "../../report/bin-extras.js";
import type { BrowserPattern } from "../../report/browsers.js";
import type { HostBuckets } from "../../report/buckets.js";
import type { Period } from "../../report/calendar.js";
import { overlaidAll } from "../../report/cover.js";
import { type Crossings, coveredIn, type Piece, rangeOf } from "../../report/piece.js";
import type { Plan } from "../../report/request.js";
import type { Pattern, ReportRules } from "../../report/rules.js";
import { addSummaries, type Summary, type SummaryWishes, summaryOf } from "../../report/summary.js";
import type { CategoryOf } from "../../report/sums.js";
import type { FilterParts } from "./filter.js";
import { joined, piecesOf } from "./pieces.js";
import type { Found, PieceVersions, Summaries, SummarySpec } from "./summaries.js";
import type { ReportWork } from "./work.js";

/** Joins of parts after which the whole period is summed up at once. */
const MAX_JOINS = 4;

/** What all parts of a report have in common. */
export interface Run {
  readonly plan: Plan;
  readonly now: Micros;
  /** The end of what counts: time after now has not passed, although events can claim it. */
  readonly limit: Micros;
  readonly rules: ReportRules;
  readonly filter: FilterParts | undefined;
  readonly hosts: readonly HostBuckets[];
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
    const pieces = await this.#work.finish(piecesOf(period, plan.calendar, now));
    const versions = await this.#versionsOf(pieces);
    const parts: { readonly piece: Piece; readonly summary: Summary }[] = [];
    let joins = 0;
    for (let at = 0; at < pieces.length; at++) {
      let piece = pieces[at] as Piece;
      let found = await this.#find(piece, borders, versions[at]);
      while (found.summary === undefined) {
        const before = found.crossings.atStart ? parts.pop() : undefined;
        if (++joins > MAX_JOINS) {
          piece = joined(period, period);
          parts.length = 0;
          at = pieces.length;
        } else if (before !== undefined) piece = joined({ start: before.piece.start, end: piece.end }, period);
        else piece = joined({ start: piece.start, end: (pieces[++at] as Piece).end }, period);
        found = await this.#find(piece, borders);
      }
      parts.push({ piece, summary: found.summary });
    }
    return this.#work.finish(addSummaries(parts.map(({ summary }) => summary)));
  }

  /** The versions of all events in each part. */
  async #versionsOf(pieces: readonly Piece[]): Promise<readonly PieceVersions[]> {
    const { bucketIds } = this.#run.spec;
    const ofBuckets: (readonly PieceVersions[])[] = [];
    for (const id of bucketIds) ofBuckets.push((await this.#kept?.versionsOf(id, pieces)) ?? []);
    return pieces.map((_, at) => allOf(ofBuckets.map((versions) => versions[at])));
  }

  /** Finds the sums of a part, or makes them. */
  async #find(piece: Piece, borders: Borders, given?: PieceVersions): Promise<Found> {
    const { spec } = this.#run;
    const own = { bins: bordersIn(borders.bins, piece), days: bordersIn(borders.days, piece) };
    const versions = given ?? (await this.#versionsOf([piece]))[0] ?? UNKNOWN;
    const known = this.#isPast(piece) ? await this.#kept?.get(spec, piece, versions) : undefined;
    if (known !== undefined && (known.summary === undefined || isSame(known.summary.borders, own.bins))) return known;
    return this.#make(piece, own);
  }

  /** Whether the sums of a part stay the same until its events change. */
  #isPast(piece: Piece): boolean {
    return rangeOf(piece).end <= this.#run.now;
  }

  async #make(piece: Piece, { bins, days }: Borders): Promise<Made> {
    const { filter, hosts: buckets, spec, wishes, categoryOf, now, limit } = this.#run;
    const crossings: Crossings = { atStart: false, atEnd: false };
    const reads = new Reads({ work: this.#work, kept: this.#kept, limit }, piece, crossings);
    const found: HostActivity[] = [];
    const hosts: HostActivity[] = [];
    const types = new Map<string, EventBatch>();
    for (const each of buckets) {
      const host = await this.#host(each, reads);
      found.push(host);
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
    const summary = isApart ? await this.#work.finish(summaryOf(input)) : undefined;
    if (this.#isPast(piece)) {
      const versions = allOf(spec.bucketIds.map((id) => reads.versions.get(id)));
      await this.#kept?.put(spec, piece, versions, { crossings, summary, events: reads.events, now });
    }
    const events = async () => ({ all, types, presence: await this.#work.finish(presenceAt(found)) });
    return { crossings, summary, events };
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
    };
    return this.#work.finish(activityOf(given, this.#work.test(rules.alwaysActive)));
  }
}

interface Made extends Found {
  readonly events: () => Promise<PeriodEvents>;
}

interface ReadParts {
  readonly work: ReportWork;
  readonly kept: Summaries | undefined;
  readonly limit: Micros;
}

/** The reads of one part, and the versions that they show. */
class Reads {
  readonly versions: Map<string, PieceVersions> = new Map();
  /** The number of events read. */
  events = 0;
  readonly #work: ReportWork;
  readonly #kept: Summaries | undefined;
  readonly #limit: Micros;
  readonly #piece: Piece;
  readonly #crossings: Crossings;

  constructor({ work, kept, limit }: ReadParts, piece: Piece, crossings: Crossings) {
    this.#work = work;
    this.#kept = kept;
    this.#limit = limit;
    this.#piece = piece;
    this.#crossings = crossings;
  }

  async all(bucketIds: readonly string[]): Promise<readonly BucketEvents[]> {
    const all: BucketEvents[] = [];
    for (const id of bucketIds) all.push({ id, events: await this.#covered(id) });
    return all;
  }

  async #covered(bucketId: string): Promise<EventBatch> {
    const [before] = await this.#work.source.versions([bucketId]);
    const [version = UNKNOWN] = (await this.#kept?.versionsOf(bucketId, [this.#piece])) ?? [];
    const { start, end } = rangeOf(this.#piece);
    const { events, version: shown } = await this.#work.read(bucketId, { start, end: Math.min(end, this.#limit) });
    // No version is used twice, so `version` was requested while the bucket was as the read shows it.
    this.versions.set(bucketId, shown !== undefined && shown === before ? version : UNKNOWN);
    this.events += events.length;
    return this.#work.finish(coveredIn(events, this.#piece, this.#crossings));
  }
}

const UNKNOWN: PieceVersions = { text: undefined, isLasting: false };

function allOf(versions: readonly (PieceVersions | undefined)[]): PieceVersions {
  if (versions.some((version) => version?.text === undefined)) return UNKNOWN;
  const text = JSON.stringify(versions.map((version) => version?.text));
  return { text, isLasting: versions.every((version) => version?.isLasting) };
}

function bordersIn(borders: readonly Micros[], { start, end }: Piece): readonly Micros[] {
  return borders.filter((at) => at >= start && at <= end);
}

function isSame(one: readonly Micros[], other: readonly Micros[]): boolean {
  return one.length === other.length && one.every((at, index) => at === other[index]);
}
