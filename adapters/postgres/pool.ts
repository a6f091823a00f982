// What is used of node-postgres. Its own types stay out of the declarations, as embedders may not have them.

/** One statement. */
export interface PostgresQuery {
  readonly text: string;
  readonly values?: unknown[];
  readonly rowMode: "array";
  /** Gives columns as the texts in which they came, whatever parsers the process has set. */
  readonly types: { getTypeParser(): (text: string) => string };
}

/** A connection that was taken out of a pool. */
export interface PostgresClient {
  query(query: PostgresQuery): Promise<unknown>;
  /** Gives it back; with `true` it is closed instead. */
  release(isBroken?: boolean): void;
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** A pool of connections, such as `new pg.Pool()`. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "connect", listener: (client: PostgresClient) => void): unknown;
  readonly options?: { readonly max?: number | undefined };
}

/** A pool that is the storage's own. */
export interface OwnPool extends PostgresPool {
  end(): Promise<void>;
}

/** One row; `null` as it is, everything else as text. */
export type Row = readonly (string | null)[];

const AS_TEXT = (text: string): string => text;
const TYPES: PostgresQuery["types"] = { getTypeParser: () => AS_TEXT };

/**
 * Runs a statement. It has no name, so a pooler that gives every transaction another connection can pass it on.
 *
 * @param values absent: several statements may stand in the text
 */
export async function rowsOf(client: PostgresClient, text: string, values?: readonly unknown[]): Promise<Row[]> {
  const query = { text, rowMode: "array", types: TYPES } as const;
  const result: unknown = await client.query(values === undefined ? query : { ...query, values: [...values] });
  return (result as { readonly rows?: Row[] }).rows ?? [];
}
