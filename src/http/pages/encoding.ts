/** How a file can be sent. The first is the shortest: Brotli would save a tenth, and need the files a second time. */
export const ENCODINGS = ["gzip", "identity"] as const;

export type Encoding = (typeof ENCODINGS)[number];

const PART = /^\s*([^\s;]+)\s*(?:;\s*q\s*=\s*([\d.]+)\s*)?$/i;

/**
 * Chooses the encoding that a client likes best, and the shorter one where it likes two alike.
 *
 * @param acceptEncoding the header; `undefined` when the client says nothing, and then gets the file as it is
 */
export function encodingFor(acceptEncoding: string | undefined): Encoding {
  const weights = new Map<string, number>();
  for (const part of (acceptEncoding ?? "").split(",")) {
    const [, name, weight = "1"] = PART.exec(part) ?? [];
    if (name !== undefined) weights.set(name.toLowerCase(), Number(weight) || 0);
  }
  // What is not named at all is sent only when nothing better is.
  const weightOf = (encoding: Encoding): number =>
    weights.get(encoding) ?? weights.get("*") ?? (encoding === "identity" ? Number.MIN_VALUE : 0);
  let best: Encoding = "identity";
  for (const encoding of [...ENCODINGS].reverse()) {
    if (weightOf(encoding) > 0 && weightOf(encoding) >= weightOf(best)) best = encoding;
  }
  return best;
}
