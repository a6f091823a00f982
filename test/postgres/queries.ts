// One desk's data and the queries whose answers every storage must give alike.
import * as assert from "uvu/assert";
import { createActivityServer } from "../../src/index.js";
import type { Storage } from "../../src/storage/storage.js";
import { bucketOf, intOf, randomOf } from "../contract/case.js";

const WINDOW = "window";
/** Ids hold what databases cannot. */
const IDLE = "afk\0\ud800";
const WEB = "web-browser";

/** Events of each bucket: more than a segment holds. */
export const DESK_EVENTS = 1_800;

/** Fills a storage by every kind of write, in an order that mixes the buckets. */
export async function fillDesk(storage: Storage): Promise<void> {
  const random = randomOf(3);
  for (const id of [WINDOW, IDLE, WEB]) await storage.createBucket(bucketOf(id, { data: { z: 1, a: "\0" } }));
  for (const id of [WINDOW, IDLE, WEB]) {
    const drafts = Array.from({ length: DESK_EVENTS }, (_, n) => ({
      timestamp: n * 10_000_000 - intOf(random, 0, 5) * 1_000_000,
      duration: intOf(random, 0, 9_000_000),
      data: dataOf(id, n, random),
    }));
    const stored = await storage.putEvents(id, drafts);
    if (id === IDLE)
      await storage.deleteEvents(
        id,
        [5, 6, DESK_EVENTS - 1].map((n) => stored[n]?.id ?? 0),
      );
  }
  for (let n = 0; n < 60; n++) {
    const beat = { timestamp: 30_010_000_000 + n * 1_000_000, duration: 0, data: { app: `app ${Math.floor(n / 7)}` } };
    await storage.heartbeat(WINDOW, beat, 5_000_000);
  }
  await storage.mergeEvents(WEB, [{ timestamp: 1, duration: 5_000_000, data: { url: "https://b.example/?a=1#b" } }]);
}

function dataOf(bucketId: string, n: number, random: () => number): Record<string, string | boolean> {
  if (bucketId === IDLE) return { status: intOf(random, 1, 3) === 1 ? "afk" : "not-afk" };
  if (bucketId === WEB) return { url: `https://host${n % 5}.example/page/${n % 11}?q=${n % 3}`, audible: n % 4 === 0 };
  const title = intOf(random, 1, 20) === 1 ? "\udc00" : `(${n % 4}) title ${n % 40}`;
  return { app: `app ${intOf(random, 1, 9)}`, title };
}

const RULES = `[[['Work', 'Code'], {'type': 'regex', 'regex': 'title [12]'}], [['Fun'], {'type': 'regex', 'regex': 'APP 3',
  'ignore_case': true}]]`;
const BUCKETS = "w = query_bucket('window'); i = query_bucket(find_bucket('afk')); b = query_bucket('web-browser');";

/** What follows `BUCKETS` in each of them. */
const PROGRAMS: readonly string[] = [
  "RETURN = [sum_durations(w), sum_durations(i), sum_durations(b)];",
  "RETURN = w;",
  "RETURN = sort_by_duration(merge_events_by_keys(w, ['app']));",
  "RETURN = merge_events_by_keys(w, ['app', 'title']);",
  "RETURN = sum_durations(filter_keyvals(w, 'app', ['app 1', 'app 2']));",
  "RETURN = sum_durations(exclude_keyvals(w, 'app', ['app 1', 'app 2']));",
  "RETURN = filter_keyvals_regex(w, 'title', 'title 1?3$');",
  "RETURN = limit_events(sort_by_duration(chunk_events_by_key(w, 'app')), 20);",
  "RETURN = sum_durations(filter_period_intersect(w, filter_keyvals(i, 'status', ['not-afk'])));",
  "RETURN = filter_period_intersect(b, filter_keyvals(w, 'app', ['app 4']));",
  "RETURN = period_union(filter_keyvals(i, 'status', ['not-afk']), filter_keyvals(b, 'audible', [true]));",
  "RETURN = sum_durations(union_no_overlap(w, b));",
  "RETURN = sort_by_timestamp(concat(limit_events(w, 9), limit_events(i, 9), limit_events(b, 9)));",
  "RETURN = sum_durations(flood(w));",
  "RETURN = flood(filter_keyvals(i, 'status', ['afk']), 60);",
  "RETURN = sort_by_duration(merge_events_by_keys(split_url_events(b), ['$domain', '$path']));",
  "RETURN = merge_events_by_keys(simplify_window_titles(w, 'title'), ['title']);",
  "RETURN = limit_events(merge_subwatcher_fields(w, b, ['url', 'audible']), 300);",
  "RETURN = sum_durations(merge_subwatcher_fields(w, b, ['url'], 'sub_wins'));",
  `RETURN = merge_events_by_keys(categorize(w, ${RULES}), ['$category']);`,
  `RETURN = merge_events_by_keys(tag(w, ${RULES.replace("['Work', 'Code']", "'Work'").replace("['Fun']", "'Fun'")}), ['$tags']);`,
  "RETURN = [query_bucket_eventcount('window'), query_bucket_eventcount(find_bucket('afk', 'host'))];",
  "n = query_bucket_names(); nop(); print(n); RETURN = [n, contains(n, 'window'), contains(n, 'other')];",
  `x = flood(filter_period_intersect(w, filter_keyvals(i, 'status', ['not-afk']))); x = categorize(x, ${RULES});
   c = sort_by_duration(merge_events_by_keys(x, ['$category']));
   RETURN = {'total': sum_durations(x), 'categories': c, 'titles': limit_events(merge_events_by_keys(x, ['title']), 5)};`,
];

const PERIODS = ["1970-01-01/1970-01-02", "1970-01-01T02:00:00Z/1970-01-01T03:30:00Z", "1969-12-31/1970-01-05"];

/** The texts of all programs together. */
export const PROGRAM_TEXT: string = [BUCKETS, ...PROGRAMS].join("\n");
export const PROGRAM_COUNT: number = PROGRAMS.length;

/** What each program answers for each of three periods, by its text. Without ids, which every storage counts its way. */
export async function answersOf(storage: Storage): Promise<Map<string, string>> {
  const server = createActivityServer({ storage });
  const answers = new Map<string, string>();
  for (const program of PROGRAMS) {
    const body = JSON.stringify({ timeperiods: PERIODS, query: [BUCKETS + program] });
    const headers = { "content-type": "application/json" };
    const request = new Request("http://localhost/api/0/query/", { method: "POST", headers, body });
    const response = await server.fetch(request);
    const text = await response.text();
    assert.is(response.status, 200, `${program}\n${text}`);
    answers.set(program, text.replaceAll(/"id":\d+,/g, ""));
  }
  return answers;
}

/** Compares answers one by one: a difference in a long text takes minutes to be shown. */
export function sameAnswers(found: ReadonlyMap<string, string>, wanted: ReadonlyMap<string, string>, of: string): void {
  const different = [...wanted]
    .filter(([program, answer]) => found.get(program) !== answer)
    .map(([program]) => program);
  assert.equal(different, [], of);
}
