import type { Setting, Settings } from "../arguments.js";
import { usageError } from "../launch-error.js";
import { daysOf, pathOf } from "../options.js";
import type { Streams } from "../output.js";
import { type Place, placeOf } from "./place.js";

/** What a tool was asked to do. Paths are absolute. */
export interface ToolOptions {
  /** Whose data. */
  readonly place: Place;
  /** Where the result goes: a file, a folder, or `-` for stdout; `undefined` where the tool has none. */
  readonly to: string | undefined;
  /** The file to read. */
  readonly file: string | undefined;
  /** The file or folder to import; `undefined`: look where others keep their data. */
  readonly from: string | undefined;
  /** For imported events that name none. */
  readonly bucket: string | undefined;
  /** Which buckets, by a glob; `undefined`: all. */
  readonly buckets: string | undefined;
  /** Terms that events meet, all of them. */
  readonly filters: readonly string[];
  /** From when on, and until when; as they were given. */
  readonly start: string | undefined;
  readonly end: string | undefined;
  /** Where an event is split. */
  readonly at: string | undefined;
  /** Whether what is deleted passes the trash over. */
  readonly permanent: boolean;
  /** Whether to say only what would be done. */
  readonly dryRun: boolean;
  /** Whether nobody is to be asked. */
  readonly yes: boolean;
  readonly testing: boolean;
  /** Whether an existing file may be replaced. */
  readonly force: boolean;
  /** Whether to add to what is there. */
  readonly merge: boolean;
  /** What to do with keys. */
  readonly action: string | undefined;
  /** The name of a key, or for one; the id of a bucket, a hostname, the id of an undo. */
  readonly name: string | undefined;
  /** The id of an event. */
  readonly eventId: string | undefined;
  /** What a bucket or a host is to be called; the bucket that an event is moved to. */
  readonly target: string | undefined;
  /** The buckets to merge. */
  readonly sources: readonly string[];
  /** What to do where events of merged buckets overlap. */
  readonly overlaps: string | undefined;
  /** Until when an old id leads to the new one, or `no`; `undefined`: for good. */
  readonly redirect: string | undefined;
  /** Whether buckets of a host get other ids as well. */
  readonly renameBuckets: boolean;
  /** Whether to remove what is named. */
  readonly remove: boolean;
  /** Of who asks for a key. */
  readonly code: string | undefined;
  /** Whether to refuse who asks. */
  readonly refuse: boolean;
  /** Whether to print a link rather than to open it. */
  readonly print: boolean;
  readonly scopes: readonly string[];
  /** As it was given: a time, or how long from now. */
  readonly expires: string | undefined;
  readonly origin: string | undefined;
  /** The file with the key that is to be from now on. */
  readonly newKeyFile: string | undefined;
  /** How many days what was deleted is kept. */
  readonly trashDays: number | undefined;
  readonly json: boolean;
  readonly verbose: boolean;
  readonly streams: Streams;
}

/** @throws LaunchError with exit code 2 for a malformed value */
export function checkToolOptions(settings: Settings, streams: Streams): ToolOptions {
  const given = (name: string) => settings.get(name) as Setting<string> | undefined;
  const on = (name: string) => settings.get(name)?.value === true;
  const to = given("to");
  return {
    place: placeOf(settings),
    to: to?.value === "-" ? "-" : pathOf(to),
    file: pathOf(given("file")),
    from: pathOf(given("from")),
    bucket: given("bucket")?.value,
    buckets: given("buckets")?.value,
    filters: given("filter")?.value.split("\n") ?? [],
    start: given("start")?.value,
    end: given("end")?.value,
    at: given("at")?.value,
    permanent: on("permanent"),
    dryRun: on("dry-run"),
    yes: on("yes"),
    testing: on("testing"),
    force: on("force"),
    merge: on("merge"),
    action: given("action")?.value,
    name: given("name")?.value,
    eventId: given("event")?.value,
    target: given("target")?.value,
    sources: given("source")?.value.split("\n") ?? [],
    overlaps: given("overlaps")?.value,
    redirect: given("redirect")?.value,
    renameBuckets: on("rename-buckets"),
    remove: on("remove"),
    code: given("code")?.value,
    refuse: on("refuse"),
    print: on("print"),
    scopes: given("scope")?.value.split("\n") ?? [],
    expires: given("expires")?.value,
    origin: given("origin")?.value,
    newKeyFile: pathOf(given("new-key-file")),
    trashDays: daysOf(given("trash-days")),
    json: on("json"),
    verbose: on("verbose"),
    streams,
  };
}

/** A value that a tool cannot do without. @throws LaunchError with exit code 2 */
export function needed(value: string | undefined, usage: string): string {
  if (value !== undefined) return value;
  throw usageError(`usage: activity-server ${usage}`);
}
