/** Letters and digits that look distinct and do not form words. */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
const DIGITS = "23456789";
const PART_LENGTH = 4;

/** A code to compare on two screens, such as `KRTM-4829`. It grants nothing, so it may be easy to guess. */
export function createPairingCode(): string {
  return `${pickRandom(LETTERS)}-${pickRandom(DIGITS)}`;
}

/** Normalizes a typed code: lower case, no dash. */
export function normalizeCode(written: string): string {
  const signs = written.toUpperCase().replace(/[^A-Z0-9]/g, "");
  return `${signs.slice(0, PART_LENGTH)}-${signs.slice(PART_LENGTH)}`;
}

function pickRandom(signs: string): string {
  const random = crypto.getRandomValues(new Uint32Array(PART_LENGTH));
  return Array.from(random, (number) => signs[number % signs.length]).join("");
}
