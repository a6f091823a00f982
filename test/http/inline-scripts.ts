import { createHash } from "node:crypto";
import * as assert from "uvu/assert";

/** What a policy has to say of the scripts that stand in a page; all others must be files of the page. */
export function inlineHashes(page: string): string[] {
  const hashes: string[] = [];
  for (const [, attributes = "", script = ""] of page.matchAll(/<script\b([^>]*)>(.*?)<\/script>/gs)) {
    if (script === "") assert.match(attributes, /\bsrc="[^"\s]*assets\//);
    else hashes.push(`'sha256-${createHash("sha256").update(script).digest("base64")}'`);
  }
  return hashes;
}
