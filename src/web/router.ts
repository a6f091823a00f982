// Views have their addresses in the fragment: so back, reload and bookmarks work wherever the page is mounted.
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";

/** What the fragment says: `#/day/2026-11-21?host=desk`. */
export interface Place {
  /** Decoded segments; none for `#/`. */
  readonly path: readonly string[];
  readonly params: URLSearchParams;
}

/** `undefined` leaves a parameter out. */
export type Params = Readonly<Record<string, string | undefined>>;

/** What signs in instead of leading to a place: `#/sign-in/TOKEN`. */
export const SIGN_IN_LINK: RegExp = /^#\/sign-in\/([^/?]+)/;

const fragment: Signal<string> = signal(location.hash);
addEventListener("hashchange", () => {
  // The view that is there stays, with all that was typed.
  if (!SIGN_IN_LINK.test(location.hash)) fragment.value = location.hash;
});

/** Where the page is. */
export const route: ReadonlySignal<Place> = computed(() => parsePlace(fragment.value));

const kept: ReadonlySignal<string> = computed(() => JSON.stringify(route.value.params.getAll("f")));

/** The filter of the address, as texts (`f`, repeated): the same list as long as it says the same. */
export const filterTexts: ReadonlySignal<readonly string[]> = computed(() => JSON.parse(kept.value) as string[]);

/** Reads a fragment. What cannot be decoded stays as it is. */
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
 * @param filter every place keeps that of the address, unless it is given another one
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

/** How to go to a place. */
export interface Going {
  /** Whether the place before is forgotten by the browser's history. @default false */
  readonly replace?: boolean;
  /** @default that of the address */
  readonly filter?: readonly string[];
}

/** Goes to a place. */
export function navigate(path: readonly string[], params: Params = {}, options: Going = {}): void {
  const target = href(path, params, options.filter ?? filterTexts.peek());
  if (target === location.hash) return;
  // Neither lets the browser tell of it in time.
  if (options.replace) history.replaceState(null, "", target);
  else history.pushState(null, "", target);
  fragment.value = location.hash;
}
