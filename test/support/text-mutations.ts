/** Text mutations for fuzzing parsers. */
import fc from 'fast-check';

export type Mutation = (text: string) => string;

/** A position in a text, as a fraction of its length. */
export const place = fc.double({ min: 0, max: 1, noNaN: true });

/** Inserts one of the pieces at a random position. */
export function createInsertion(pieces: readonly string[]): fc.Arbitrary<Mutation> {
  return fc.tuple(place, fc.constantFrom(...pieces)).map(
    ([share, piece]): Mutation =>
      (text) =>
        text.slice(0, at(text, share)) + piece + text.slice(at(text, share)),
  );
}

/** Deletes a few characters at a random position. */
export function createDeletion(maxCharacters: number): fc.Arbitrary<Mutation> {
  return fc.tuple(place, fc.nat(maxCharacters)).map(
    ([share, count]): Mutation =>
      (text) =>
        text.slice(0, at(text, share)) + text.slice(at(text, share) + count),
  );
}

/** One of the documents with one to four mutations. */
export function createMutatedDocument(
  documents: readonly string[],
  mutation: fc.Arbitrary<Mutation>,
): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...documents), fc.array(mutation, { minLength: 1, maxLength: 4 }))
    .map(([document, mutations]) => mutations.reduce((text, mutate) => mutate(text), document));
}

function at(text: string, share: number): number {
  return Math.floor(text.length * share);
}
