// Which project the Knowledge screen shows: the first guess, a link, and a project that is gone.
import { describe, expect, it } from "vitest";
import type { ProjectView } from "../src/contract";
import { ProjectChoice } from "../src/features/knowledge/project.svelte";

const project = (key: string, part: Partial<ProjectView> = {}): ProjectView => ({
  root: `/projects/${key}`, name: key, key, exists: true, sources: 1, chunks: 1, text_bytes: 1, database_bytes: 1, last_ms: 0, problem: null, ...part,
});

describe("The project that is looked at", () => {
  it("is where an agent works, else where something was stored last, and then stays", () => {
    let list: ProjectView[] = [];
    let root: string | null = null;
    const chosen = new ProjectChoice(() => list, () => root);
    chosen.hold();
    expect(chosen.project).toBeUndefined();
    list = [project("shop", { last_ms: 2 }), project("harbour", { last_ms: 1 })];
    expect(chosen.project?.key).toBe("shop");
    root = "/projects/harbour";
    expect(chosen.project?.key).toBe("harbour");
    chosen.hold();
    root = "/projects/shop";
    list = [project("shop", { last_ms: 9 }), project("harbour", { last_ms: 1 })];
    expect(chosen.project?.key).toBe("harbour");
    chosen.choose("shop");
    chosen.hold();
    expect(chosen.project?.key).toBe("shop");
  });

  it("is the one that a link names, also while nothing is stored of it, until another one is chosen", () => {
    let list = [project("shop", { last_ms: 2 })];
    const chosen = new ProjectChoice(() => list, () => "/projects/shop");
    chosen.follow("/projects/shop");
    expect([chosen.project?.key, chosen.missing]).toEqual(["shop", undefined]);
    chosen.follow("/projects/harbour");
    chosen.hold();
    expect([chosen.project?.key, chosen.missing]).toEqual([undefined, "/projects/harbour"]);
    chosen.choose("shop");
    expect([chosen.project?.key, chosen.missing]).toEqual(["shop", undefined]);
    chosen.follow("/projects/harbour");
    list = [...list, project("harbour")];
    chosen.hold();
    expect([chosen.project?.key, chosen.missing]).toEqual(["harbour", undefined]);
    chosen.choose("shop");
    expect(chosen.project?.key).toBe("shop");
  });

  it("is chosen again when it no longer exists", () => {
    let list = [project("shop"), project("harbour", { last_ms: 1 })];
    const chosen = new ProjectChoice(() => list, () => null);
    chosen.choose("shop");
    list = list.slice(1);
    expect(chosen.project?.key).toBe("harbour");
  });
});
