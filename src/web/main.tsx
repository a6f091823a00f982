// The dashboard at `/`: mounts it, and asks for what every view needs.
import { render } from "preact";
import { keyWanted, recoveries } from "./api.js";
import { App, Chips, viewOf } from "./app.js";
import { refreshBuckets } from "./buckets.js";
import { filterTexts, route } from "./router.js";
import { loadServer } from "./server-facts.js";
import { enter, followSession } from "./session.js";
import { languageLoaded, loadSettings } from "./settings.js";
import { loadView, loadViewsAhead } from "./view-loader.js";
import { searchAhead } from "./views/search/ahead.js";

// What is going to be shown comes meanwhile, and what it shows before all else: it takes longest.
searchAhead();
void loadView(viewOf(route.peek().path) ?? "");

// First, since without it there may be nothing to show.
await Promise.all([enter(), languageLoaded, filterTexts.peek().length > 0 && Chips.load()]);

const place = document.getElementById("app");
if (place !== null) {
  place.replaceChildren();
  render(<App />, place);
}
followSession();
loadViewsAhead();
// The first view does not need it.
void import("./behind.js");

// At once, and again when the server is back or was given its key.
recoveries.subscribe(() => {
  if (keyWanted.peek() !== undefined) return;
  void loadSettings();
  void refreshBuckets();
  void loadServer();
});
