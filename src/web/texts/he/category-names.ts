import type { Catalogue } from "../catalogue.js";

export const categoryNames: Catalogue["categoryNames"] = {
  work: "עבודה",
  programming: "תכנות",
  codeReview: "סקירת קוד",
  terminal: "מסוף",
  reference: "עיון בתיעוד",
  planning: "תכנון",
  design: "עיצוב",
  photoVideo: "צילום ווידאו",
  threeD: "תלת־ממד",
  inspiration: "השראה",
  writing: "כתיבה",
  research: "תחקיר",
  proofreading: "הגהה",
  publishing: "פרסום",
  dataAnalysis: "ניתוח נתונים",
  literature: "ספרות מקצועית",
  slides: "מצגות",
  lessons: "שיעורים",
  classroom: "כיתה מקוונת",
  grading: "בדיקה וציונים",
};
