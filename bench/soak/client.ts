import http from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { ActiveClock } from "./clock.js";
import { SoakFault } from "./event.js";

/** A request under way for this long counts as hanging. */
const LONGEST_MILLIS = 60_000;
const LOOK_EVERY_MILLIS = 1000;
/** A reader as slow as this takes about 2 MB/s. */
const SLOW_PAUSE_MILLIS = 30;

/** How many requests of a kind there were, and what became of them. */
export interface Tally {
  answered: number;
  /** Without an answer, because of a kill or a stop. */
  cut: number;
  /** Clients that left of their own accord. */
  left: number;
  /** Unexpected statuses outside of kills and stops. */
  refused: number;
}

export interface RequestOptions {
  /** JSON. */
  readonly body?: string;
  /** Statuses besides 200 that are no fault. */
  readonly allow?: readonly number[];
  /** Reads the answer with pauses. @default false */
  readonly slow?: boolean;
  /** Goes away after so many milliseconds. @default never */
  readonly leaveAfterMillis?: number;
  /** Sends only the first half of the body before it goes away. @default false */
  readonly halfBody?: boolean;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** Milliseconds from sending to the end of the answer; `undefined` when this process was stopped or busy then. */
  readonly latency: number | undefined;
}

interface UnderWay {
  readonly kind: string;
  readonly path: string;
  readonly since: number;
  readonly request: http.ClientRequest;
}

/** The clients of a server that may die at any moment. */
export class Client {
  readonly tallies: Map<string, Tally> = new Map();
  /** Whether the server has been told to end: then it may refuse and cut what it likes. */
  isEnding = false;
  readonly #clock: ActiveClock;
  readonly #underWay: Set<UnderWay> = new Set();
  readonly #timer: NodeJS.Timeout;
  #agent: http.Agent = new http.Agent();
  #port = 0;
  #hanging: ((fault: SoakFault) => void) | undefined;

  constructor(clock: ActiveClock) {
    this.#clock = clock;
    this.#timer = setInterval(() => this.#lookForHanging(), LOOK_EVERY_MILLIS);
  }

  /** Turns to a new life of the server. */
  connect(port: number, onHanging: (fault: SoakFault) => void): void {
    this.#agent.destroy();
    this.#agent = new http.Agent({ keepAlive: true });
    this.#port = port;
    this.#hanging = onHanging;
    this.isEnding = false;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#agent.destroy();
  }

  /**
   * @param kind for the table of requests
   * @returns the answer; `undefined` when there was none because the server was killed, the client left, or the
   *   processes were stopped meanwhile
   * @throws SoakFault for any other status, and when a living server cuts the connection
   */
  async request(
    kind: string,
    [method, path]: readonly [method: string, path: string],
    options: RequestOptions = {},
  ): Promise<Answer | undefined> {
    const { allow = [] } = options;
    const tally = this.#tally(kind);
    const { pauses, blocks } = this.#clock;
    const since = this.#clock.now();
    const answer = await this.#exchange({ kind, method, path, since }, options);
    const millis = this.#clock.now() - since;
    const isPaused = this.#clock.pauses !== pauses;
    if (answer === "left") {
      tally.left++;
      return undefined;
    }
    if (typeof answer === "string") {
      if (this.isEnding || isPaused) tally.cut++;
      else throw new SoakFault(`${method} ${path}: a living server cut the connection (${answer})`);
      return undefined;
    }
    const { status, text } = answer;
    if (status === 200 || allow.includes(status)) {
      tally.answered++;
      return { ...answer, latency: isPaused || this.#clock.blocks !== blocks ? undefined : millis };
    }
    if (isPaused || (this.isEnding && status === 503)) {
      tally.cut++;
      return undefined;
    }
    tally.refused++;
    throw new SoakFault(`${method} ${path} was answered with ${status}: ${text.slice(0, 300)}`);
  }

  /** Reads JSON from a server that is expected to live. */
  async json(path: string): Promise<unknown> {
    const answer = await this.request("check", ["GET", path]);
    if (answer === undefined) throw new SoakFault(`GET ${path} was cut by a pause; it is not known what it holds`);
    return JSON.parse(answer.text);
  }

  /** @returns the answer, "left", or what broke */
  #exchange(
    head: Omit<UnderWay, "request"> & { readonly method: string },
    options: RequestOptions,
  ): Promise<Pick<Answer, "status" | "text"> | string> {
    return new Promise((resolve) => {
      const bytes = options.body === undefined ? undefined : Buffer.from(options.body);
      const request = http.request({
        agent: this.#agent,
        port: this.#port,
        host: "127.0.0.1",
        method: head.method,
        path: `/api/0/${head.path}`,
        headers: bytes ? { "content-type": "application/json", "content-length": bytes.length } : {},
      });
      const entry: UnderWay = { ...head, request };
      this.#underWay.add(entry);
      let leaving: NodeJS.Timeout | undefined;
      let isLeft = false;
      const end = (result: Pick<Answer, "status" | "text"> | string): void => {
        clearTimeout(leaving);
        this.#underWay.delete(entry);
        resolve(isLeft ? "left" : result);
      };
      const leave = (): void => {
        isLeft = true;
        request.destroy();
      };
      let isAnswering = false;
      request.on("error", (error) => end(error.message));
      request.on("close", () => isAnswering || end("closed"));
      request.on("response", (response) => {
        isAnswering = true;
        gathered(response, options.slow ?? false).then(
          (pieces) => {
            const text = this.#clock.work(() => Buffer.concat(pieces).toString());
            end({ status: response.statusCode ?? 0, text });
          },
          (error: Error) => end(error.message),
        );
      });
      if (options.leaveAfterMillis !== undefined) leaving = setTimeout(leave, options.leaveAfterMillis);
      if (options.halfBody && bytes) request.write(bytes.subarray(0, bytes.length >> 1));
      else request.end(bytes);
    });
  }

  #tally(kind: string): Tally {
    const found = this.tallies.get(kind) ?? { answered: 0, cut: 0, left: 0, refused: 0 };
    this.tallies.set(kind, found);
    return found;
  }

  #lookForHanging(): void {
    const now = this.#clock.now();
    for (const { kind, path, since, request } of this.#underWay) {
      if (now - since < LONGEST_MILLIS) continue;
      this.#hanging?.(new SoakFault(`${kind} ${path} has had no answer for ${Math.round((now - since) / 1000)} s`));
      request.destroy();
    }
  }
}

/** The body of an answer. Rejects when it breaks off. */
async function gathered(response: http.IncomingMessage, slow: boolean): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  for await (const piece of response) {
    pieces.push(piece as Buffer);
    if (slow) await pause(SLOW_PAUSE_MILLIS);
  }
  return pieces;
}
