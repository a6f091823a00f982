import { composed } from "./composed.js";

/** The same of texts in their composed forms: for what people write to find buckets, not for who may use them. */
export function canonicalGlobTest(glob: string): (text: string) => boolean {
  const test = globTest(composed(glob));
  return (text) => test(composed(text));
}

/**
 * Makes a test of whole texts, in which `*` stands for any text and everything else for itself. Each part between stars
 * is looked for once, from where the one before it ended, so that no pattern makes it try again.
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
