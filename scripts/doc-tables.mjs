// Writes the tables of docs/reference that follow from the operations, between markers.
//
//   node --import tsx scripts/doc-tables.mjs             compares, and shows the difference
//   node --import tsx scripts/doc-tables.mjs --update    writes the pages again
import fs from "node:fs";
import path from "node:path";
import { ERRORS, exampleOf } from "../src/api/errors.ts";
import { BODY_ERRORS, BODY_LIMITS } from "../src/api/operation.ts";
import { OPERATION_LIST } from "../src/api/operations.ts";
import { differenceOf } from "./difference.mjs";

/** Sections that describe operations, by their id. */
const SECTIONS = {
  deleteBucket: "docs/reference/trash.md#restoring",
  deleteEvent: "docs/reference/trash.md#restoring",
  ...each("getBucketAccess setBucketAccess", "docs/reference/keys.md#protected-buckets"),
  ...each("deleteEvents deleteEventsOfAll", "docs/reference/trash.md#by-range-and-filter"),
  ...each("splitEvent moveEvent", "docs/reference/api.md#splitting-and-moving-events"),
  search: "docs/guides/search.md",
  readFeed: "docs/guides/feed.md",
  exportBucketCsv: "docs/guides/search.md#csv",
  query: "docs/reference/query.md",
  report: "docs/guides/reports.md",
  ...each("listKeys createKey revokeKey", "docs/reference/keys.md#keys"),
  ...each("createSignInLink signIn getSession signOut listSessions endSession", "docs/reference/keys.md#sessions"),
  ...each("requestPairing collectPairing listPairing approvePairing refusePairing", "docs/reference/keys.md#pairing"),
  ...each("listExtensions forgetExtension", "docs/explanation/security.md#browser-extensions"),
  ...each("backUpStorage verifyStorage", "docs/reference/control-token.md"),
  renameBucket: "docs/guides/buckets.md#renaming-a-bucket",
  ...each("setBucketHost renameHost", "docs/guides/buckets.md#hosts"),
  mergeBuckets: "docs/guides/buckets.md#merging",
  ...each("listRedirects deleteRedirect", "docs/guides/buckets.md#redirects"),
  ...each("listUndo undo", "docs/guides/buckets.md#undo"),
  applyPrivacy: "docs/guides/privacy.md#rules-over-the-past",
  previewPrivacy: "docs/guides/privacy.md#trying-rules-out",
  ...each("listRetentionRuns previewRetention runRetention", "docs/guides/retention.md"),
  ...each("listTrash deleteTrash emptyTrash", "docs/guides/trash.md"),
  restoreTrash: "docs/reference/trash.md#restoring",
};

/** Sections that describe what causes an error. */
const CAUSES = {
  VETOED: "docs/guides/in-process.md#hooks",
  FORBIDDEN: "docs/reference/keys.md#protected-buckets",
  NO_SUCH_ENTRY: "docs/guides/trash.md",
  ...each("NO_SUCH_PAIRING TOO_MANY_REQUESTS", "docs/reference/keys.md#pairing"),
  QUERY_TOO_LARGE: "docs/reference/query.md#limits",
  QUOTA_EXCEEDED: "docs/guides/tenants.md#quotas",
  STORAGE_FULL: "docs/reference/trash.md#permanent-deletion",
  STORAGE_UNSUPPORTED: "docs/guides/writing-an-adapter.md#transactions",
};

const NEEDS = { owner: "`admin`, with keys", operator: "`admin`, always", listed: "listed", none: "nothing" };

/** Operations that check more than their declared need, by what they find. */
const FURTHER_NEEDS = {
  signIn: "nothing, from a page of the server",
  moveEvent: "`write`, and `append` there",
  deleteEventsOfAll: "`write` of the named buckets",
  ...each("restoreTrash deleteTrash", "`write` of its buckets"),
  ...each("listTrash emptyTrash", "listed, by `write`"),
};

function each(names, value) {
  return Object.fromEntries(names.split(" ").map((name) => [name, value]));
}

function routeOf({ method, path }) {
  return `\`${method} ${path.replace(/:(\w+)/g, "{$1}")}\``;
}

function needOf(id, { open, needs = "none" }) {
  return FURTHER_NEEDS[id] ?? (open ? "nothing" : (NEEDS[needs] ?? `\`${needs}\``));
}

