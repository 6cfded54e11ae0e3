/** Byte mutations for fuzz tests, as caused by transmission errors, disks and edits. */
import fc from 'fast-check';

/** fast-check fractions are mostly tiny, which would concentrate changes at the beginning. */
const nearTheStart = fc.double({ min: 0, max: 1, noNaN: true });

const anywhere = fc.noBias(fc.nat(9_999)).map((tenThousandths) => tenThousandths / 10_000);

const mutationAt = (place: fc.Arbitrary<number>) =>
  fc.oneof(
    fc.record({ kind: fc.constant('set' as const), at: place, byte: fc.nat(255) }),
    fc.record({ kind: fc.constant('cut' as const), at: place }),
    fc.record({
      kind: fc.constant('integer' as const),
      at: place,
      value: fc.constantFrom(0, 1, -1, 2 ** 31 - 1, -(2 ** 31), 1000, 65_535),
    }),
    fc.record({
      kind: fc.constant('insert' as const),
      at: place,
      bytes: fc.uint8Array({ minLength: 1, maxLength: 16 }),
    }),
  );

type Mutation = ReturnType<typeof mutationAt> extends fc.Arbitrary<infer M> ? M : never;

/** One to four changes. */
export const mutations = fc.array(mutationAt(nearTheStart), { minLength: 1, maxLength: 4 });

/** The same, evenly distributed: much of the result can still be parsed. */
export const mutationsAnywhere = fc.array(mutationAt(anywhere), { minLength: 1, maxLength: 4 });

export function mutated(bytes: Buffer, changes: readonly Mutation[]): Buffer {
  return changes.reduce<Buffer>(mutatedOnce, bytes);
}

function mutatedOnce(bytes: Buffer, change: Mutation): Buffer {
  const at = Math.min(Math.floor(change.at * bytes.length), Math.max(bytes.length - 1, 0));
  const before = bytes.subarray(0, at);
  switch (change.kind) {
    case 'set':
      return Buffer.concat([before, Buffer.of(change.byte), bytes.subarray(at + 1)]);
    case 'cut':
      return before;
    case 'integer': {
      const word = Buffer.alloc(4);
      word.writeInt32LE(change.value);
      return Buffer.concat([before, word, bytes.subarray(at + 4)]);
    }
    case 'insert':
      return Buffer.concat([before, change.bytes, bytes.subarray(at)]);
  }
}
