// Query programs for the activity in editors.
import { isFiltering, keepingLines, keepingOwnLines } from "./filter/program.js";
import { listLines, MOST_ROWS, type RequestedLists } from "./program-lists.js";
import { printText } from "./program-text.js";
import { type Classifying, CUT_LINE, canonicalLines, type DesktopBuckets, presentLines } from "./programs.js";

/** Editors of a host, by bucket ID. */
export interface HostEditors {
  readonly editors: readonly string[];
  /** Buckets for active time; without idle time, all time counts. */
  readonly host?: DesktopBuckets | undefined;
}

/** Activity in editors, including idle time: `{ files, languages, projects, duration }`. */
export function editorProgram(editors: readonly string[]): string {
  return hostEditorsProgram([{ editors }], { rules: [] });
}

/** Activity in editors during active time, if known, with the same members. */
export function hostEditorsProgram(
  hosts: readonly HostEditors[],
  classifying: Classifying,
  { rows = MOST_ROWS, lean = false }: Pick<RequestedLists, "rows" | "lean"> = {},
): string {
  const further = [
    ...listLines("files", "events", { keys: ["file", "language"], rows }),
    ...listLines("languages", "events", { keys: ["language"], rows }),
  ];
  return [
    ...allEditLines(hosts, classifying),
    ...(lean ? [] : further),
    ...listLines("projects", "events", { keys: ["project"], rows }),
    "duration = sum_durations(events);",
    `RETURN = { ${lean ? "" : '"files": files, "languages": languages, '}"projects": projects, "duration": duration };`,
  ].join("\n");
}

/** Program lines that set `events` to the editors' events during active time, if known. */
export function allEditLines(hosts: readonly HostEditors[], classifying: Classifying): readonly string[] {
  const { filtering } = classifying;
  return [
    "edits = [];",
    ...hosts.flatMap(({ editors, host }) => [
      ...editLines(editors, host, classifying),
      "edits = concat(edits, events);",
    ]),
    ...(isFiltering(filtering) ? keepingOwnLines(filtering, "edits") : []),
    "events = edits;",
  ];
}

/** Program lines that set `events` to the editors' events of a host. */
function editLines(
  editors: readonly string[],
  host: DesktopBuckets | undefined,
  classifying: Classifying,
): readonly string[] {
  const { filtering } = classifying;
  const edits = [
    "events = [];",
    ...editors.map((bucketId) => `events = concat(events, flood(query_bucket(${printText(bucketId)})));`),
  ];
  const cut = ["events = sort_by_timestamp(events);", CUT_LINE];
  if (!isFiltering(filtering)) {
    return host?.afk === undefined ? edits : [...presentLines(host, classifying), ...edits, ...cut];
  }
  // Files count while a window that passes the filter is active.
  if (host !== undefined) return [...canonicalLines(host, classifying), "not_afk = events;", ...edits, ...cut];
  return [...edits, ...keepingLines(filtering)];
}
