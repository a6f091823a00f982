/** Texts of the saved views menu. */
export const savedViewsTexts = {
  list: "Saved views",
  none: "No saved views yet.",
  name: "View name",
  rename: "Rename {name}",
  newName: "New name for {name}",
  delete: "Delete {name}",
  moves: "Always show the current period",
  hint: "Includes the device, filter and other choices.",
} as const;
