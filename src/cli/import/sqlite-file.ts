import type { SqlRow, SqlValue } from "../../foreign/sqlite-dialect.js";
import { loadOptional } from "../packages.js";

/** An open SQLite database. */
export interface SqliteFile {
  /** Iterates over rows. Throws if the file is damaged. */
  rows(sql: string, values?: readonly (string | number)[]): IterableIterator<SqlRow>;
  close(): void;
}

type Engine = (file: string) => SqliteFile;

/**
 * Opens a private copy of a database: SQLite writes to it, to complete or roll back transactions. Uses Node's SQLite if
 * there is one, otherwise a WebAssembly build.
 *
 * @throws LaunchError if neither is available
 */
export async function openSqlite(file: string): Promise<SqliteFile> {
  const database = (openNodeEngine() ?? (await loadWasmEngine()))(file);
  try {
    // A write-ahead log needs shared memory, or exclusive access to the file.
    for (const _ of database.rows("PRAGMA locking_mode = EXCLUSIVE"));
    for (const _ of database.rows("PRAGMA cell_size_check = ON"));
    return database;
  } catch (cause) {
    database.close();
    throw cause;
  }
}

interface NodeSqlite {
  readonly DatabaseSync: new (
    file: string,
  ) => {
    prepare(sql: string): { iterate(...values: readonly (string | number)[]): IterableIterator<SqlRow> };
    close(): void;
  };
}

function openNodeEngine(): Engine | undefined {
  const sqlite = withoutWarnings(() => process.getBuiltinModule?.("node:sqlite") as NodeSqlite | undefined);
  if (sqlite === undefined) return undefined;
  return (file) => {
    const database = new sqlite.DatabaseSync(file);
    return {
      rows: (sql, values = []) => database.prepare(sql).iterate(...values),
      close: () => database.close(),
    };
  };
}

/** Suppresses Node's warning that its SQLite is experimental, because users cannot act on it. */
function withoutWarnings<Result>(load: () => Result): Result {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

async function loadWasmEngine(): Promise<Engine> {
  const { default: sqlite } = await loadOptional(() => import("node-sqlite3-wasm"));
  return (file) => {
    const database = new sqlite.Database(file, { fileMustExist: true });
    return {
      *rows(sql, values = []) {
        const statement = database.prepare(sql);
        try {
          for (const row of statement.iterate([...values])) yield row as Record<string, SqlValue>;
        } finally {
          statement.finalize();
        }
      },
      close: () => database.close(),
    };
  };
}
