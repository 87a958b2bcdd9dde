// Announcing answers to a screen reader.
import { expect, it } from "vitest";
import { announcer } from "../src/components/announcer";

it("tells each answer once, and again after there was none", () => {
  const heard: string[] = [];
  const tell = announcer((text) => heard.push(text));
  const steps: [about: string | undefined, text: string][] = [
    [undefined, "nothing is asked"],
    ["retry", "3 places"],
    ["retry", "4 places, because something was written"],
    ["wait", "3 places"],
    [undefined, "the field is empty"],
    ["wait", "5 places"],
  ];
  for (const [about, text] of steps) tell(about, () => text);
  expect(heard).toEqual(["3 places", "3 places", "5 places"]);
});
