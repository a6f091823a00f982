import http, { type IncomingMessage } from "node:http";
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";

/**
 * Reads an answer no faster than some bytes a second; what it does not take yet waits in the kernel, and then in the
 * server.
 */
export async function readSlowly(
  port: number,
  path: string,
  bytesPerSecond: number,
): Promise<{ bodyBytes: number; seconds: number }> {
  const started = performance.now();
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    http.get({ port, path, host: "127.0.0.1", agent: false }, resolve).once("error", reject);
  });
  if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}`);
  let bodyBytes = 0;
  // The stream is not read while the loop waits.
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bodyBytes += chunk.length;
    const ahead = (bodyBytes / bytesPerSecond) * 1000 - (performance.now() - started);
    if (ahead > 1) await pause(ahead);
  }
  return { bodyBytes, seconds: (performance.now() - started) / 1000 };
}
