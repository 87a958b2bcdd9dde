// Announces answers to screen readers: each answer once, however often the same question is repeated. Pure; knows no markup.

/** A function that announces a text if `about` differs from the last call's. Without an `about` it forgets, so the same answer
 *  later is announced again. */
export function announcer(tell: (text: string) => void): (about: string | undefined, text: () => string) => void {
  let told: string | undefined;
  return (about, text) => {
    if (about === told) return;
    told = about;
    if (about !== undefined) tell(text());
  };
}
