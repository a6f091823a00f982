import { backOff, delay } from "./back-off.js";
import type { CallOptions, ClientFeedMessage, ClientFeedRequest } from "./client-types.js";
import { isTransient } from "./errors.js";
import { retryAfterMillis } from "./retries.js";
import { linesOf } from "./search-calls.js";
import type { Transport } from "./transport.js";

type Received = ClientFeedMessage | { readonly type: "bye"; readonly reconnect_after: number };

/** Creates the feed call: it connects again after its last message whenever the connection ends. */
export function feedOf({ text }: Transport) {
  return ({ types, ...request }: ClientFeedRequest = {}, options?: CallOptions): AsyncIterable<ClientFeedMessage> => ({
    async *[Symbol.asyncIterator]() {
      let { after } = request;
      for (let failed = 0; ; ) {
        let pause: number | undefined;
        try {
          const query = { ...request, types: types?.join(), after };
          let [id, data] = [after, ""];
          for await (const line of linesOf(text("GET /api/0/feed", { ...options, query }, /^:/))) {
            failed = 0;
            if (line.startsWith("id: ")) id = line.slice(4);
            else if (line.startsWith("data: ")) data = line.slice(6);
            // A message that was cut off has no empty line after it.
            if (line !== "") continue;
            after = id;
            const message = data && ({ ...JSON.parse(data), cursor: id } as Received);
            data = "";
            if (!message) continue;
            if (message.type === "bye") pause = message.reconnect_after * 1000 * (1 + Math.random());
            else yield message;
          }
        } catch (error) {
          if (!isTransient(error)) throw error;
          pause = retryAfterMillis(error);
        }
        await delay(pause ?? backOff(failed++), options?.signal);
      }
    },
  });
}
