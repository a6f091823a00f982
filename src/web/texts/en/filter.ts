/** What the box for filters says. */
export const filterTexts = {
  label: "Filter and search",
  placeholder: "Filter: thesis, app=Code …",
  keys: "Ctrl+K or /",
  suggestions: "Conditions",
  change: "Change the condition",
  everywhere: "any text: titles, apps, addresses, files",
  titles: "titles",
  apps: "apps",
  category: "category",
  shown: "shown here",
  asTyped: "as it is",
  search: "search all events of the year",
} as const;
