import type { Encoding } from "./encoding.js";

/** Names of the pages that come with the package, and of their folders. */
export type PageName = "api-browser" | "dashboard";

/** The files of a page, wherever they are kept. */
export interface PageFiles {
  readonly page: PageFile;
  /** What the page loads, by exact name: a name that is not listed leads nowhere. */
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
  /** The content as it is sent; the same bytes may be handed to many, so nobody may change them. */
  bytes(encoding: Encoding): Promise<Uint8Array>;
}
