import type { Operation } from "./shim.js";
import type { RealFault, Trouble } from "./trouble.js";

const FULL = [507];
/** A disk that fails: 503; a program cannot always tell it from a full one. */
const FAILED = [503, 507];

const MODES = ["process-crash", "power-loss"] as const;
const ENDINGS = ["stop", "kill", "stop in trouble", "kill in trouble"] as const;

/** A full disk, in every mode and with every ending. */
export function fullDisks(): Trouble[] {
  return MODES.flatMap((durability) =>
    ENDINGS.flatMap((ending): Trouble[] => [
      { name: `no space, ${durability}, ${ending}`, durability, ending, fault: "no space", statuses: FULL },
      {
        name: `every write fails with EFBIG, ${durability}, ${ending}`,
        durability,
        ending,
        fault: { operations: ["write"], error: "EFBIG" },
        statuses: FULL,
      },
    ]),
  );
}

/** What the operating system itself refuses. */
export function realFaults(fault: RealFault): Trouble[] {
  return MODES.flatMap((durability) =>
    ENDINGS.map((ending): Trouble => {
      return { name: `${fault}, ${durability}, ${ending}`, durability, ending, fault, statuses: FULL };
    }),
  );
}

/** Others are only made at a start: start-trouble.ts. */
const ONCE: readonly Operation[] = ["write", "sync", "create", "unlink", "syncFolder"];

/** The n-th operation of each kind fails, once or from then on. */
export function failures(nth: readonly number[]): Trouble[] {
  const troubles: Trouble[] = [];
  for (const operation of ONCE) {
    for (const first of nth) {
      for (const times of [1, -1]) {
        const index = troubles.length;
        const durability = MODES[index % 2] ?? "power-loss";
        // Once is over by itself; what goes on is over before the end, or not.
        const ending = ENDINGS[(index >> 1) % (times === 1 ? 2 : 4)] ?? "kill";
        const often = times === 1 ? "once" : "from then on";
        troubles.push({
          name: `${operation} ${first} fails ${often}, ${durability}, ${ending}`,
          durability,
          ending,
          fault: { operations: [operation], first, times },
          statuses: FAILED,
        });
      }
    }
  }
  return troubles;
}

/** Half of the n-th write reaches the disk, and can be cut off again or not. */
export function tornWrites(nth: readonly number[]): Trouble[] {
  return nth.flatMap((first) =>
    MODES.flatMap((durability, index) =>
      [1, 2].map((times): Trouble => {
        const ending = ENDINGS[(first + index) % 2] ?? "kill";
        return {
          name: `write ${first} is torn${times === 1 ? "" : " and not cut off"}, ${durability}, ${ending}`,
          durability,
          ending,
          fault: { operations: ["write", "truncate"], first, times, action: "tear" },
          statuses: FAILED,
        };
      }),
    ),
  );
}
