/** The number syntax of JSON. */
const number = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$/;

export function isJsonNumber(text: string): boolean {
  return number.test(text);
}
