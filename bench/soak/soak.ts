import { setMaxListeners } from "node:events";
import { join } from "node:path";
import { seededRandom } from "../data.js";
import { IDLE_BUCKET, WINDOW_BUCKET } from "../programs.js";
import { Archive } from "./archive.js";
import { Client } from "./client.js";
import { ActiveClock, sleep } from "./clock.js";
import { SoakFault, shown } from "./event.js";
import { Ledger } from "./ledger.js";
import { Measurements } from "./measurements.js";
import { Asker, Exporter, Looker } from "./readers.js";
import { copyLauncher, type Ended, Server } from "./server.js";
import { type Verified, verify } from "./verify.js";
import { Watcher } from "./watcher.js";
import { type Actor, between, seedOf, World } from "./world.js";
import { Churner, Importer, Inserter, Leaver } from "./writers.js";

export interface SoakOptions {
  /** Of active time; checks included. */
  readonly minutes: number;
  readonly seed: number;
  readonly watchers: number;
  /** Beats a second of each watcher. */
  readonly rate: number;
  /** Mean length of a life of the server, in seconds. */
  readonly killEvery: number;
  /** Share of the run, in its middle, without kills: long enough to see memory grow. */
  readonly calm: number;
  /** Events of the archive that queries read. */
  readonly events: number;
  /** Folder for the data and a copy of the server; empty. */
  readonly folder: string;
  /** Ends the run early; what it has seen by then is checked and reported. */
  readonly signal: AbortSignal;
}

/** How often the server ended in which way. */
export interface Ends {
  kills: number;
  stops: number;
  killsWhileStarting: number;
}

export interface SoakResult {
  readonly faults: readonly string[];
  readonly ends: Ends;
  readonly checks: number;
  /** What the last check has seen. */
  readonly verified: Verified | undefined;
  readonly pauses: number;
  readonly measurements: Measurements;
  readonly client: Client;
}

const MILLIS_PER_MINUTE = 60_000;
const STOP_SHARE = 0.2;
const KILL_WHILE_STARTING_SHARE = 0.15;
/** The first ones tell the most. */
const MAX_FAULTS = 20;
const LONGEST_HURRY_MILLIS = 600;
const STOP_LIMIT_MILLIS = 15_000;

/** Ends a run whose fault is noted already. */
class RunOver extends Error {}

/** One run: lives of a server on one folder, each begun with a check and ended by a signal. */
export class Soak {
  readonly #options: SoakOptions;
  readonly #clock: ActiveClock = new ActiveClock();
  readonly #client: Client = new Client(this.#clock);
  readonly #measurements: Measurements = new Measurements(this.#clock);
  readonly #world: World;
  readonly #actors: readonly Actor[];
  readonly #random: () => number;
  readonly #ends: Ends = { kills: 0, stops: 0, killsWhileStarting: 0 };
  readonly #beginning: number = this.#clock.now();
  readonly #faults: string[] = [];
  #checks = 0;
  #verified: Verified | undefined;
  #server: Server | undefined;
  #deviceId: unknown;

  constructor(options: SoakOptions) {
    this.#options = options;
    this.#world = new World(this.#clock, this.#client, options.seed);
    this.#random = seededRandom(seedOf("kills", options.seed));
    this.#actors = actorsOf(this.#world, options, (latency) => this.#measurements.beat(latency));
  }

