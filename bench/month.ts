import { type Sample, type SampleEvent, sample, seededRandom } from "./data.js";

export const QUERY_DAYS = 30;
const WINDOW_PER_DAY = 5_000;
const IDLE_PER_DAY = 667;
const BROWSER_PER_DAY = 2_167;
/** The rarest of them never come: about 5,500 are seen in a month. */
const TITLES = 6_060;
const PAGES = 4_000;
const MAX_TABS = 40;
/** Share of events after which nothing is reported for a moment, as `flood` is there to fill. */
const GAPS = 0.4;
/** What these do happens in the browser, which so has the window for four tenths of the time. */
const IN_BROWSER = new Set(["Mail", "LibreOffice Writer", "Files"]);
const LONGEST_GAP_MICROS = 8_000_000;

/** What the browser's watcher tells of a tab. */
export interface TabData {
  readonly url: string;
  readonly title: string;
  readonly audible: boolean;
  readonly incognito: boolean;
  readonly tabCount: number;
}

/** A month seen by three watchers of one computer. Every list ascends by time. */
export interface QuerySample {
  readonly window: readonly SampleEvent[];
  readonly idle: readonly SampleEvent[];
  readonly browser: readonly SampleEvent<TabData>[];
}

/** The month of the query table: 150,000 window, 20,010 idle and 65,010 browser events. Always the same. */
export function querySample(): QuerySample {
  const seen = sample({ days: QUERY_DAYS, windowPerDay: WINDOW_PER_DAY, idlePerDay: IDLE_PER_DAY, titles: TITLES });
  const random = seededRandom(2);
  const shown = new Map(
    seen.distinct.filter(({ app }) => IN_BROWSER.has(app as string)).map((data) => [data, { ...data, app: "Firefox" }]),
  );
  return {
    window: seen.window.map((event) => shortened({ ...event, data: shown.get(event.data) ?? event.data }, random)),
    idle: seen.idle,
    browser: browse(random),
  };
}

function shortened(event: SampleEvent, random: () => number): SampleEvent {
  if (random() > GAPS) return event;
  const gap = Math.floor(random() * Math.min(LONGEST_GAP_MICROS, event.duration));
  return { ...event, duration: event.duration - gap };
}

const HOSTS = ["github.example", "docs.example.org", "www.news.example", "video.example.com", "mail.example.net"];

/** Tabs one after the other; the number of open tabs changes now and then, and with it the data. */
function browse(random: () => number): SampleEvent<TabData>[] {
  const visits: Sample = sample({
    days: QUERY_DAYS,
    windowPerDay: BROWSER_PER_DAY,
    idlePerDay: 1,
    titles: PAGES,
    seed: 3,
  });
  const pages = new Map(
    visits.distinct.map((data, rank) => {
      const host = HOSTS[rank % HOSTS.length] as string;
      return [data, { url: `https://${host}/${rank % 50}/page-${rank}?q=${rank}`, audible: rank % 37 === 5 }];
    }),
  );
  let tabCount = 12;
  return visits.window.map(({ timestamp, duration, data }) => {
    if (random() < 0.05) tabCount = Math.max(1, Math.min(MAX_TABS, tabCount + (random() < 0.5 ? -1 : 1)));
    const { url, audible } = pages.get(data) as { url: string; audible: boolean };
    return { timestamp, duration, data: { url, title: data.title as string, audible, incognito: false, tabCount } };
  });
}
