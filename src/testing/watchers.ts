/** A common watcher, by the names in its buckets. */
export interface Watcher {
  readonly type: string;
  readonly client: string;
  /** The part before `_<hostname>` in its bucket ID. */
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

/** Finds the watcher for a bucket type, or creates a made-up one. */
export function findWatcher(type: string): Watcher {
  const known = Object.values(WATCHERS).find((watcher) => watcher.type === type);
  return known ?? { type, client: "aw-watcher-test", prefix: "aw-watcher-test" };
}
