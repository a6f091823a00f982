/** A watcher that many people run, by the names that its buckets carry. */
export interface Watcher {
  readonly type: string;
  readonly client: string;
  /** What stands before `_<hostname>` in the id of its bucket. */
  readonly prefix: string;
}

/** The computer of every builder and test server. */
export const TEST_HOSTNAME = "test-host";

/**
 * Bucket ids as the watchers make them (docs/reference/compatibility.md#buckets-of-watchers); the browser extension
 * names its client otherwise.
 */
export const WATCHERS: Readonly<Record<"window" | "afk" | "web" | "editor", Watcher>> = {
  window: { type: "currentwindow", client: "aw-watcher-window", prefix: "aw-watcher-window" },
  afk: { type: "afkstatus", client: "aw-watcher-afk", prefix: "aw-watcher-afk" },
  web: { type: "web.tab.current", client: "aw-client-web", prefix: "aw-watcher-web-firefox" },
  editor: { type: "app.editor.activity", client: "aw-watcher-vscode", prefix: "aw-watcher-vscode" },
};

/** The watcher that writes buckets of a type, or one that nobody has. */
export function findWatcher(type: string): Watcher {
  const known = Object.values(WATCHERS).find((watcher) => watcher.type === type);
  return known ?? { type, client: "aw-watcher-test", prefix: "aw-watcher-test" };
}
