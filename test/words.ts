/** The words of a template. Backslashes stay as they are written. */
export function words({ raw }: TemplateStringsArray): string[] {
  return raw
    .join("")
    .split(/\s+/)
    .filter((word) => word !== "");
}
