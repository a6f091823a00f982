/** Cuts a list into lists with a maximum length. */
export function* slicesOf<Item>(items: readonly Item[], most: number): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += most) yield items.slice(at, at + most);
}
