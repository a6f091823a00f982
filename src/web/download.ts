/** Lets the browser save a file that the page created. */
export function download(name: string, content: string | Blob, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  // The download has started by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
