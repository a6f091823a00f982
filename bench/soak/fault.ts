/** Something that the server must never do. Its message names the bucket and the event, what was expected and found. */
export class SoakFault extends Error {
  override readonly name: string = "SoakFault";
}

/** A value for a message, not too long. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 400 ? `${text.slice(0, 400)}...` : text;
}
