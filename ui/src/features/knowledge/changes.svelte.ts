// What the user adds, refreshes, deletes and restores, and the messages about it. Owns what is in progress. A change goes to the
// project that was shown when it was requested, whatever is shown when it's done.
import type { ProjectView, Removed, SourceRow } from "../../contract";
import { toast, toastError } from "../../components/toasts.svelte";
import { t, tn } from "../../i18n/index.svelte";
import { call } from "../../platform";
import { fmt } from "../../shell/app.svelte";
import type { Resource } from "../../shell/resource.svelte";
import { go } from "../../shell/router.svelte";
import { restoredText } from "./restored";
import type { Selection } from "./selection.svelte";

export class Changes {
  /** Names of what is being added at this moment. */
  adding = $state.raw<string[]>([]);
  /** The sources that are read again at this moment. */
  refreshing = $state.raw<ReadonlySet<string>>(new Set());

  #projects: Resource<ProjectView[]>;
  #key: () => string;
  #looking: Selection;
  #relist: () => void;

  /** `key` is the project that things are added to, `relist` asks for its list of sources again. */
  constructor(projects: Resource<ProjectView[]>, key: () => string, looking: Selection, relist: () => void) {
    this.#projects = projects;
    this.#key = key;
    this.#looking = looking;
    this.#relist = relist;
  }

  addPath(path: string, to: string): Promise<void> {
    return this.#add(fmt.path(path), () => call("add_path", { project: to, path }));
  }

  addUrl(url: string, to: string): Promise<void> {
    return this.#add(url, () => call("add_url", { project: to, url }));
  }

  async pick(what: "file" | "folder"): Promise<void> {
    const to = this.#key();
    try {
      const picked = await call("pick", { what });
      if (picked.path !== null) await this.addPath(picked.path, to);
    } catch (reason) {
      toastError(reason);
    }
  }

  /** Where nothing is stored yet, it is stored outside of every project, as by "Add file". */
  async dropped(paths: string[]): Promise<void> {
    const projects = this.#projects;
    if (projects.first) await projects.settled();
    if (projects.value === undefined) toastError(projects.error);
    else for (const path of paths) void this.addPath(path, this.#key());
  }

  async refresh(source: SourceRow): Promise<void> {
    const of = source.project;
    const key = `${of}/${source.id}`;
    if (this.refreshing.has(key)) return;
    this.refreshing = new Set([...this.refreshing, key]);
    await this.#add(fmt.path(source.label), () => call("refresh_source", { project: of, source: source.id }), "refresh");
    this.refreshing = new Set([...this.refreshing].filter((one) => one !== key));
    const { place } = this.#looking;
    if (place?.project === of && place.source === source.id) this.#looking.place = { ...place };
  }

  async remove(source: Pick<SourceRow, "project" | "id" | "label">): Promise<void> {
    const of = source.project;
    try {
      const removed = await call("delete_source", { project: of, source: source.id });
      const { place } = this.#looking;
      if (place?.project === of && place.source === source.id) this.#looking.place = undefined;
      toast(tn("knowledge.deleted", removed.kept_days, { name: fmt.path(source.label) }), { action: this.#undo(removed) });
    } catch (reason) {
      toastError(reason);
    }
    this.#again();
    await this.#looking.anew();
  }

  /** A project or everything was purged. */
  purged(removed: Removed): void {
    this.#looking.place = undefined;
    toast(removed.trash.length > 0 ? tn("knowledge.purged", removed.kept_days) : t("knowledge.purged.now"), { action: this.#undo(removed) });
    this.#again();
    void this.#looking.anew();
  }

  /** Something came back from the trash. */
  restored(): void {
    this.#again();
    void this.#looking.search.ask();
  }

  #undo(removed: Removed): { label: string; run: () => void } | undefined {
    return removed.trash.length > 0 ? { label: t("action.undo"), run: () => void this.#bringBack(removed) } : undefined;
  }

  async #bringBack(removed: Removed): Promise<void> {
    try {
      const restored: Removed[] = [];
      for (const one of removed.trash) restored.push(await call("restore", one));
      toast(restoredText(restored));
    } catch (reason) {
      toastError(reason);
    }
    this.#again();
    void this.#looking.search.ask();
  }

  async #add(name: string, how: () => Promise<{ text: string; failed: boolean }>, what: "add" | "refresh" = "add"): Promise<void> {
    this.adding = [...this.adding, name];
    try {
      const added = await how();
      if (added.failed) {
        const why = firstLine(added.text);
        const action = why.includes("[network]") ? { label: t("settings.section.network"), run: () => go("settings/network") } : undefined;
        toast(t(`knowledge.${what}.failed`, { name }), { tone: "red", english: why, action });
      }
      // The program's reply contains the page's own text, which belongs in the list, not in a message.
      else toast(t(`knowledge.${what}.done`, { name }));
    } catch (reason) {
      toastError(reason, t(`knowledge.${what}.failed`, { name }));
    }
    const at = this.adding.indexOf(name);
    this.adding = this.adding.filter((_, index) => index !== at);
    this.#again();
  }

  /** Something was added or removed here, so the lists are reloaded at once. */
  #again(): void {
    void this.#projects.reload();
    this.#relist();
  }
}

/** The first line of a reply, without the error code for agents, cut to the length of a message. */
function firstLine(text: string): string {
  const line = (text.split("\n").find((one) => one.trim() !== "") ?? "").replace(/^error \w+: /, "");
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
