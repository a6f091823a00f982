/**
 * The phrase to type to confirm a deletion: the name, in a form that fits a single-line input.
 *
 * @param otherwise for names without characters that can be typed
 */
export function phraseOf(name: string, otherwise: string): string {
  const phrase = oneLine(name);
  return phrase === "" ? otherwise : phrase;
}

/** Whether the phrase was typed: case-sensitive, ignoring surrounding spaces. */
export function isTyped(phrase: string, typed: string): boolean {
  return oneLine(typed) === oneLine(phrase);
}

function oneLine(text: string): string {
  return text
    .replace(/\p{Cs}/gu, "\ufffd")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}
