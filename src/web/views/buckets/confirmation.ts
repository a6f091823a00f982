/**
 * What has to be typed to confirm that something of this name is deleted: the name itself, in a form that a single line
 * of input can hold.
 *
 * @param otherwise for names that have nothing in them that can be typed
 */
export function phraseOf(name: string, otherwise: string): string {
  const phrase = oneLine(name);
  return phrase === "" ? otherwise : phrase;
}

/** Whether a phrase has been typed; letters count as they are, spaces around it do not. */
export function isTyped(phrase: string, typed: string): boolean {
  return oneLine(typed) === oneLine(phrase);
}

function oneLine(text: string): string {
  return text
    .replace(/\p{Cs}/gu, "\ufffd")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}
