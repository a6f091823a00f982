import type { JSX } from "preact";
import { encode } from "uqr";

/** Modules of the quiet zone around a code. */
const BORDER = 2;

/** A text as a QR code. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }): JSX.Element {
  const { data, size } = encode(text, { border: BORDER });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg
      class="devices-code"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shape-rendering="crispEdges"
    >
      <path d={path.join("")} />
    </svg>
  );
}
