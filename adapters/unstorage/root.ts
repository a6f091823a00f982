import type { JsonValue } from "../../src/domain/json.js";
import { ActivityError } from "../../src/errors.js";
import type { Versioned } from "./slots.js";

/** Version of the format; checked at open. */
export const FORMAT = 1;

/**
 * The storage as a whole. Its body is a line with the single facts, a line for each bucket and one for each setting.
 *
 *     {"format":1,"version":3,"termNo":2,"confirmed":true,"device":null,"nextId":13,"nextBucket":3,"buckets":1,
 *      "settings":1}                                                                    (all in one line)
 *     [1,"window"]
 *     ["theme","dark"]
 */
export interface Root extends Versioned {
  /** Terms count up; see term.ts. */
  readonly termNo: number;
  /** Whether its writer was alone when it began. Until then nobody was promised anything. */
  readonly confirmed: boolean;
  readonly device: string | undefined;
  /** Lower bound of the id counter. */
  readonly nextId: number;
  /** Greater than every number that a bucket ever had. */
  readonly nextBucket: number;
  /** Bucket ids by their numbers. */
  readonly buckets: ReadonlyMap<number, string>;
  readonly settings: ReadonlyMap<string, JsonValue>;
}

export function printRoot(root: Root): string {
  const { version, termNo, confirmed, device, nextId, nextBucket, buckets, settings } = root;
  const head = {
    format: FORMAT,
    version,
    termNo,
    confirmed,
    device: device ?? null,
    nextId,
    nextBucket,
    buckets: buckets.size,
    settings: settings.size,
  };
  return [head, ...buckets, ...settings].map((line) => JSON.stringify(line)).join("\n");
}

/**
 * @param title what to call the storage in messages
 * @throws ActivityError `STORAGE_TOO_NEW`; Error for a body that is no root
 */
export function parseRoot(body: string, title: string): Root {
  const [head, ...lines] = body.split("\n");
  const facts = parseHead(head as string, title);
  const buckets = new Map(lines.slice(0, facts.buckets).map((line) => JSON.parse(line) as [number, string]));
  const settings = new Map(lines.slice(facts.buckets).map((line) => JSON.parse(line) as [string, JsonValue]));
  if (buckets.size !== facts.buckets || settings.size !== facts.settings) throw new Error("lines of it are missing");
  const { version, termNo, confirmed, device, nextId, nextBucket } = facts;
  return { version, termNo, confirmed, device: device ?? undefined, nextId, nextBucket, buckets, settings };
}

interface RootHead {
  readonly format: number;
  readonly version: number;
  readonly termNo: number;
  readonly confirmed: boolean;
  readonly device: string | null;
  readonly nextId: number;
  readonly nextBucket: number;
  readonly buckets: number;
  readonly settings: number;
}

function parseHead(line: string, title: string): RootHead {
  const head = JSON.parse(line) as RootHead;
  checkFormat(head.format, title);
  return head;
}

/** @throws ActivityError `STORAGE_TOO_NEW` */
export function checkFormat(format: unknown, title: string): void {
  if (format === FORMAT) return;
  const known = `this version of activity-server reads format ${FORMAT}: update it`;
  throw new ActivityError("STORAGE_TOO_NEW", `${title} has the format ${format}; ${known}`);
}
