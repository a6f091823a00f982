/**
 * Finds strings that composing may change. It leaves out blocks without characters that change or join the preceding
 * one, so plain Latin, Greek, Cyrillic, Japanese, Chinese and Korean strings need no further check.
 */
const MAY_CHANGE = /[^\0-\u02ff\u0388-\u0482\u2002-\u20cf\u3041-\u3098\u309b-\u9fff\uac00-\ud7a3]/;

/** A class of the characters that may join the preceding one: marks, and letters of a few scripts. */
export const MARK = "[\\p{M}\\u1160-\\u11ff\\u{16d67}]";

/** Composing takes quadratic time in a run of marks, so long strings are composed in pieces. */
const MAX_AT_ONCE = 512;
/** Pieces that start with a separate character, unless a run of marks is longer than a piece. */
const PIECES = new RegExp(`.{1,${MAX_AT_ONCE}}(?!${MARK})|.{1,${MAX_AT_ONCE}}`, "gsu");

/**
 * The composed form (NFC) of a string: identical for all strings that Unicode calls canonically equivalent, such as the
 * two forms of `é`. Only for matching; stored strings do not change.
 */
export function composed(text: string): string {
  if (!MAY_CHANGE.test(text)) return text;
  if (text.length <= MAX_AT_ONCE) return text.normalize("NFC");
  return text.replace(PIECES, (piece) => piece.normalize("NFC"));
}

/** A form that ignores case and canonical equivalence. */
export function caseless(text: string): string {
  return composed(text).toLowerCase();
}
