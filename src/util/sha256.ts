/** A running SHA-256. */
export interface Sha256 {
  update(bytes: Uint8Array): void;
  /** The digest in lower-case hexadecimal. Called once, at the end. */
  hex(): string;
}

/** Starts a digest, with the runtime's implementation if it takes pieces. Web Crypto does not. */
export function sha256(): Sha256 {
  const crypto = globalThis.process?.getBuiltinModule?.("crypto");
  if (crypto === undefined) return portableSha256();
  const hash = crypto.createHash("sha256");
  return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest("hex") };
}

const BLOCK_BYTES = 64;
const LENGTH_BYTES = 8;

/** FIPS 180-4 in JavaScript, for runtimes without another implementation. */
export function portableSha256(): Sha256 {
  const state = Uint32Array.from(fractions(8, 2));
  const block = new Uint8Array(BLOCK_BYTES);
  let filled = 0;
  let length = 0;

  function update(bytes: Uint8Array): void {
    length += bytes.length;
    for (let at = 0; at < bytes.length; ) {
      const taken = Math.min(BLOCK_BYTES - filled, bytes.length - at);
      block.set(bytes.subarray(at, at + taken), filled);
      filled += taken;
      at += taken;
      if (filled < BLOCK_BYTES) return;
      compress(state, block);
      filled = 0;
    }
  }

  return {
    update,
    hex() {
      const bits = BigInt(length) * 8n;
      update(Uint8Array.of(0x80));
      const room = BLOCK_BYTES - LENGTH_BYTES - filled;
      update(new Uint8Array(room < 0 ? room + BLOCK_BYTES : room));
      new DataView(block.buffer).setBigUint64(BLOCK_BYTES - LENGTH_BYTES, bits);
      compress(state, block);
      return Array.from(state, (word) => word.toString(16).padStart(8, "0")).join("");
    },
  };
}

/** The first 32 bits of the fractional parts of the roots of the first primes. */
function fractions(count: number, root: 2 | 3): number[] {
  const words: number[] = [];
  for (let candidate = 2; words.length < count; candidate++) {
    if (Array.from({ length: candidate - 2 }, (_, index) => index + 2).some((less) => candidate % less === 0)) continue;
    const value = root === 2 ? Math.sqrt(candidate) : Math.cbrt(candidate);
    words.push(((value - Math.floor(value)) * 2 ** 32) >>> 0);
  }
  return words;
}

const ROUNDS = 64;
/** Computed at the first use: Node has a native SHA-256 and does not need them. */
let constants: Uint32Array | undefined;
const schedule = new Uint32Array(ROUNDS);

function compress(state: Uint32Array, block: Uint8Array): void {
  constants ??= Uint32Array.from(fractions(ROUNDS, 3));
  const view = new DataView(block.buffer, block.byteOffset);
  for (let index = 0; index < ROUNDS; index++) schedule[index] = index < 16 ? view.getUint32(index * 4) : mixed(index);
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let index = 0; index < ROUNDS; index++) {
    const high = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const first = (h + high + ((e & f) ^ (~e & g)) + word(constants, index) + word(schedule, index)) | 0;
    const low = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const second = (low + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  for (const [index, value] of [a, b, c, d, e, f, g, h].entries()) state[index] = word(state, index) + value;
}

function mixed(index: number): number {
  const [two, fifteen] = [word(schedule, index - 2), word(schedule, index - 15)];
  const low = turned(fifteen, 7) ^ turned(fifteen, 18) ^ (fifteen >>> 3);
  const high = turned(two, 17) ^ turned(two, 19) ^ (two >>> 10);
  return word(schedule, index - 16) + low + word(schedule, index - 7) + high;
}

function word(words: Uint32Array, index: number): number {
  return words[index] as number;
}

function turned(value: number, bits: number): number {
  return (value >>> bits) | (value << (32 - bits));
}
