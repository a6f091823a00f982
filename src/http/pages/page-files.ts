import type { Encoding } from "./encoding.js";

/** Names of the package's pages, and of their folders. */
export type PageName = "api-browser" | "dashboard";

/** The files of a page, wherever they are stored. */
export interface PageFiles {
  readonly page: PageFile;
  /** The files that the page loads, by exact name. No other name is served. */
  readonly assets: ReadonlyMap<string, PageFile>;
}

/** One file. */
export interface PageFile {
  /** Content type with charset. */
  readonly type: string;
  /** Changes with the content. */
  readonly hash: string;
  /** Whether the name changes with the content as well. */
  readonly isImmutable: boolean;
  /** The content as sent. Responses share these bytes, so do not change them. */
  bytes(encoding: Encoding): Promise<Uint8Array>;
}
