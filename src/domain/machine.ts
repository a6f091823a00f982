/** Facts about the machine of a server that the `activity-server` command runs, for its owner only. */
export interface MachineFacts {
  /** Flags with which commands find this server's data. */
  readonly flags: string;
  /** The command that starts this server for other devices; `null` if they can reach it. */
  readonly share: string | null;
  /** URLs for other devices; empty if they cannot reach the server. */
  readonly urls: readonly string[];
  /** Size of the data folder; `null` without one. */
  readonly bytes: number | null;
  /** Databases of ActivityWatch. */
  readonly databases: readonly ImportableDatabase[];
}

/** A database of ActivityWatch on the machine. */
export interface ImportableDatabase {
  readonly file: string;
  readonly bytes: number;
  /** Time of the last write. */
  readonly written: string;
  /** `null` if no import was started. */
  readonly import: ImportProgress | null;
}

/** The progress of an import, in events. */
export type ImportProgress =
  | { readonly state: "running"; readonly done: number; readonly total: number }
  | { readonly state: "done"; readonly imported: number; readonly known: number; readonly lost: number }
  | { readonly state: "failed"; readonly message: string };
