export const rulesTexts = {
  rule: "Rule {number}",
  rules: "Rules",
  enabled: "Enabled",
  up: "Move up",
  upRule: "Move up: {rule}",
  down: "Move down",
  downRule: "Move down: {rule}",
  removeRule: "Delete: {rule}",
  add: "Add rule",
  buckets: "Buckets",
  bucketsHint: "A bucket ID. * matches any characters.",
} as const;
