// What a screen reader is told about answers: each answer once, however often the same is asked again. Pure; knows no markup.

/** Gives what tells a text when `about` is something else than the last time. With nothing to tell about, it forgets: whoever asks
 *  the same later is told again. */
export function telling(tell: (text: string) => void): (about: string | undefined, text: () => string) => void {
  let told: string | undefined;
  return (about, text) => {
    if (about === told) return;
    told = about;
    if (about !== undefined) tell(text());
  };
}
