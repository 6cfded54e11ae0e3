/** Encodes characters that headers cannot contain: names of layers and grid sets may have any letters. */
export function toHeaderText(text: string): string {
  return /[^\x20-\x7e]/.test(text)
    ? text.replace(/[^\x20-\x7e]+/g, (part) => encodeURIComponent(part.toWellFormed()))
    : text;
}
