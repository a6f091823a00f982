// The style of all that the page does not begin with: the rules of src/web/views.css.
import { apiBase } from "./api.js";

let styling: Promise<void> | undefined;

/** Resolves when the style is loaded, or has failed to load. */
function style(): Promise<void> {
  styling ??= new Promise((resolve) => {
    const link = document.getElementById("views-style");
    if (!(link instanceof HTMLLinkElement)) return resolve();
    link.onload = () => resolve();
    link.onerror = () => {
      // The next call retries, since the page reloads missing parts when the server is back.
      styling = undefined;
      link.rel = "later";
      resolve();
    };
    // The address of the page may have got its slash since the link was written.
    link.href = `${apiBase}/assets/${link.href.split("/").at(-1)}`;
    // Inserted in its place, since the order of style sheets matters.
    link.rel = "stylesheet";
  });
  return styling;
}

/** Resolves to loaded code when its style is loaded as well. */
export async function styled<Loaded>(loading: Promise<Loaded>): Promise<Loaded> {
  const [loaded] = await Promise.all([loading, style()]);
  return loaded;
}
