/**
 * The encodings of a file. The first is the shortest: Brotli would save a tenth, but need a second copy of the files.
 */
export const ENCODINGS = ["gzip", "identity"] as const;

export type Encoding = (typeof ENCODINGS)[number];

const PART = /^\s*([^\s;]+)\s*(?:;\s*q\s*=\s*([\d.]+)\s*)?$/i;

/**
 * Chooses the encoding that a client prefers, and the shorter one on a tie.
 *
 * @param acceptEncoding the header; `undefined` selects the plain file
 */
export function encodingFor(acceptEncoding: string | undefined): Encoding {
  const weights = new Map<string, number>();
  for (const part of (acceptEncoding ?? "").split(",")) {
    const [, name, weight = "1"] = PART.exec(part) ?? [];
    if (name !== undefined) weights.set(name.toLowerCase(), Number(weight) || 0);
  }
  // An encoding that is not listed is only sent if nothing better is available.
  const weightOf = (encoding: Encoding): number =>
    weights.get(encoding) ?? weights.get("*") ?? (encoding === "identity" ? Number.MIN_VALUE : 0);
  let best: Encoding = "identity";
  for (const encoding of [...ENCODINGS].reverse()) {
    if (weightOf(encoding) > 0 && weightOf(encoding) >= weightOf(best)) best = encoding;
  }
  return best;
}
