import { type ActivityClient, createClient, type Fetch, isActivityClientError } from "../../src/client/index.js";
import type { Random } from "../../src/testing/random.js";
import { Follower, type Readings } from "./follower.js";

/** Cuts responses of the feed after some bytes, in the middle of whatever is there. */
export class CutNetwork {
  cuts = 0;
  readonly #whole: Fetch;
  readonly #random: Random;
  /** Bytes after which a connection is cut, at most. */
  readonly #longest: number;

  constructor(whole: Fetch, random: Random, longest: number) {
    this.#whole = whole;
    this.#random = random;
    this.#longest = longest;
  }

  readonly fetch: Fetch = async (url, init) => {
    const response = await this.#whole(url, init);
    if (!url.includes("/feed") || response.status !== 200) return response;
    const body = response.body as ReadableStream<Uint8Array>;
    return new Response(this.#cut(body, this.#random.between(1, this.#longest)), response);
  };

  #cut(body: ReadableStream<Uint8Array>, most: number): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    let left = most;
    return new ReadableStream({
      pull: async (controller) => {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else if (value.length < left) {
          left -= value.length;
          controller.enqueue(value);
        } else {
          controller.enqueue(value.subarray(0, left));
          // The consumer takes what arrived before the connection was lost, and nothing follows.
          await new Promise((resolve) => setTimeout(resolve));
          this.cuts++;
          controller.error(new TypeError("connection lost"));
          reader.cancel().catch(() => undefined);
        }
      },
      cancel: () => reader.cancel(),
    });
  }
}

/** Somebody who follows the feed until a signal. */
export interface Reader {
  readonly follower: Follower;
  /** Resolves after the signal. */
  readonly ended: Promise<void>;
}

/** All events of a bucket; `undefined` if there is no such bucket. */
export async function eventsOf(
  client: ActivityClient,
  bucketId: string,
): Promise<{ readonly id: number }[] | undefined> {
  try {
    return await client.events.list(bucketId);
  } catch (error) {
    if (isActivityClientError(error) && error.serverCode === "NO_SUCH_BUCKET") return undefined;
    throw error;
  }
}

export interface ReaderOptions {
  readonly fetch: Fetch;
  readonly signal: AbortSignal;
  readonly readings: Readings;
  readonly buckets: string;
}

export function startReader({ fetch, signal, readings, buckets }: ReaderOptions): Reader {
  const follower = new Follower(readings);
  const client = createClient({ url: "http://localhost", fetch });
  const reads = (async () => {
    for await (const message of client.feed({ buckets }, { signal })) {
      await follower.take(message);
    }
  })();
  const ended = reads.catch((error) => {
    if (error.code !== "ABORTED") throw error;
  });
  return { follower, ended };
}
