// Adapts the page to a request and the embedder: its links, and the elements of its head.
import { unzipped, zipped } from "../../util/gzip.js";
import { sha256 } from "../../util/sha256.js";
import { escapeHtml } from "../readable.js";
import type { RequestContext } from "../request-context.js";
import type { PageFile } from "./page-files.js";

/**
 * The one inline script, for addresses whose final slash is unknown: an embedder may have cut the path off. Links need
 * that slash. A redirect could loop, because some frameworks remove the slash.
 */
const SLASH_SCRIPT = `const{pathname:p,search:s,hash:h}=location;\
if(!p.endsWith("/"))history.replaceState(history.state,"",p+"/"+s+h)`;

/** The source of `SLASH_SCRIPT` in a Content-Security-Policy. */
export const SLASH_SCRIPT_HASH = "'sha256-U7tEzjHdTQkVOviMdF2ExaXfv0bs1i+KKVb8q9In17c='";

/** The address of a page, as far as the server knows. */
export interface PagePlace {
  /** Prefix for relative links: the last segment of an address without a slash at its end. */
  readonly prefix: string;
  /** Whether the address may lack its final slash. */
  readonly isUnsure: boolean;
}

/** The address of a request's page. Express and others keep the full path next to the shortened one. */
export function placeOf({ host, path }: Pick<RequestContext, "host" | "path">): PagePlace {
  const { originalUrl } = (host.node ?? {}) as { readonly originalUrl?: unknown };
  const isKept = typeof originalUrl === "string";
  const [whole = "/"] = isKept ? originalUrl.split(/[?#]/, 1) : [path];
  const segment = whole.slice(whole.lastIndexOf("/") + 1);
  return { prefix: segment === "" ? "" : `./${segment}/`, isUnsure: !isKept && whole === "/" };
}

/** A page for its place. @param head elements for its head */
export async function placePage(page: PageFile, { prefix, isUnsure }: PagePlace, head: string): Promise<PageFile> {
  const added = `${isUnsure ? `<script>${SLASH_SCRIPT}</script>\n` : ""}${head}`;
  if (prefix === "" && added === "") return page;
  const html = new TextDecoder().decode(await page.bytes("identity"));
  const bytes = new TextEncoder().encode(
    html.replace("<link ", () => `${added}<link `).replaceAll('"assets/', () => `"${escapeHtml(prefix)}assets/`),
  );
  const digest = sha256();
  digest.update(bytes);
  const gzip = await zipped(bytes);
  return {
    ...page,
    hash: digest.hex().slice(0, page.hash.length),
    bytes: async (encoding) => (encoding === "gzip" ? gzip : unzipped(gzip)),
  };
}
