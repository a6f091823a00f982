// A server in memory with a few events, to be asked by programs.
import type { JsonValue } from "../../src/domain/json.js";
import { type ActivityServer, QueryError, type QueryLimits } from "../../src/index.js";
import { withServer } from "../harness.js";

/** The day that holds all events. */
export const DAY = "2024-03-01T00:00:00Z/2024-03-02T00:00:00Z";

/** An event of a bucket: seconds from ten o'clock, length in seconds, data. */
export type Line = readonly [start: number, length: number, data: Readonly<Record<string, JsonValue>>];

export interface Asked {
  readonly server: ActivityServer;
  /** Carries a program out over the day. */
  ask(text: string, name?: string): Promise<JsonValue>;
  /** The mistake in a program. */
  mistakeIn(text: string): Promise<QueryError>;
}

/** Serves the buckets given for the time of the body. */
export async function withBuckets(
  buckets: Readonly<Record<string, readonly Line[]>>,
  body: (asked: Asked) => Promise<void>,
  queryLimits: Partial<QueryLimits> = {},
): Promise<void> {
  await withServer({ door: "process", queryLimits }, async ({ server }) => {
    const ask: Asked["ask"] = async (query, name = "") => {
      const [result] = await server.query({ timeperiods: [DAY], query, name });
      return result as JsonValue;
    };
    for (const [id, lines] of Object.entries(buckets)) {
      const events = lines.map(([start, length, data]) => ({
        timestamp: new Date(Date.UTC(2024, 2, 1, 10) + start * 1000),
        duration: { seconds: length },
        data,
      }));
      await server.buckets.create(id, { type: "test", client: "test", hostname: id.replace(/^.*_/, "") }, events);
    }
    await body({
      server,
      ask,
      async mistakeIn(text) {
        try {
          await ask(text);
        } catch (thrown) {
          if (thrown instanceof QueryError) return thrown;
          throw thrown;
        }
        throw new Error(`no mistake was found in ${text.slice(0, 200)}`);
      },
    });
  });
}
