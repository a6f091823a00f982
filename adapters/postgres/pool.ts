import { NoAnswer } from "./failures.js";

// What is used of node-postgres. Its own types stay out of the declarations, as embedders may not have them.

/** One statement. */
export interface PostgresQuery {
  readonly text: string;
  readonly values?: unknown[];
  readonly rowMode: "array";
  /** Gives columns as the texts in which they came, whatever parsers the process has set. */
  readonly types: { getTypeParser(): (text: string) => string };
}

/** A connection of its own, which is told what other connections notify it of. */
export interface PostgresListener {
  connect(): Promise<unknown>;
  query(query: PostgresQuery): Promise<unknown>;
  on(event: "notification", listener: (message: { readonly payload?: string | undefined }) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "end", listener: () => void): unknown;
  end(): Promise<void>;
}

/** A connection that was taken out of a pool. */
export interface PostgresClient {
  query(query: PostgresQuery): Promise<unknown>;
  /** Gives it back; with `true` it is closed instead. */
  release(isBroken?: boolean): void;
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** What is read of the options of a pool, which also say how to connect. */
export interface PostgresPoolSettings {
  readonly max?: number | undefined;
  readonly password?: unknown;
  readonly ssl?: unknown;
}

/** A pool of connections, such as `new pg.Pool()`. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "connect", listener: (client: PostgresClient) => void): unknown;
  readonly options?: PostgresPoolSettings;
}

/** A pool that is the storage's own. */
export interface OwnPool extends PostgresPool {
  end(): Promise<void>;
}

/** One row; `null` as it is, everything else as text. */
export type Row = readonly (string | null)[];

const AS_TEXT = (text: string): string => text;
const TYPES: PostgresQuery["types"] = { getTypeParser: () => AS_TEXT };

/** How long a statement may take, in milliseconds. A database that stands still would hold its callers for ever. */
export const SHORT_MILLIS = 5_000;
/** The same for those that touch many rows. */
export const LONG_MILLIS = 60_000;
/** The same for those that touch all rows. */
export const ENDLESS_MILLIS = 3_600_000;

/**
 * Runs a statement. It has no name, so a pooler that gives every transaction another connection can pass it on.
 *
 * @param values absent: several statements may stand in the text
 * @throws NoAnswer when it takes too long: the connection is to be closed then
 */
export async function rowsOf(
  client: Pick<PostgresClient, "query">,
  text: string,
  values?: readonly unknown[],
  limitMillis: number = SHORT_MILLIS,
): Promise<Row[]> {
  const query = { text, rowMode: "array", types: TYPES } as const;
  const result = await answered(
    client.query(values === undefined ? query : { ...query, values: [...values] }),
    limitMillis,
  );
  return (result as { readonly rows?: Row[] }).rows ?? [];
}

function answered(running: Promise<unknown>, limitMillis: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new NoAnswer(`no answer in ${limitMillis / 1000} seconds`)), limitMillis);
    running.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
