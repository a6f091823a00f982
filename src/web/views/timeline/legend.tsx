import type { JSX } from "preact";
import { t } from "../../texts/timeline.js";
import type { Bar } from "./bars.js";
import type { TimelineModel } from "./model.js";

/** Meaning of a color. */
export interface LegendEntry {
  readonly name: string;
  readonly color: string;
  /** Whether it shows presence, whose colors never change. */
  readonly isPresence: boolean;
}

/** Maximum number of colors to explain. */
const MOST = 10;

/** The most frequent looks. */
export function legendOf(lanes: readonly (readonly Bar[])[]): readonly LegendEntry[] {
  const weights = new Map<string, { weight: number; entry: LegendEntry }>();
  for (const { look, left, right, share } of lanes.flat()) {
    const { name, color, isPresence } = look;
    if (name === "" || look.isFaint) continue;
    const key = `${isPresence} ${name}`;
    const known = weights.get(key) ?? { weight: 0, entry: { name, color, isPresence } };
    known.weight += (right - left) * share;
    weights.set(key, known);
  }
  const entries = [...weights.values()].sort((a, b) => b.weight - a.weight).map(({ entry }) => entry);
  return [...entries.filter((one) => !one.isPresence).slice(0, MOST), ...entries.filter((one) => one.isPresence)];
}

/** Explains the visible colors: those of the chosen coloring, and of presence. */
export function Legends({ model }: { readonly model: TimelineModel }): JSX.Element {
  const entries = model.legend.value;
  return (
    <div class="tl-legends">
      <Legend
        label={t(model.coloring.value === "category" ? "byCategory" : "byKind")}
        entries={entries.filter((one) => !one.isPresence)}
      />
      <Legend label={t("presence")} entries={entries.filter((one) => one.isPresence)} />
    </div>
  );
}

interface LegendProps {
  readonly label: string;
  readonly entries: readonly LegendEntry[];
}

function Legend({ label, entries }: LegendProps): JSX.Element | null {
  if (entries.length === 0) return null;
  return (
    <>
      <h2 class="tl-legend-title">{label}</h2>
      <ul class="tl-legend" aria-label={label}>
        {entries.map(({ name, color }) => (
          <li key={name}>
            <span class="tl-swatch" style={{ background: color }} />
            <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
    </>
  );
}
