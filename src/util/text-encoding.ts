/** A character encoding. */
export type TextEncoding = "utf-8" | "utf-16le" | "utf-16be";

/**
 * The encoding of content that starts with a byte order mark or with an ASCII character, as JSON and CSV do. Windows
 * programs write UTF-16.
 */
export function textEncodingOf(beginning: Uint8Array): TextEncoding {
  const [first = 1, second = 1] = beginning;
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return "utf-16le";
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return "utf-16be";
  return "utf-8";
}

/** Whether bytes are compressed with gzip. */
export function isGzip(beginning: Uint8Array): boolean {
  return beginning[0] === 0x1f && beginning[1] === 0x8b;
}
