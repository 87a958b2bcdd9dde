// Projects by the names that people know, as the record has them: by their folders. What was called outside every project is
// recorded with Plimsoll's own folder, and some records name none.
import { t } from "../i18n/index.svelte";
import { app, fmt } from "../shell/app.svelte";
import { NONE } from "./names.svelte";

/** Whether a folder of the record is a project's. */
export const isProject = (folder: string): boolean => folder !== "" && folder !== NONE && folder !== app.overview.value?.home;

/** What people call a project, or that there was none. */
export const projectName = (folder: string): string => (isProject(folder) ? fmt.basename(folder) : t("home.noproject"));
