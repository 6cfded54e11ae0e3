/** Ways to scribble in a text, for fuzzing whoever reads it. */
import fc from 'fast-check';

export type Mutation = (text: string) => string;

/** Somewhere in a text, as a share of its length. */
export const place = fc.double({ min: 0, max: 1, noNaN: true });

/** One of the pieces is put somewhere. */
export function insertionOf(pieces: readonly string[]): fc.Arbitrary<Mutation> {
  return fc.tuple(place, fc.constantFrom(...pieces)).map(
    ([share, piece]): Mutation =>
      (text) =>
        text.slice(0, at(text, share)) + piece + text.slice(at(text, share)),
  );
}

/** A few characters are taken out somewhere. */
export function deletionOf(maxCharacters: number): fc.Arbitrary<Mutation> {
  return fc.tuple(place, fc.nat(maxCharacters)).map(
    ([share, count]): Mutation =>
      (text) =>
        text.slice(0, at(text, share)) + text.slice(at(text, share) + count),
  );
}

/** One of the documents, scribbled in one to four times. */
export function mutatedOneOf(documents: readonly string[], mutation: fc.Arbitrary<Mutation>): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...documents), fc.array(mutation, { minLength: 1, maxLength: 4 }))
    .map(([document, mutations]) => mutations.reduce((text, mutate) => mutate(text), document));
}

function at(text: string, share: number): number {
  return Math.floor(text.length * share);
}
