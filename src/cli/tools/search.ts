import { printable } from "../launch-error.js";
import { asking } from "./asking.js";
import { needed, type ToolOptions } from "./options.js";
import { counted, createReport } from "./report.js";
import { findTarget } from "./target.js";

/** What a search finds, as the API tells it. */
interface Told {
  readonly rows: readonly {
    readonly bucket: string;
    readonly timestamp: string;
    readonly duration: number;
    readonly data: object;
  }[];
  readonly summary: { readonly events: number; readonly seconds: number; readonly days: number };
}

/** Rows that are told; the summary is of all. */
const MOST_ROWS = 100;

/** Tells what is found in the events of all buckets. @returns the exit code */
export async function search(options: ToolOptions): Promise<number> {
  const term = needed(options.action, "search TEXT, with --data DIR or --storage postgres");
  const query = new URLSearchParams({ filter: term, bucket: options.buckets ?? "*", limit: String(MOST_ROWS) });
  const { ask, close } = asking(await findTarget(options.place));
  try {
    const report = createReport({ json: options.json });
    const { rows, summary } = (await ask("GET", `/api/0/search?${query}`)) as Told;
    for (const row of rows) {
      const { bucket, timestamp, duration, data } = row;
      const text = `${timestamp} ${duration} s ${bucket} ${Object.values(data).filter(isText).join(" · ")}`;
      report.event("search-row", { ...row }, printable(text, 300));
    }
    const { events, seconds, days } = summary;
    const hours = (seconds / 3600).toFixed(1);
    const text = `${counted(events, "event")} on ${counted(days, "day")}, ${hours} hours`;
    report.event("search", { ...summary }, text);
    return 0;
  } finally {
    await close();
  }
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}
