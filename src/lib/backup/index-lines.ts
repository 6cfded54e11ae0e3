/** Validates the lines of the index: an archive can be modified. */
import type { IndexLine } from './format.ts';

type Members = Readonly<Record<string, unknown>>;

const isText = (value: unknown) => typeof value === 'string';
const isHash = (value: unknown) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

const rules: { readonly [K in IndexLine['kind']]: (line: Members) => boolean } = {
  head: ({ sequence, atMs, announced }) => [sequence, atMs, announced].every(Number.isSafeInteger),
  rows: ({ table, object }) => isText(table) && isHash(object),
  'granule versions': ({ object }) => isHash(object),
  granules: ({ mosaic, object }) => isText(mosaic) && isHash(object),
  blob: ({ shelf, hash, bytes, isDamaged }) =>
    isText(shelf) &&
    isHash(hash) &&
    (bytes === null || Number.isSafeInteger(bytes)) &&
    (isDamaged === undefined || isDamaged === true),
  file: ({ path, objects }) => isText(path) && Array.isArray(objects) && objects.every(isHash),
  folder: ({ path }) => isText(path),
  link: ({ path, target }) => isText(path) && isText(target),
};

/** Returns undefined for an invalid line. */
export function parseIndexLine(text: string): IndexLine | undefined {
  try {
    const line = JSON.parse(text) as Members;
    const kind = String(line['kind']);
    if (!Object.hasOwn(rules, kind)) return undefined;
    return rules[kind as IndexLine['kind']](line) ? (line as unknown as IndexLine) : undefined;
  } catch {
    return undefined;
  }
}