  async run(): Promise<SoakResult> {
    const launcher = copyLauncher(this.#options.folder);
    const data = join(this.#options.folder, "data");
    try {
      for (let isOver = false; !isOver; ) {
        const server = await this.#start(launcher, data);
        await this.#check();
        isOver = this.#isOver();
        const stopWatching = this.#measurements.watch(server, data);
        try {
          await (isOver ? this.#stop(server) : this.#live(server));
        } finally {
          stopWatching();
        }
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.kill();
      await this.#server?.ended;
      this.#client.close();
      this.#clock.close();
    }
    return this.result();
  }

  /** For the end of this process: nothing stays behind. */
  kill(): void {
    this.#server?.kill("SIGKILL");
  }

  result(): SoakResult {
    return {
      faults: this.#faults,
      ends: this.#ends,
      checks: this.#checks,
      verified: this.#verified,
      pauses: this.#clock.pauses,
      measurements: this.#measurements,
      client: this.#client,
    };
  }

  async #start(launcher: string, data: string): Promise<Server> {
    if (this.#checks > 0 && this.#random() < KILL_WHILE_STARTING_SHARE) {
      this.#server = Server.spawn(launcher, data);
      await sleep(between(this.#random, 20, 600), this.#options.signal);
      this.#server.kill("SIGKILL");
      await this.#server.ended;
      this.#ends.killsWhileStarting++;
    }
    const server = Server.spawn(launcher, data);
    this.#server = server;
    await server.listening();
    this.#client.connect(server.port, (fault) => this.#fail(fault));
    return server;
  }

  async #check(): Promise<void> {
    // A pause may cut a request of the check; nothing was written meanwhile, so that it can begin again.
    for (;;) {
      const { pauses } = this.#clock;
      try {
        const { device_id: deviceId } = (await this.#client.json("info")) as { readonly device_id: unknown };
        this.#deviceId ??= deviceId;
        if (deviceId !== this.#deviceId) {
          throw new SoakFault(`the device id is ${shown(deviceId)}, expected ${shown(this.#deviceId)}`);
        }
        this.#verified = await verify(this.#world);
        this.#checks++;
        return;
      } catch (error) {
        if (pauses === this.#clock.pauses || !String(error).includes("cut by a pause")) throw error;
      }
    }
  }

  /** Loads the server until it is killed. */
  async #live(server: Server): Promise<void> {
    const over = new AbortController();
    const hurry = new AbortController();
    for (const { signal } of [over, hurry]) setMaxListeners(0, signal);
    this.#world.hurry = hurry.signal;
    const isStop = this.#random() < STOP_SHARE;
    const until = this.#lifeUntil();
    const run = async (actor: Actor): Promise<void> => {
      try {
        await actor.run(over.signal);
      } catch (error) {
        this.#fail(error);
      }
    };
    const actors = Promise.all(this.#actors.map(run));
    const untimely = server.ended.then((ended) => {
      if (!this.#client.isEnding) this.#fail(new SoakFault(`the server ended (${shown(ended)}): ${server.said()}`));
      hurry.abort();
      over.abort();
    });
    const early = AbortSignal.any([over.signal, this.#options.signal]);
    while (this.#clock.now() < until && this.#faults.length === 0 && !early.aborted) await sleep(50, early);
    hurry.abort();
    await sleep(between(this.#random, 5, LONGEST_HURRY_MILLIS), over.signal);
    this.#client.isEnding = true;
    // Whatever went wrong, it ends here; a server that is gone already says nothing more.
    const hasFailed = this.#faults.length > 0 || !server.isAlive;
    await (isStop && !hasFailed ? this.#stop(server) : this.#kill(server));
    await untimely;
    await actors;
    if (this.#faults.length > 0) throw new RunOver();
  }

  async #kill(server: Server): Promise<void> {
    server.kill("SIGKILL");
    await server.ended;
    this.#ends.kills++;
  }

  /** @throws SoakFault when it does not end by itself, and with success */
  async #stop(server: Server): Promise<void> {
    this.#client.isEnding = true;
    server.kill("SIGTERM");
    const before = this.#clock.now();
    let ended: Ended | undefined;
    while (ended === undefined && this.#clock.now() - before < STOP_LIMIT_MILLIS) {
      ended = (await Promise.race([server.ended, sleep(100, new AbortController().signal)])) ?? undefined;
    }
    if (ended?.code !== 0) throw new SoakFault(`after SIGTERM the server ended with ${shown(ended)}: ${server.said()}`);
    this.#ends.stops++;
  }

  /** The instant at which a life ends that begins now. */
  #lifeUntil(): number {
    const { minutes, calm, killEvery } = this.#options;
    const whole = minutes * MILLIS_PER_MINUTE;
    const length = killEvery * 1000 * (0.5 + this.#random());
    const until = this.#clock.now() - this.#beginning + length;
    const calmFrom = (whole * (1 - calm)) / 2;
    const calmTo = (whole * (1 + calm)) / 2;
    const end = until > calmFrom && until < calmTo ? calmTo : until;
    return this.#beginning + Math.min(end, whole);
  }

  #isOver(): boolean {
    const passed = this.#clock.now() - this.#beginning;
    return passed >= this.#options.minutes * MILLIS_PER_MINUTE || this.#options.signal.aborted;
  }

  #fail(error: unknown): void {
    if (error instanceof RunOver || this.#faults.length >= MAX_FAULTS) return;
    const text = error instanceof Error && !(error instanceof SoakFault) ? error.stack : undefined;
    this.#faults.push(text ?? (error as Error).message);
  }
}

function actorsOf(world: World, { watchers, rate, events }: SoakOptions, onBeat: (latency: number) => void): Actor[] {
  const archive = new Archive(world, { bucketId: WINDOW_BUCKET, kind: "window", events });
  const idle = new Archive(world, { bucketId: IDLE_BUCKET, kind: "idle", events: Math.ceil(events / 10) });
  const ledger = (bucketId: string): Ledger => world.add(new Ledger(bucketId));
  const [first, second] = [ledger("insert-1"), ledger("insert-2")];
  const ledgers = { window: archive.ledger, idle: idle.ledger };
  return [
    archive,
    idle,
    ...Array.from({ length: watchers }, (_, at) => new Watcher(world, { name: `watcher-${at + 1}`, rate, onBeat })),
    new Inserter(world, first, { name: "inserter-1", restMillis: 300 }),
    new Inserter(world, first, { name: "inserter-2", restMillis: 300 }),
    new Inserter(world, second, { name: "inserter-3", restMillis: 300 }),
    new Inserter(world, second, { name: "inserter-4", restMillis: 300 }),
    new Churner(world, ledger("churn-1"), { name: "churner-1", restMillis: 400 }),
    new Churner(world, ledger("churn-2"), { name: "churner-2", restMillis: 400 }),
    new Importer(world, ledger("import-1"), { name: "importer-1", restMillis: 2000 }),
    new Leaver(world, ledger("leave-1"), { name: "leaver-1", restMillis: 1500 }),
    new Looker(world, { name: "looker-1", restMillis: 150 }),
    new Looker(world, { name: "looker-2", restMillis: 150 }),
    new Exporter(world, { name: "exporter-1", restMillis: 3000 }),
    new Asker(world, { name: "asker-1", restMillis: 1000 }, ledgers),
    new Asker(world, { name: "asker-2", restMillis: 1000 }, ledgers),
  ];
}
