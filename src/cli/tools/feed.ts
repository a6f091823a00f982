import type { ClientFeedMessage } from "../../client/index.js";
import type { CommandOptions } from "../command-options.js";
import { printable } from "../launch-error.js";
import { runOnServer } from "./actions.js";

/** Prints the changes of a running server until it is interrupted, or nothing reads them. @returns the exit code */
export async function feed(options: CommandOptions<"feed">): Promise<number> {
  const reason = "only a server with a data folder can be found; use curl -N instead";
  const unread = new AbortController();
  options.streams.stdout.once("error", () => unread.abort());
  return runOnServer(options, reason, async ({ buckets }, { client }, report) => {
    try {
      for await (const message of client.feed({ buckets }, { signal: unread.signal })) {
        report.event("feed", { message }, printable(describe(message), 300));
      }
    } catch (thrown) {
      if (!unread.signal.aborted) throw thrown;
    }
  });
}

function describe(message: ClientFeedMessage): string {
  if (message.type === "reset") return message.reason === "start" ? "Waiting for changes" : "Some changes were missed";
  if (message.type === "setting") return `setting ${message.key}`;
  if (message.type === "pairing") return `pairing request ${message.code} ${message.action}`;
  const { action, bucket } = message;
  if ("event" in message) {
    const { timestamp, duration, data } = message.event;
    return `${timestamp} ${duration} s ${bucket} ${action} ${JSON.stringify(data)}`;
  }
  if ("from" in message) return `bucket ${message.from} ${action} to ${bucket}`;
  return message.type === "bucket" ? `bucket ${bucket} ${action}` : `events of ${bucket} ${action}`;
}
