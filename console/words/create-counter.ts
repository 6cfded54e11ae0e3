/** Phrases with a number: each language has its own digits and plural. */
export type Counter = (n: number, one: string, other: string) => string;

export function createCounter(language: string): Counter {
  const plurals = new Intl.PluralRules(language);
  const number = new Intl.NumberFormat(language);
  return (n, one, other) => `${number.format(n)} ${plurals.select(n) === 'one' ? one : other}`;
}
