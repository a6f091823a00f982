import { composed } from "./composed.js";

/** Like `globTest`, for composed strings: to find buckets by a pattern that a person types, not for access control. */
export function canonicalGlobTest(glob: string): (text: string) => boolean {
  const test = globTest(composed(glob));
  return (text) => test(composed(text));
}

/**
 * Creates a test of whole strings, in which `*` matches any characters and all other characters match themselves. It
 * looks for each part between stars once, after the end of the previous part, so no pattern causes backtracking.
 */
export function globTest(glob: string): (text: string) => boolean {
  const parts = glob.split("*");
  if (parts.length === 1) return (text) => text === glob;
  const first = parts[0] as string;
  const last = parts[parts.length - 1] as string;
  const middle = parts.slice(1, -1).filter((part) => part !== "");
  return (text) => {
    const end = text.length - last.length;
    if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false;
    let at = first.length;
    for (const part of middle) {
      const found = text.indexOf(part, at);
      if (found < 0 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
}
