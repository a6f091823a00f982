// Parts of the page other than its views, loaded after the first view.
import { keepFocus } from "./focus.js";
import { watchLimits } from "./limits/watch.js";

keepFocus();
watchLimits();
