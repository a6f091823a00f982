import { checkAnswer } from "../api/answer-check.js";
import { IS_OTHER } from "./package-under-test.js";

/** A response; the body as value. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Makes a request. */
export type Send = (url: string, init: RequestInit) => Promise<Response>;

/** A client that takes any status for an answer. Every answer must be one that the OpenAPI document allows. */
export class Api {
  /** Requests that were answered with success. */
  acknowledged = 0;
  /** How often each status was seen. */
  readonly statuses: Map<number, number> = new Map();
  /** What is wrong with answers to failures, one of each status: a path, a missing header. */
  readonly badAnswers: Map<number, string> = new Map();
  /** Answers that leave it open whether something was stored. */
  doubts = 0;
  /** The first refusal of each status from 500 on, without those in doubt. */
  readonly refusals: Map<number, string> = new Map();
  readonly url: string;
  readonly #send: Send;

  /** @param url of the server, without a path */
  constructor(url: string, send: Send = fetch) {
    this.url = url;
    this.#send = send;
  }

  /**
   * @returns `undefined` when the server died over it, or hung up
   * @throws Error when no answer comes at all
   */
  async request(method: string, path: string, body?: unknown): Promise<Answer | undefined> {
    const url = `${this.url}/api/0/${path}`;
    const headers = { "content-type": "application/json" };
    let response: Response;
    let text: string;
    try {
      const signal = AbortSignal.timeout(LIMIT_MILLIS);
      const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) };
      response = await this.#send(url, { ...init, signal });
      text = await response.text();
    } catch (error) {
      if (error instanceof Error && error.name === "TimeoutError") throw new Error(`no answer: ${method} ${path}`);
      return undefined;
    }
    const { status } = response;
    const header = (name: string) => response.headers.get(name) ?? undefined;
    if (!IS_OTHER) checkAnswer({ method, path: url, status, header, body: text });
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (status === 503 && header("retry-after") === undefined) this.badAnswers.set(status, `${path}: no Retry-After`);
    if (status >= 500 && PATH.test(text)) this.badAnswers.set(status, `${path}: ${status} holds a path: ${text}`);
    if (status >= 500 && MAY_BE_STORED.test(text)) this.doubts++;
    else if (status >= 500 && !this.refusals.has(status)) this.refusals.set(status, `${method} ${path}: ${text}`);
    if (status === 200) this.acknowledged++;
    return { status, body: text === "" ? undefined : JSON.parse(text) };
  }

  /** Answers so far with a status of 500 or more. */
  get failures(): number {
    return [...this.statuses].reduce((sum, [status, count]) => sum + (status >= 500 ? count : 0), 0);
  }

  /** Reads; anything but 200 throws. */
  async get(path: string): Promise<unknown> {
    const answer = await this.request("GET", path);
    if (answer?.status === 200) return answer.body;
    throw new Error(`GET ${path} was answered with ${answer === undefined ? "nothing" : JSON.stringify(answer)}`);
  }
}

/** Within this time a request is answered, or it never is. */
const LIMIT_MILLIS = 60_000;

/** What an answer to a write means. */
export type Outcome = "stored" | "refused" | "doubt" | "impossible";

/**
 * `refused`: nothing of it may be found later; `doubt`: it may be, because the server died over it or says so;
 * `impossible`: the request does not fit what is stored.
 */
export function outcomeOf(answer: Answer | undefined): Outcome {
  if (answer === undefined) return "doubt";
  if (answer.status === 200) return "stored";
  if (answer.status < 500) return "impossible";
  return MAY_BE_STORED.test(JSON.stringify(answer.body)) ? "doubt" : "refused";
}

const MAY_BE_STORED = /\bmay be (stored|after a restart)\b/i;

/** A file of the data folder, in a message. */
const PATH = /\/disk\/|\/tmp\/|\.(wal|ldb|log)\b|journal-\d|MANIFEST/;
