import { ActivityError } from "../../src/errors.js";

/** Version of the format. Every opening checks it. */
export const FORMAT = 2;

/**
 * The record that defines the contents of the storage. Its body is a line with the head, which also contains the
 * wrapped keys of an encrypted storage (`keys`), a line with the root of the engine, a line for each bucket with
 * segments, and a line for each record.
 *
 *     {"format":2,"version":3,"epochNo":2,"confirmed":true,"commit":7,"log":null,"nextLog":1,"buckets":1,
 *      "records":1}                                                                    (all in one line)
 *     "{\"nextBucket\":3}"
 *     [1,"5f0c1e9a7b32-4"]
 *     ["b1","{\"id\":\"window\"}"]
 */
export interface Root {
  /** Greater than all previous versions within the epoch. */
  readonly version: number;
  /** Epochs count up; see epoch.ts. */
  readonly epochNo: number;
  /** Whether no other writer interfered with its start. Before that, nothing was acknowledged. */
  readonly confirmed: boolean;
  /** Number of the last commit; 0 before the first one. */
  readonly commit: number;
  /** The current log, unless this epoch has started a newer one; `null` if there is none. */
  readonly log: LogPosition | null;
  /** A log of this epoch with at least this number applies instead. */
  readonly nextLog: number;
  /** The wrapped keys of an encrypted storage; `null` if it is plain. */
  readonly keys: string | null;
  /** The root of the engine. */
  readonly text: string | null;
  /** Epoch and number of each bucket's manifest, by bucket number. Only for buckets with segments. */
  readonly manifests: ReadonlyMap<number, string>;
  readonly records: ReadonlyMap<string, string>;
}

/** The place of a log. */
export interface LogPosition {
  readonly epoch: string;
  readonly no: number;
  /** Batches after this sequence number do not apply; `null`: all apply. */
  readonly through: number | null;
}

/** The root of a new storage. */
export const EMPTY_ROOT: Root = {
  version: 0,
  epochNo: 0,
  confirmed: false,
  commit: 0,
  log: null,
  nextLog: 1,
  keys: null,
  text: null,
  manifests: new Map(),
  records: new Map(),
};

export function serializeRoot({ text, manifests, records, ...facts }: Root): string {
  const { version, epochNo, confirmed, commit, log, nextLog, keys } = facts;
  const counts = { buckets: manifests.size, records: records.size };
  const sealed = keys === null ? {} : { keys };
  const head = { format: FORMAT, version, epochNo, confirmed, commit, log, nextLog, ...counts, ...sealed };
  return [head, text, ...manifests, ...records].map((line) => JSON.stringify(line)).join("\n");
}

/**
 * @param title name of the storage in messages
 * @throws ActivityError `STORAGE_TOO_NEW`, `STORAGE_TOO_OLD`; Error for a body that is not a root
 */
export function parseRoot(body: string, title: string): Root {
  const [head, text, ...lines] = body.split("\n");
  const facts = JSON.parse(head as string) as Root & { format: unknown; buckets: number; records: number };
  checkFormat(facts.format, title);
  const entries = lines.map((line) => JSON.parse(line) as [never, string]);
  const manifests = new Map<number, string>(entries.slice(0, facts.buckets));
  const records = new Map<string, string>(entries.slice(facts.buckets));
  if (text === undefined || manifests.size !== facts.buckets || records.size !== facts.records) {
    throw new Error("lines of it are missing");
  }
  const { version, epochNo, confirmed, commit, log, nextLog, keys = null } = facts;
  return {
    version,
    epochNo,
    confirmed,
    commit,
    log,
    nextLog,
    keys,
    text: JSON.parse(text) as string | null,
    manifests,
    records,
  };
}

/** @throws ActivityError `STORAGE_TOO_NEW`, `STORAGE_TOO_OLD` */
export function checkFormat(format: unknown, title: string): void {
  if (format === FORMAT) return;
  const has = `${title} has the format ${format}`;
  if (format === 1) {
    const way = "export it with activity-server 0.1.0 and import it here, see docs/guides/upgrading.md";
    throw new ActivityError("STORAGE_TOO_OLD", `${has}, this version reads ${FORMAT}: ${way}`);
  }
  throw new ActivityError("STORAGE_TOO_NEW", `${has}, this version reads ${FORMAT}: update activity-server`);
}
