/** Parses a URL; `undefined` if it is none. The oldest supported browsers lack `URL.canParse` and `URL.parse`. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
