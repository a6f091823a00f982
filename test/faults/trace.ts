import { OPERATIONS, type Operation } from "./shim.js";

/** What happened to a file or folder. */
type Kind = Operation | "rmdir" | "syncFailed";

/** In the order of `enum kind` of shim.c. */
const KINDS: readonly Kind[] = [...OPERATIONS, "rmdir", "syncFailed"];

/** One operation that the program made and the operating system took. */
export interface Step {
  readonly kind: Kind;
  readonly path: string;
  /** The new name, of a rename or link. */
  readonly target: string;
  readonly inode: bigint;
  /** Where a write begins; how long a truncated file is. */
  readonly offset: number;
  readonly data: Buffer;
  /** When it was done, on the monotonic clock that `process.hrtime` reads, in nanoseconds. */
  readonly nanos: bigint;
  /** Where the step ends in the trace, in bytes: compares with `TraceFile.mark()`. */
  readonly end: number;
}

const HEADER_BYTES = 40;

/** Reads a trace that shim.c wrote. A step that is cut off at the end is left out. */
export function parseTrace(bytes: Buffer): Step[] {
  const steps: Step[] = [];
  let at = 0;
  while (at + HEADER_BYTES <= bytes.length) {
    const pathAt = at + HEADER_BYTES;
    const targetAt = pathAt + bytes.readUInt32LE(at + 4);
    const dataAt = targetAt + bytes.readUInt32LE(at + 8);
    const end = dataAt + bytes.readUInt32LE(at + 12);
    const kind = KINDS[bytes.readUInt32LE(at)];
    if (kind === undefined) throw new Error(`no such kind of step at byte ${at} of the trace`);
    if (end > bytes.length) break;
    steps.push({
      kind,
      path: bytes.toString("utf8", pathAt, targetAt),
      target: bytes.toString("utf8", targetAt, dataAt),
      inode: bytes.readBigUInt64LE(at + 16),
      offset: Number(bytes.readBigInt64LE(at + 24)),
      data: bytes.subarray(dataAt, end),
      nanos: bytes.readBigUInt64LE(at + 32),
      end,
    });
    at = end;
  }
  return steps;
}
