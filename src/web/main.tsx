// The dashboard at `/`: mounts it, and asks for what every view needs.
import { render } from "preact";
import { recoveries } from "./api.js";
import { App } from "./app.js";
import { refreshBuckets } from "./buckets.js";
import { loadServer } from "./server-facts.js";
import { loadSettings } from "./settings.js";

const place = document.getElementById("app");
if (place !== null) {
  place.replaceChildren();
  render(<App />, place);
}

// At once, and again when the server is back or was given its key.
recoveries.subscribe(() => {
  void loadSettings();
  void refreshBuckets();
  void loadServer();
});
