/** What the menu of saved views says. */
export const texts = {
  views: "Views",
  list: "Saved views",
  none: "No view was saved yet.",
  name: "Name of this view",
  save: "Save",
  cancel: "Cancel",
  rename: (name: string): string => `Rename ${name}`,
  newName: (name: string): string => `New name of ${name}`,
  delete: (name: string): string => `Delete ${name}`,
  moves: "Its period moves along with today",
  hint: "With host, filter and all that the address says.",
  notSaved: "Not saved.",
};
