import { type ActivityClient, createClient, type Fetch, isActivityClientError } from "../../src/client/index.js";
import type { Random } from "../../src/testing/random.js";
import { Follower } from "./follower.js";

/** Cuts responses of the feed after some bytes, in the middle of whatever is there, and all of them at once. */
export class CutNetwork {
  cuts = 0;
  readonly #whole: Fetch;
  readonly #random: Random;
  /** Bytes after which a connection is cut, at most. */
  readonly #longest: number;
  readonly #connections: Set<() => void> = new Set();

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

  cutAll(): void {
    for (const cut of this.#connections) cut();
  }

  #cut(body: ReadableStream<Uint8Array>, most: number): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    let left = most;
    let cut = (): void => {};
    return new ReadableStream({
      start: (controller) => {
        cut = () => {
          this.cuts++;
          this.#connections.delete(cut);
          controller.error(new TypeError("connection lost"));
          reader.cancel().catch(() => undefined);
        };
        this.#connections.add(cut);
      },
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else if (value.length < left) {
          left -= value.length;
          controller.enqueue(value);
        } else {
          controller.enqueue(value.subarray(0, left));
          // The consumer takes what arrived before the connection was lost, and nothing follows.
          await new Promise((resolve) => setTimeout(resolve));
          cut();
        }
      },
      cancel: () => {
        this.#connections.delete(cut);
        return reader.cancel();
      },
    });
  }
}

/** Somebody who follows the feed until a signal. */
export interface Reader {
  readonly follower: Follower;
  /** Resolves after the signal. */
  readonly ended: Promise<void>;
  /** Buckets in messages. */
  readonly seen: ReadonlySet<string>;
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
  readonly readings: ConstructorParameters<typeof Follower>[0];
  readonly apiKey?: string | undefined;
  readonly buckets?: string | undefined;
}

export function startReader({ fetch, signal, readings, apiKey, buckets }: ReaderOptions): Reader {
  const follower = new Follower(readings);
  const seen = new Set<string>();
  const client = createClient({ url: "http://localhost", fetch, apiKey });
  const reads = (async () => {
    for await (const message of client.feed({ buckets }, { signal })) {
      if ("bucket" in message) seen.add(message.bucket);
      await follower.take(message);
    }
  })();
  const ended = reads.catch((error) => {
    if (error.code !== "ABORTED") throw error;
  });
  return { follower, seen, ended };
}
