// Foreign text, with the characters that would reverse its order made visible: `invoice` + U+202E + `gnp.exe`
// must not look like a picture. Owns which characters these are; marks of direction that Arabic and Hebrew need stay.

const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;

/** `text` as it is, every direction control character as its number: `[U+202E]`. */
export function visible(text: string): string {
  return text.replace(TURNING, (one) => `[U+${one.charCodeAt(0).toString(16).toUpperCase()}]`);
}
