import type { SqlRow, SqlValue } from "../../foreign/sqlite-dialect.js";
import { loadOptional } from "../packages.js";

/** A SQLite database that is open. */
export interface SqliteFile {
  /** Rows one after another. Throws where the file is damaged. */
  rows(sql: string, values?: readonly (string | number)[]): IterableIterator<SqlRow>;
  close(): void;
}

type Engine = (file: string) => SqliteFile;

/**
 * Opens a database, which is ours to write: SQLite finishes what was under way in it. By Node's own SQLite where it has
 * one, else by a WebAssembly build that reads the file piece by piece.
 *
 * @throws LaunchError without either
 */
export async function openSqlite(file: string): Promise<SqliteFile> {
  const database = (openNodeEngine() ?? (await loadWasmEngine()))(file);
  try {
    // A write-ahead log needs memory that is shared between processes, or a file that nobody else has open.
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

/** Node says of its SQLite that it is experimental, which is nothing that an importing person can act on. */
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
