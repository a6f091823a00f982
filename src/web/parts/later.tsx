import { h, type JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { recoveries } from "../api.js";

const loads: (() => Promise<unknown>)[] = [];

/** Loads all that has been made by `later`, for the time when the server is gone. */
export function loadLater(): void {
  for (const load of loads) load().catch(() => {});
}

/**
 * A component whose code is loaded when it is first drawn, and once more when the server is back, if that failed;
 * nothing stands in its place until then.
 */
export function later<Props extends object>(
  load: () => Promise<(props: Props) => JSX.Element | null>,
): (props: Props) => JSX.Element | null {
  loads.push(load);
  let found: ((props: Props) => JSX.Element | null) | undefined;
  return (props) => {
    const [, setReady] = useState(false);
    const recovered = recoveries.value;
    useEffect(() => {
      if (found !== undefined) return;
      load().then(
        (component) => {
          found = component;
          setReady(true);
        },
        // Without the server there is nothing that it could do, and the page says that it is gone.
        () => {},
      );
    }, [recovered]);
    return found === undefined ? null : h(found, props);
  };
}
