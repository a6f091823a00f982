/** What was measured on one machine. */
export interface Measured {
  /** Microseconds of CPU for one beat. */
  readonly nodeMicros: number;
  readonly databaseMicros: number;
  /** Bytes of an event in the database, indexes included. */
  readonly eventBytes: number;
}

/** What cannot be measured here. Every one of them is a flag of the simulation. */
export interface Assumptions {
  /** Share of the users who are active at the busiest moment. */
  readonly active: number;
  /** Beats a second of an active user: a window watcher every second, an idle watcher every fifth. */
  readonly beats: number;
  /** Events a year of a user: 2,200 a day, 230 days. */
  readonly events: number;
  /** Share of a core that is used at the busiest moment. */
  readonly load: number;
  /** Cores of a machine, and how many of them a database may have before another one is taken. */
  readonly cores: number;
  /** Copies of each database: the primary and a synchronous standby. */
  readonly copies: number;
  /** Price of a core for a month, with its memory. */
  readonly corePrice: number;
  /** Price of a gigabyte of disk for a month. */
  readonly gigabytePrice: number;
}

export const ASSUMPTIONS: Assumptions = {
  active: 0.25,
  beats: 1.2,
  events: 506_000,
  load: 0.6,
  cores: 16,
  copies: 2,
  corePrice: 25,
  gigabytePrice: 0.1,
};

export interface Cost {
  readonly users: number;
  readonly beatsPerSecond: number;
  readonly nodeCores: number;
  readonly databaseCores: number;
  readonly databases: number;
  /** After a year. */
  readonly gigabytes: number;
  /** A month, at the end of the first year. */
  readonly price: number;
}

/**
 *     beats a second  = users * active * beats
 *     cores           = beats a second * microseconds of a beat / 1,000,000 / load, rounded up
 *     gigabytes       = users * events * bytes of an event * copies / 1,000,000,000
 *     price           = (node cores + database cores * copies) * core price + gigabytes * gigabyte price
 */
export function costOf(users: number, measured: Measured, assumed: Assumptions): Cost {
  const { active, beats, events, load, cores, copies, corePrice, gigabytePrice } = assumed;
  const beatsPerSecond = users * active * beats;
  const coresFor = (micros: number): number => Math.max(1, Math.ceil((beatsPerSecond * micros) / 1e6 / load));
  const [nodeCores, databaseCores] = [coresFor(measured.nodeMicros), coresFor(measured.databaseMicros)];
  const gigabytes = (users * events * measured.eventBytes * copies) / 1e9;
  return {
    users,
    beatsPerSecond,
    nodeCores,
    databaseCores,
    databases: Math.ceil(databaseCores / cores),
    gigabytes,
    price: (nodeCores + databaseCores * copies) * corePrice + gigabytes * gigabytePrice,
  };
}
