import { editorProgram } from "../../editor-programs.js";
import { printText } from "../../program-text.js";
import {
  androidProgram,
  type Classifying,
  canonicalProgram,
  desktopProgram,
  multideviceProgram,
} from "../../programs.js";
import { t } from "../../texts/query.js";
import type { Source } from "../activity/source.js";

/** An example program. */
export interface CannedProgram {
  /** The key of its text is `canned_` plus its ID. */
  readonly id: "apps" | "categories" | "activity" | "events" | "editor" | "all" | "bucket";
  readonly text: string;
}

/** The programs for a host's buckets; `all` for all hosts. */
export function cannedPrograms(
  { sources, editors }: Source,
  all: Source,
  bucketIds: readonly string[],
  classifying: Classifying,
): readonly CannedProgram[] {
  const [bucketId] = bucketIds;
  const [source] = sources;
  const programs: CannedProgram[] = [];
  const add = (id: CannedProgram["id"], text: string) => programs.push({ id, text });
  if (source?.kind === "desktop") {
    add("apps", appsProgram(source.window, source.afk));
    add("categories", `${canonicalProgram(source, classifying)}\n${CATEGORIES}`);
    add("activity", desktopProgram(source, classifying));
    add("events", canonicalProgram(source, classifying));
  } else if (source?.kind === "android") {
    add("activity", androidProgram(source.window, classifying));
  }
  if (editors.length > 0) add("editor", editorProgram(editors));
  if (all.sources.length > 1) add("all", multideviceProgram(all.sources, classifying));
  if (bucketId !== undefined) add("bucket", `RETURN = query_bucket(${printText(bucketId)});`);
  return programs;
}

const CATEGORIES = 'RETURN = sort_by_duration(merge_events_by_keys(events, ["$category"]));';

/** Short enough to read and to learn the language from. */
function appsProgram(window: string, afk: string | undefined): string {
  const lines = [`events = flood(query_bucket(${printText(window)}));`];
  if (afk !== undefined) {
    lines.push(
      `# ${t("onlyPresent")}`,
      `active = filter_keyvals(flood(query_bucket(${printText(afk)})), "status", ["not-afk"]);`,
      "events = filter_period_intersect(events, active);",
    );
  }
  lines.push('RETURN = sort_by_duration(merge_events_by_keys(events, ["app"]));');
  return lines.join("\n");
}
