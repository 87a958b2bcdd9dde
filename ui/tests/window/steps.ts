// The way through the wizard, step by step, for the tests that begin further on.
import type { Window } from "./window";

export async function toAgents(window: Window): Promise<void> {
  await window.button("Find my agents").click();
  await window.heading("Your agents").waitFor();
}

export async function toChoices(window: Window): Promise<void> {
  await toAgents(window);
  await window.button("Continue").click();
  await window.heading("Choices").waitFor();
}

export async function toReview(window: Window): Promise<void> {
  await toChoices(window);
  await window.button("Review the changes").click();
  await window.heading("These are all the changes").waitFor();
  await window.button(/^Apply|^Verify$/).waitFor();
}

export async function toDone(window: Window): Promise<void> {
  await window.heading("Applied and verified").waitFor({ timeout: 45_000 });
  await window.button("Continue").click();
  await window.heading("Done").waitFor();
}
