import type { JSX } from "preact";

/** A path or URL; its last part, with the leading slash, is the second group. */
const PATH = /^((?:[~.]{0,2}[\\/]|[a-z]:[\\/]|[a-z][a-z+.-]*:\/\/).*)([\\/][^\\/]+[\\/]*)$/i;

/** Splits a path into the separately displayed parts; `undefined` for other strings. Pure. */
export function pathParts(text: string): readonly [start: string, end: string] | undefined {
  const [, start, end] = PATH.exec(text) ?? [];
  return start === undefined || end === undefined ? undefined : [start, end];
}

/** Home folders of Linux, macOS and Windows. */
const HOME = /^(\w:|\/mnt\/\w)?[\\/](home|users)[\\/][^\\/]+(?=[\\/]+[^\\/])/i;

/**
 * The shortest ends of paths that tell them apart, such as `shop` or `acme/shop`. Other strings stay unchanged. Equal
 * paths in several home folders have the same name, since they are one project on several computers. Pure.
 */
export function shortNames(names: readonly string[]): ReadonlyMap<string, string> {
  const paths = new Map(
    names.map((name) => [name, HOME.test(name) ? partsOf(name.replace(HOME, "~")).join("/") : name]),
  );
  const uses = new Map<string, number>();
  for (const path of new Set(paths.values())) {
    for (const end of endsOf(path)) uses.set(end, (uses.get(end) ?? 0) + 1);
  }
  return new Map(
    [...paths].map(([name, path]) => [
      name,
      endsOf(path).find((end, at, { length }) => at < length - 1 && uses.get(end) === 1) ?? path,
    ]),
  );
}

/** The ends of a path, the shortest first. */
function endsOf(path: string): readonly string[] {
  if (!path.startsWith("~/") && pathParts(path) === undefined) return [path];
  const parts = partsOf(path);
  return parts.map((_, at) => parts.slice(-1 - at).join("/"));
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
