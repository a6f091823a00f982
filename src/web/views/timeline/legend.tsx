import type { JSX } from "preact";
import type { Bar } from "./bars.js";

/** What a colour of the picture stands for. */
export interface LegendEntry {
  readonly name: string;
  readonly color: string;
}

/** Most colours that are explained. */
const MOST = 10;

/** The looks that take most of the picture. */
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

/** What the colours in sight stand for. */
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
