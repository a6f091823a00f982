// Entry point of the dashboard: mounts it, and loads the data that every view needs.
import { render } from "preact";
import { missingCredentials } from "./api.js";
import { App, Chips, viewOf } from "./app.js";
import { refreshBuckets } from "./buckets.js";
import { followFeed, onFeed } from "./live/feed.js";
import { recoveries } from "./recoveries.js";
import { filterTexts, route } from "./router.js";
import { loadServer } from "./server-facts.js";
import { enter, followSession } from "./session.js";
import { languageLoaded, loadSettings, reloadSettings, rereadSetting } from "./settings.js";
import { loadView, loadViewsAhead } from "./view-loader.js";
import { prefetchSearch } from "./views/search/prefetch.js";

// Prefetches the view and its first data in the meantime, since they take longest.
prefetchSearch();
void loadView(viewOf(route.peek().path) ?? "");

// First, since without signing in there may be nothing to show.
await Promise.all([enter(), languageLoaded, filterTexts.peek().length > 0 && Chips.load()]);

onFeed((message) => {
  if (message.type === "setting") rereadSetting(message.key);
  else if (message.type === "reset") void reloadSettings();
});
followFeed();

const place = document.getElementById("app");
if (place !== null) {
  place.replaceChildren();
  render(<App />, place);
}
followSession();
loadViewsAhead();
// Not needed by the first view.
void import("./background.js");

// Now, and again when the server is back or a key was entered.
recoveries.subscribe(() => {
  if (missingCredentials.peek() !== undefined) return;
  void loadSettings();
  void refreshBuckets();
  void loadServer();
});
