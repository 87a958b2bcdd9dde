// What a screen reader is told about answers: each answer once, however often the same is asked again. Pure; knows no markup.

/** A function that announces a text if `about` differs from the last call's. Without an `about` it forgets, so the same answer
 *  later is announced again. */
export function telling(tell: (text: string) => void): (about: string | undefined, text: () => string) => void {
  let told: string | undefined;
  return (about, text) => {
    if (about === told) return;
    told = about;
    if (about !== undefined) tell(text());
  };
}