function sizeOf(bytes) {
  const units = [" B", " KiB", " MiB", " GiB"];
  const unit = Math.floor(Math.log2(bytes) / 10);
  return `${bytes / 1024 ** unit}${units[unit]}`;
}

function table(head, rows) {
  const lines = [head, ...rows].map((cells) => `| ${cells.join(" | ")} |`.replaceAll("  ", " "));
  return lines.toSpliced(1, 0, `|${"---|".repeat(head.length)}`).join("\n");
}

const ALL = Object.entries(OPERATION_LIST);

/** The link from a page of the reference. */
function linkTo(section) {
  return path.posix.relative("docs/reference", section);
}

function routes() {
  const rows = ALL.map(([id, operation]) => {
    const { summary, call, watcher, asker, open, body, bodyKind, bulk, errors } = operation;
    const section = SECTIONS[id];
    const access = [watcher && "watcher", asker && "asker", open && "open"];
    const limits = [body && bodyKind && sizeOf(BODY_LIMITS[bodyKind].bytes), bulk && "bulk"];
    const own = errors.filter((code) => body === undefined || !BODY_ERRORS.includes(code));
    return [
      routeOf(operation),
      section === undefined ? summary : `[${summary}](${linkTo(section)})`,
      call ? `\`${call}\`` : "",
      access.filter(Boolean).join(", "),
      limits.filter(Boolean).join(", "),
      own.map((code) => `\`${code}\``).join(", "),
    ];
  });
  return table(["Route", "", "Call", "Access", "Limits", "Errors"], rows);
}

function bodies() {
  const rows = Object.entries(BODY_LIMITS).map(([kind, { bytes, values }]) => {
    const taking = ALL.filter(([, { bodyKind }]) => bodyKind === kind).map(([, operation]) => routeOf(operation));
    const options = { events: " (`bodyLimitBytes`)", import: " (`importLimitBytes`)" };
    return [
      kind === "single" ? "every other body" : taking.join(", "),
      `${sizeOf(bytes)}${options[kind] ?? ", or less by `bodyLimitBytes`"}`,
      Number.isFinite(values) ? values.toLocaleString("en-US") : "no limit",
    ];
  });
  return table(["Body of", "Bytes", "Values"], rows);
}

function errors() {
  const sorted = Object.entries(ERRORS).sort(([, a], [, b]) => a.status - b.status);
  const rows = sorted.map(([code, { status, meaning }]) => {
    const shown = CAUSES[code] === undefined ? `\`${code}\`` : `[\`${code}\`](${linkTo(CAUSES[code])})`;
    return ["code" in exampleOf(code) ? shown : "none", status, meaning.replace(/\s+/g, " ")];
  });
  return table(["Code", "Status", "Meaning"], rows);
}

function needs() {
  return table(
    ["Route", "Needs"],
    ALL.map(([id, operation]) => [routeOf(operation), needOf(id, operation)]),
  );
}

for (const name of Object.keys({ ...SECTIONS, ...FURTHER_NEEDS, ...CAUSES })) {
  if (!(name in OPERATION_LIST || name in ERRORS)) throw new Error(`no operation and no error is called ${name}`);
}

const TABLES = {
  "docs/reference/api.md": { routes },
  "docs/reference/limits.md": { bodies },
  "docs/reference/errors.md": { errors },
  "docs/reference/access.md": { needs },
};

for (const [file, tables] of Object.entries(TABLES)) {
  const before = fs.readFileSync(file, "utf8");
  let text = before;
  for (const [name, write] of Object.entries(tables)) {
    const marked = new RegExp(`(<!-- ${name}: [^\\n]*-->\\n\\n).*?(\\n\\n<!-- end of ${name} -->)`, "s");
    if (!marked.test(text)) throw new Error(`${file} has no markers for the table ${name}`);
    text = text.replace(marked, (_, start, end) => `${start}${write()}${end}`);
  }
  if (process.argv.includes("--update")) fs.writeFileSync(file, text);
  else if (text !== before) {
    console.error(`${file} differs from the operations:\n${differenceOf(before, text).join("\n")}`);
    console.error("Update it with: node --import tsx scripts/doc-tables.mjs --update");
    process.exitCode = 1;
  }
}
