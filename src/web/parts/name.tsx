import type { JSX } from "preact";

/** A path or URL; its last part, with the leading slash, is the second group. */
const PATH = /^((?:[~.]{0,2}[\\/]|[a-z]:[\\/]|[a-z][a-z+.-]*:\/\/).*)([\\/][^\\/]+[\\/]*)$/i;

/** Splits a path into the separately displayed parts; `undefined` for other strings. Pure. */
export function pathParts(text: string): readonly [start: string, end: string] | undefined {
  const [, start, end] = PATH.exec(text) ?? [];
  return start === undefined || end === undefined ? undefined : [start, end];
}

/** A name from other programs. A long path is shortened before its last part, which is the most specific. */
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

/** A dotted name, such as `app.editor.activity`, that can wrap between its parts. */
export function Dotted({ text }: { readonly text: string }): JSX.Element {
  return <>{text.split(/(?<=[._])/).flatMap((part, at) => (at === 0 ? part : [<wbr key={at} />, part]))}</>;
}
