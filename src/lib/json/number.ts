/** A number as JSON has them. */
const number = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$/;

export function isJsonNumber(text: string): boolean {
  return number.test(text);
}
