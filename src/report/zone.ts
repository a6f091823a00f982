import { mustBe } from "../errors.js";
import { memoize } from "../util/memoize.js";

/** No clocks have changed within such a period since 1973. */
const QUARTER_MILLIS = 900_000;
/** Clocks have changed at most once within such a period since 1970. */
const DAY_MILLIS = 86_400_000;
const MAX_KNOWN = 100_000;

/** The offset of a zone from UTC, in milliseconds: computed once for each day, or quarter of an hour if it changes. */
export class Offsets {
  readonly #format: Intl.DateTimeFormat;
  readonly #known: Map<number, number> = new Map();

  constructor(zone: string) {
    this.#format = formatOf(zone);
  }

  at(millis: number): number {
    if (millis < 0) return this.#exactly(millis);
    const day = millis - (millis % DAY_MILLIS);
    const offset = this.#exactly(day);
    return offset === this.#exactly(day + DAY_MILLIS) ? offset : this.#exactly(millis - (millis % QUARTER_MILLIS));
  }

  #exactly(millis: number): number {
    let offset = this.#known.get(millis);
    if (offset === undefined) {
      // `formatToParts` would take four times as long.
      const [month = 0, day = 0, year = 0, ...time] = this.#format.format(millis).split(/\D+/).map(Number);
      const [hour = 0, minute = 0, second = 0] = time;
      offset = Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(millis / 1000) * 1000;
      if (this.#known.size >= MAX_KNOWN) this.#known.clear();
      this.#known.set(millis, offset);
    }
    return offset;
  }
}

/** The offsets of a zone of the IANA database. @throws ActivityError `INVALID_INPUT` */
export const offsetsOf: (zone: string) => Offsets = memoize((zone: string) => new Offsets(zone));

function formatOf(zone: string): Intl.DateTimeFormat {
  const number = "numeric";
  try {
    return new Intl.DateTimeFormat("en-US", {
      ...{ timeZone: zone, calendar: "gregory", numberingSystem: "latn", hourCycle: "h23" },
      ...{ year: number, month: number, day: number, hour: number, minute: number, second: number },
    });
  } catch {
    throw mustBe("time_zone", "a name like Europe/Berlin", zone);
  }
}
