import { StatementTimeout } from "./failures.js";

// The parts of node-postgres that we use. Its own types stay out of the declarations, because embedders may not have
// them.

/** One statement. */
export interface PostgresQuery {
  readonly text: string;
  readonly values?: unknown[];
  readonly rowMode: "array";
  /** Returns columns as unparsed strings, whatever parsers the process has set. */
  readonly types: { getTypeParser(): (text: string) => string };
}

/** A separate connection that receives notifications. */
export interface PostgresListener {
  connect(): Promise<unknown>;
  query(query: PostgresQuery): Promise<unknown>;
  on(event: "notification", listener: (message: { readonly payload?: string | undefined }) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "end", listener: () => void): unknown;
  end(): Promise<void>;
}

/** A connection taken from a pool. */
export interface PostgresClient {
  query(query: PostgresQuery): Promise<unknown>;
  /** Releases it; `true` closes it instead. */
  release(isBroken?: boolean): void;
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** The options of a pool that we read; they also describe how to connect. */
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

/** A pool that belongs to the storage. */
export interface OwnPool extends PostgresPool {
  end(): Promise<void>;
}

/** One row: `null`, or strings. */
export type Row = readonly (string | null)[];

const AS_TEXT = (text: string): string => text;
const TYPES: PostgresQuery["types"] = { getTypeParser: () => AS_TEXT };

/** Time limit of a statement, in milliseconds. Without it, a stuck database would block its callers forever. */
export const SHORT_MILLIS = 5_000;
/** The limit of statements with many rows. */
export const LONG_MILLIS = 60_000;
/** The limit of statements with all rows. */
export const FULL_SCAN_MILLIS = 3_600_000;

/**
 * Runs a statement. It has no name, so that it works with a pooler that changes the connection after every transaction.
 *
 * @param values if absent, the string may contain several statements
 * @throws StatementTimeout if it takes too long: close the connection then
 */
export async function runStatement(
  client: Pick<PostgresClient, "query">,
  text: string,
  values?: readonly unknown[],
  limitMillis: number = SHORT_MILLIS,
): Promise<Row[]> {
  const query = { text, rowMode: "array", types: TYPES } as const;
  const result = await withTimeLimit(
    client.query(values === undefined ? query : { ...query, values: [...values] }),
    limitMillis,
  );
  return (result as { readonly rows?: Row[] }).rows ?? [];
}

function withTimeLimit(running: Promise<unknown>, limitMillis: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new StatementTimeout(`no response in ${limitMillis / 1000} seconds`)),
      limitMillis,
    );
    running.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
