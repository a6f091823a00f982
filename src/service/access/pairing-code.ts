/** Letters and digits that look distinct and do not form words. */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
const DIGITS = "23456789";
const OF_EACH = 4;

/** A code to compare on two screens, such as `KRTM-4829`. It grants nothing, so it may be easy to guess. */
export function newPairingCode(): string {
  return `${someOf(LETTERS)}-${someOf(DIGITS)}`;
}

/** Normalizes a typed code: lower case, no dash. */
export function normalizedCode(written: string): string {
  const signs = written.toUpperCase().replace(/[^A-Z0-9]/g, "");
  return `${signs.slice(0, OF_EACH)}-${signs.slice(OF_EACH)}`;
}

function someOf(signs: string): string {
  const random = crypto.getRandomValues(new Uint32Array(OF_EACH));
  return Array.from(random, (number) => signs[number % signs.length]).join("");
}
