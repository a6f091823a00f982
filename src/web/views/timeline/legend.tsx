import type { JSX } from "preact";
import type { Bar } from "./bars.js";

/** Meaning of a color. */
export interface LegendEntry {
  readonly name: string;
  readonly color: string;
}

/** Maximum number of colors to explain. */
const MOST = 10;

/** The most frequent looks. */
export function legendOf(lanes: readonly (readonly Bar[])[]): readonly LegendEntry[] {
  const weights = new Map<string, { weight: number; color: string }>();
  for (const { look, left, right, share } of lanes.flat()) {
    if (look.name === "" || look.isFaint) continue;
    const entry = weights.get(look.name) ?? { weight: 0, color: look.color };
    entry.weight += (right - left) * share;
    weights.set(look.name, entry);
  }
  return [...weights]
    .sort(([, a], [, b]) => b.weight - a.weight)
    .slice(0, MOST)
    .map(([name, { color }]) => ({ name, color }));
}

/** Explains the visible colors. */
export function Legend({
  entries,
  label,
}: {
  readonly entries: readonly LegendEntry[];
  readonly label: string;
}): JSX.Element {
  return (
    <ul class="tl-legend" aria-label={label}>
      {entries.map(({ name, color }) => (
        <li key={name}>
          <span class="tl-swatch" style={{ background: color }} />
          <bdi>{name}</bdi>
        </li>
      ))}
    </ul>
  );
}
