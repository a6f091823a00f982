import { mustBe } from "../errors.js";
import { memoize } from "../util/memoize.js";

/** No clocks have changed within such a period since 1973. */
const QUARTER_MILLIS = 900_000;
const MAX_QUARTERS = 100_000;

/** The offset of a zone from UTC, in milliseconds: computed once for each quarter of an hour. */
export class Offsets {
  readonly #format: Intl.DateTimeFormat;
  readonly #known: Map<number, number> = new Map();

  constructor(zone: string) {
    this.#format = formatOf(zone);
  }

  at(millis: number): number {
    const at = millis < 0 ? millis : millis - (millis % QUARTER_MILLIS);
    let offset = this.#known.get(at);
    if (offset === undefined) {
      // `formatToParts` would take four times as long.
      const [month = 0, day = 0, year = 0, ...time] = this.#format.format(at).split(/\D+/).map(Number);
      const [hour = 0, minute = 0, second = 0] = time;
      offset = Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
      if (this.#known.size >= MAX_QUARTERS) this.#known.clear();
      this.#known.set(at, offset);
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
