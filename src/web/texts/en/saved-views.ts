/** Texts of the menu of saved views. */
export const savedViewsTexts = {
  list: "Saved views",
  none: "No view was saved yet.",
  name: "Name of this view",
  rename: "Rename {name}",
  newName: "New name of {name}",
  delete: "Delete {name}",
  moves: "Its period moves along with today",
  hint: "With host, filter and all that the address says.",
  notSaved: "Not saved.",
} as const;
