/** Replaces a range of a text. Everything outside of the range stays as it is. */
export interface TextEdit {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

export function applyEdit(text: string, { from, to, insert }: TextEdit): string {
  return text.slice(0, from) + insert + text.slice(to);
}

/** Returns the edit that restores the text. */
export function invertEdit(text: string, { from, to, insert }: TextEdit): TextEdit {
  return { from, to: from + insert.length, insert: text.slice(from, to) };
}
