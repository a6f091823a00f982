// Commands that find this server's data, if the `activity-server` command runs it.
import { type Signal, signal } from "@preact/signals";

/** Flags with placeholders for private paths, which the page itself contains. */
const publicFlags = globalThis.document?.querySelector<HTMLMetaElement>('meta[name="flags"]')?.content;

/** Whether the `activity-server` command runs the server. */
export const hasCommand: boolean = publicFlags !== undefined;

/** Flags with which commands find this server's data. */
export const flags: Signal<string> = signal(publicFlags ?? "");

/** Adds the flags to a command. */
export function withFlags(command: string): string {
  return `${command} ${flags.value}`.trim();
}
