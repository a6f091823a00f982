// Example programs of the query view, and literals of the query language (docs/reference/compatibility.md#strings).
import type { ClientBucket } from "../../../client/index.js";
import type { JsonObject, JsonValue } from "../../../domain/json.js";
import { isUnknownHost } from "../../../domain/unknown-host.js";

/** Placeholder for the user's rules, as in ActivityWatch's web UI. */
export const CATEGORIES = "__CATEGORIES__";

/** A program with placeholders for buckets by type: `query_bucket(afkstatus)`. */
interface ExampleProgram {
  /** The key of its name is `canned_` plus the ID. */
  readonly id: "apps" | "categories" | "events" | "editor";
  readonly needs: readonly string[];
  readonly text: string;
}

const EXAMPLES: readonly ExampleProgram[] = [
  {
    id: "apps",
    needs: ["currentwindow", "afkstatus"],
    text: `events = flood(query_bucket(currentwindow));
active = filter_keyvals(flood(query_bucket(afkstatus)), "status", ["not-afk"]);
events = filter_period_intersect(events, active);
RETURN = sort_by_duration(merge_events_by_keys(events, ["app"]));`,
  },
  {
    id: "categories",
    needs: ["currentwindow", "afkstatus"],
    text: `events = flood(query_bucket(currentwindow));
active = filter_keyvals(flood(query_bucket(afkstatus)), "status", ["not-afk"]);
events = filter_period_intersect(events, active);
events = categorize(events, ${CATEGORIES});
RETURN = sort_by_duration(merge_events_by_keys(events, ["$category"]));`,
  },
  {
    id: "events",
    needs: ["currentwindow", "afkstatus"],
    text: `events = flood(query_bucket(currentwindow));
active = filter_keyvals(flood(query_bucket(afkstatus)), "status", ["not-afk"]);
events = filter_period_intersect(events, active);
RETURN = categorize(events, ${CATEGORIES});`,
  },
  {
    id: "editor",
    needs: ["app.editor.activity"],
    text: `events = flood(query_bucket(app.editor.activity));
RETURN = {
  "projects": sort_by_duration(merge_events_by_keys(events, ["project"])),
  "files": sort_by_duration(merge_events_by_keys(events, ["file", "language"])),
  "languages": sort_by_duration(merge_events_by_keys(events, ["language"])),
  "duration": sum_durations(events)
};`,
  },
];

/** An example for the buckets of a host. */
export interface Example {
  readonly id: ExampleProgram["id"] | "bucket";
  readonly text: string;
}

/** The examples that a host has buckets for. */
export function examplesOf(host: string, buckets: readonly ClientBucket[]): readonly Example[] {
  const own = buckets.filter(({ hostname }) => hostname === host);
  const near = [...own, ...buckets.filter(({ hostname }) => isUnknownHost(hostname))];
  const bucketOf = (type: string): string | undefined =>
    (type === "app.editor.activity" ? near : own).find((bucket) => bucket.type === type)?.id;
  const found = EXAMPLES.flatMap(({ id, needs, text }): Example[] => {
    const ids = needs.map((type) => [type, bucketOf(type)] as const);
    if (ids.some(([, bucketId]) => bucketId === undefined)) return [];
    let program = text;
    for (const [type, bucketId = ""] of ids)
      program = program.replaceAll(`(${type})`, () => `(${printLiteral(bucketId)})`);
    return [{ id, text: program }];
  });
  const [first] = own;
  if (first === undefined) return found;
  return [...found, { id: "bucket", text: `RETURN = query_bucket(${printLiteral(first.id)});` }];
}

/**
 * Formats a value; members without a value are left out. A string that ends in a backslash has no literal, and gets an
 * empty group, which matches everywhere.
 */
export function printLiteral(value: JsonValue): string {
  if (typeof value === "string") return `"${value.replaceAll('"', '\\"')}${value.endsWith("\\") ? "(?:)" : ""}"`;
  if (Array.isArray(value)) return `[${(value as readonly JsonValue[]).map(printLiteral).join(", ")}]`;
  if (typeof value === "number" && value < 0) return `(0 - ${-value})`;
  if (typeof value !== "object" || value === null) return String(value);
  const members = Object.entries(value as JsonObject).filter(([, member]) => (member ?? null) !== null);
  return `{${members.map(([key, member]) => `${printLiteral(key)}: ${printLiteral(member)}`).join(", ")}}`;
}
