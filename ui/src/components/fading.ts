// How long a message stays: its timer runs while nothing keeps it open, and restarts when the last reason ends. Pure except
// for the timer; knows no markup.

/** What may keep a message: the pointer on it, the focus in it. */
type Reason = "pointer" | "focus";

export interface Fading {
  keep: (why: Reason) => void;
  release: (why: Reason) => void;
  end: () => void;
}

/** Calls `gone` once nothing has kept it for so long. */
export function fading(gone: () => void, after_ms: number): Fading {
  const reasons = new Set<Reason>();
  let timer = setTimeout(gone, after_ms);
  const end = (): void => clearTimeout(timer);
  return {
    keep(why) {
      reasons.add(why);
      end();
    },
    release(why) {
      reasons.delete(why);
      end();
      if (reasons.size === 0) timer = setTimeout(gone, after_ms);
    },
    end,
  };
}
