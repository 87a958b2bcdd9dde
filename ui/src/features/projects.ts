// Projects of the record, by the names that people know. The record has their folders. A call outside every project is
// recorded with Plimsoll's own folder, and some records name none.
import { t } from "../i18n/index.svelte";
import { app, fmt } from "../shell/app.svelte";
import { NONE } from "./names.svelte";

/** Whether a recorded folder belongs to a project. */
export const isProject = (folder: string): boolean => folder !== "" && folder !== NONE && folder !== app.overview.value?.home;

/** The name of a project, or the text for calls outside every project. */
export const projectName = (folder: string): string => (isProject(folder) ? fmt.basename(folder) : t("home.noproject"));

/** The names of these folders; with the path where two are the same. */
export function distinctNames(folders: readonly string[]): (folder: string) => string {
  const times = new Map<string, number>();
  for (const name of folders.map(projectName)) times.set(name, (times.get(name) ?? 0) + 1);
  return (folder) => {
    const name = projectName(folder);
    return isProject(folder) && (times.get(name) ?? 0) > 1 ? `${name} – ${fmt.path(folder)}` : name;
  };
}
