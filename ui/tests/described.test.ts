// What explains a control is tied to it: an id that nothing points to is an explanation no screen reader tells.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../src");
const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".svelte"));
/** An element's `id="x"`, `id="{id}-x"` and ``id={`${id}-x`}``: the part that a reference has, too. */
const ID = /<[a-z][\w-]*\s(?:[^<]*?\s)?id=(?:"(?:\{id\})?(-?[\w-]+)"|\{`\$\{id\}(-\w+)`\})/g;

it.each(files)("%s points to each id it gives", (name) => {
  const text = readFileSync(join(root, name), "utf8");
  const all = files.map((file) => readFileSync(join(root, file), "utf8")).join("\n");
  for (const found of text.matchAll(ID)) {
    const id = found[1] ?? found[2] ?? "";
    // A part of the component's own id is used in its file; a whole id may be looked for from another.
    const uses = (id.startsWith("-") ? text : all).split(new RegExp(`${id}(?![\\w-])`)).length - 1;
    expect(uses, id).toBeGreaterThan(1);
  }
});

it("a setting's explanation, unit and problem are announced with its control, whatever its kind", () => {
  const field = readFileSync(join(root, "features/settings/Field.svelte"), "utf8");
  const controls = [...field.matchAll(/<(?:Switch|Segmented|Select|TextField)\b[^]*?\/>/g)].map((found) => found[0]);
  expect(controls).toHaveLength(4);
  for (const control of controls) expect(control).toMatch(/describedby=\{described\}/);
  // The unit is in the field.
  for (const [part, name] of [["text", "id"], ["meaning", "id"], ["unit", "unitId"], ["problem", "id"]]) expect(field).toContain(`${name}={\`\${id}-${part}\`}`);
});
