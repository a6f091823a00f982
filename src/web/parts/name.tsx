import type { JSX } from "preact";

/** A path or URL; its last part, with the leading slash, is the second group. */
const PATH = /^((?:[~.]{0,2}[\\/]|[a-z]:[\\/]|[a-z][a-z+.-]*:\/\/).*)([\\/][^\\/]+[\\/]*)$/i;

/** Splits a path into the separately displayed parts; `undefined` for other strings. Pure. */
export function pathParts(text: string): readonly [start: string, end: string] | undefined {
  const [, start, end] = PATH.exec(text) ?? [];
  return start === undefined || end === undefined ? undefined : [start, end];
}

/**
 * The shortest ends of paths that tell them apart, such as `shop` or `acme/shop`. Other strings stay unchanged. Pure.
 */
export function shortNames(names: readonly string[]): ReadonlyMap<string, string> {
  const endOf = (name: string, count: number): string =>
    pathParts(name) === undefined ? name : partsOf(name).slice(-count).join("/");
  const found = new Map<string, string>();
  let open = [...new Set(names)];
  for (let count = 1; open.length > 0; count++) {
    const uses = new Map<string, number>();
    for (const name of open) uses.set(endOf(name, count), (uses.get(endOf(name, count)) ?? 0) + 1);
    for (const name of open) {
      const isWhole = count >= partsOf(name).length;
      if (isWhole || uses.get(endOf(name, count)) === 1) found.set(name, isWhole ? name : endOf(name, count));
    }
    open = open.filter((name) => !found.has(name));
  }
  return found;
}

function partsOf(path: string): readonly string[] {
  return path.split(/[\\/]+/).filter((part) => part !== "");
}

/** A name from other programs. A long path is shortened before its last part, which is the most specific. */
export function Name({ text }: { readonly text: string }): JSX.Element {
  const parts = pathParts(text);
  if (parts === undefined) {
    return (
      <bdi>
        <Dotted text={text} />
      </bdi>
    );
  }
  return (
    <bdi class="path">
      <span>{parts[0]}</span>
      <span>{parts[1]}</span>
    </bdi>
  );
}

/** A dotted name, such as `app.editor.activity` or `docs.example.com`, that can wrap between its parts. */
export function Dotted({ text }: { readonly text: string }): JSX.Element {
  return <>{text.split(/(?<=[._])/).flatMap((part, at) => (at === 0 ? part : [<wbr key={at} />, part]))}</>;
}
