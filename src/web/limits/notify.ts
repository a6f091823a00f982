// Whether this browser tells when a limit is passed. Asked only when somebody wants that.
import { type Signal, signal } from "@preact/signals";

/** What there is to be done. */
export type NotifyState = "unsupported" | "off" | "on" | "blocked";

const KEPT = "activity-server.notify";

export const notifyState: Signal<NotifyState> = signal(read());

function read(): NotifyState {
  if (typeof Notification === "undefined") return "unsupported";
  if (Notification.permission === "denied") return "blocked";
  return Notification.permission === "granted" && localStorage.getItem(KEPT) === "on" ? "on" : "off";
}

/** Call it only for what somebody does: browsers ask then, and only once. */
export async function turnOn(): Promise<void> {
  if (Notification.permission === "default") await Notification.requestPermission();
  localStorage.setItem(KEPT, "on");
  notifyState.value = read();
}

export function turnOff(): void {
  localStorage.setItem(KEPT, "off");
  notifyState.value = read();
}

/** Shows a notification, where the browser lets pages do so. */
export function tell(title: string, body: string): void {
  try {
    new Notification(title, { body, tag: title });
  } catch {
    // Browsers of phones show those of service workers only.
  }
}
