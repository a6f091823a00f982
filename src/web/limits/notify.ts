// Browser notifications for exceeded limits. Permission is only requested on demand.
import { type Signal, signal } from "@preact/signals";

/** State of notifications. */
export type NotifyState = "unsupported" | "off" | "on" | "blocked";

const KEPT = "activity-server.notify";

export const notifyState: Signal<NotifyState> = signal(read());

function read(): NotifyState {
  if (typeof Notification === "undefined") return "unsupported";
  if (Notification.permission === "denied") return "blocked";
  return Notification.permission === "granted" && localStorage.getItem(KEPT) === "on" ? "on" : "off";
}

/** Call it only from a user action, since browsers require one for the permission prompt. */
export async function turnOn(): Promise<void> {
  if (Notification.permission === "default") await Notification.requestPermission();
  localStorage.setItem(KEPT, "on");
  notifyState.value = read();
}

export function turnOff(): void {
  localStorage.setItem(KEPT, "off");
  notifyState.value = read();
}

/** Shows a notification, if the browser allows it. */
export function showNotification(title: string, body: string): void {
  try {
    new Notification(title, { body, tag: title });
  } catch {
    // Phone browsers only show notifications of service workers.
  }
}
