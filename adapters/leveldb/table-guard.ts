import type { ActivityError } from "../../src/errors.js";
import { corrupt } from "../segments/state.js";
import type { CloseState } from "./clean-mark.js";
import { exists } from "./file-system.js";
import type { FolderLayout } from "./folder.js";

/** Tables up to this total size are checked at every opening, unless they are known to be unchanged. */
const CHECKED_BYTES = 16 * 1024 * 1024;

/** Prevents LevelDB from reading damaged tables that would crash the process. */
export class TableGuard {
  readonly #layout: FolderLayout;
  readonly #name: string;
  #unsafe: ActivityError | undefined;

  /** @param name of the folder in messages */
  constructor(layout: FolderLayout, name: string) {
    this.#layout = layout;
    this.#name = name;
  }

  /**
   * Checks the tables before LevelDB opens them. In a large folder, only the scrub checks them, unless a table may have
   * crashed the last process.
   *
   * @throws ActivityError `STORAGE_CORRUPT`
   */
  async checkBeforeOpening(left: CloseState): Promise<void> {
    const { db } = this.#layout;
    if (left === "unchanged" || !(await exists(db))) return;
    const { tablesIn, unsafeTable } = await import("./maintenance/table-check.js");
    const tables = await tablesIn(db);
    const bytes = tables.reduce((sum, table) => sum + table.bytes, 0);
    if (bytes > CHECKED_BYTES && left === "clean") return;
    const table = await unsafeTable(db, tables);
    if (table !== undefined) throw this.#damaged(table);
  }

  /** Checks all tables now. After an unsafe one, `assertSafe` throws. @returns the message about an unsafe table */
  async check(): Promise<string | undefined> {
    const { db } = this.#layout;
    const { tablesIn, unsafeTable } = await import("./maintenance/table-check.js");
    const table = await unsafeTable(db, await tablesIn(db), () => new Promise((resolve) => setImmediate(resolve)));
    if (table === undefined) return undefined;
    this.#unsafe = this.#damaged(table);
    return reasonOf(table);
  }

  /** @throws ActivityError `STORAGE_CORRUPT` */
  assertSafe(): void {
    if (this.#unsafe !== undefined) throw this.#unsafe;
  }

  #damaged(table: string): ActivityError {
    return corrupt(this.#name, reasonOf(table));
  }
}

function reasonOf(table: string): string {
  return `the table ${table} of the database is damaged`;
}
