// Views have addresses in the fragment, so that back, reload and bookmarks work wherever the page is mounted.
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";

/** A parsed fragment: `#/day/2026-11-21?host=desk`. */
export interface Place {
  /** Decoded segments; empty for `#/`. */
  readonly path: readonly string[];
  readonly params: URLSearchParams;
}

/** `undefined` omits a parameter. */
export type Params = Readonly<Record<string, string | undefined>>;

/** A sign-in link instead of a view: `#/sign-in/TOKEN`. */
export const SIGN_IN_LINK: RegExp = /^#\/sign-in\/([^/?]+)/;

const fragment: Signal<string> = signal(location.hash);
addEventListener("hashchange", () => {
  // Keeps the current view with all input.
  if (!SIGN_IN_LINK.test(location.hash)) fragment.value = location.hash;
});

/** The current place. */
export const route: ReadonlySignal<Place> = computed(() => parsePlace(fragment.value));

const kept: ReadonlySignal<string> = computed(() => JSON.stringify(route.value.params.getAll("f")));

/** The filter in the address, as strings (`f`, repeated). The list is identical while its content is equal. */
export const filterTexts: ReadonlySignal<readonly string[]> = computed(() => JSON.parse(kept.value) as string[]);

/** Parses a fragment. Keeps invalid encodings verbatim. */
export function parsePlace(hash: string): Place {
  const [path = "", ...search] = hash.replace(/^#/, "").split("?");
  const segments = path.split("/").filter((segment) => segment !== "");
  return { path: segments.map(decoded), params: new URLSearchParams(search.join("?")) };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/**
 * The link to a place.
 *
 * @param filter defaults to the current filter
 */
export function href(
  path: readonly string[],
  params: Params = {},
  filter: readonly string[] = filterTexts.value,
): string {
  const given = Object.entries(params).flatMap(([name, value]) =>
    value === undefined || name === "f" ? [] : [[name, value]],
  );
  given.push(...filter.map((text) => ["f", text]));
  const search = new URLSearchParams(given).toString();
  return `#/${path.map(encodeURIComponent).join("/")}${search === "" ? "" : `?${search}`}`;
}

/** Options of a navigation. */
export interface Going {
  /** Whether to replace the current history entry. @default false */
  readonly replace?: boolean;
  /** @default the current filter */
  readonly filter?: readonly string[];
}

/** Navigates to a place. */
export function navigate(path: readonly string[], params: Params = {}, options: Going = {}): void {
  const target = href(path, params, options.filter ?? filterTexts.peek());
  if (target === location.hash) return;
  // The events of the browser would be too late.
  if (options.replace) history.replaceState(null, "", target);
  else history.pushState(null, "", target);
  fragment.value = location.hash;
}
