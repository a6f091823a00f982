/** Letters and digits that nobody takes for others, and that make no words. */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
const DIGITS = "23456789";
const OF_EACH = 4;

/** A code to compare on two screens, such as `KRTM-4829`. It opens nothing, so it need not be hard to guess. */
export function newPairingCode(): string {
  return `${someOf(LETTERS)}-${someOf(DIGITS)}`;
}

/** As people write it: in small letters, without the dash. */
export function normalizedCode(written: string): string {
  const signs = written.toUpperCase().replace(/[^A-Z0-9]/g, "");
  return `${signs.slice(0, OF_EACH)}-${signs.slice(OF_EACH)}`;
}

function someOf(signs: string): string {
  const random = crypto.getRandomValues(new Uint32Array(OF_EACH));
  return Array.from(random, (number) => signs[number % signs.length]).join("");
}
