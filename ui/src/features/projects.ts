// Projects by the names that people know, as the record has them: by their folders. What was called outside every project is
// recorded with Plimsoll's own folder, and some records name none.
import { t } from "../i18n/index.svelte";
import { app, fmt } from "../shell/app.svelte";
import { NONE } from "./names.svelte";

/** Whether a folder of the record is a project's. */
export const isProject = (folder: string): boolean => folder !== "" && folder !== NONE && folder !== app.overview.value?.home;

/** What people call a project, or that there was none. */
export const projectName = (folder: string): string => (isProject(folder) ? fmt.basename(folder) : t("home.noproject"));

/** The names of these folders, with their place where two have the same: one is chosen by it. */
export function apart(folders: readonly string[]): (folder: string) => string {
  const times = new Map<string, number>();
  for (const name of folders.map(projectName)) times.set(name, (times.get(name) ?? 0) + 1);
  return (folder) => {
    const name = projectName(folder);
    return isProject(folder) && (times.get(name) ?? 0) > 1 ? `${name} – ${fmt.path(folder)}` : name;
  };
}
