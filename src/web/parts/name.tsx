import type { JSX } from "preact";

/** A path or an address; its last part, with the slash in front, is the second group. */
const PATH = /^((?:[~.]{0,2}[\\/]|[a-z]:[\\/]|[a-z][a-z+.-]*:\/\/).*)([\\/][^\\/]+[\\/]*)$/i;

/** The parts of a path that are shown on their own; `undefined` for what is no path. Pure. */
export function pathParts(text: string): readonly [start: string, end: string] | undefined {
  const [, start, end] = PATH.exec(text) ?? [];
  return start === undefined || end === undefined ? undefined : [start, end];
}

/** A name from elsewhere. Where there is no room, a path is cut in front of its end, which says most. */
export function Name({ text }: { readonly text: string }): JSX.Element {
  const parts = pathParts(text);
  if (parts === undefined) return <bdi>{text}</bdi>;
  return (
    <bdi class="path">
      <span>{parts[0]}</span>
      <span>{parts[1]}</span>
    </bdi>
  );
}

/** A name of parts, such as `app.editor.activity`, whose lines end between these. */
export function Dotted({ text }: { readonly text: string }): JSX.Element {
  return <>{text.split(/(?<=[._])/).flatMap((part, at) => (at === 0 ? part : [<wbr key={at} />, part]))}</>;
}
