/** Marks of reads, to detect whether a new record would be in their result. */
import type { StoredRecord } from '../../port/port.ts';
import type { RowParts } from '../../port/rows.ts';

/** Storable text contains no NUL, so marks are unambiguous. */
export const formatReadMark = {
  id: (id: string) => `id\0${id}`,
  place: (kind: string, parent: string | null, name: string) => `place\0${kind}\0${parent ?? ''}\0${name}`,
  value: (kind: string, key: string, value: string) => `value\0${kind}\0${key}\0${value}`,
};

export function* listInsertMarks({ id, kind, parent, name }: StoredRecord, { keys }: RowParts): Generator<string> {
  yield formatReadMark.id(id);
  yield formatReadMark.place(kind, parent, name);
  for (const [key, values] of Object.entries(keys)) {
    for (const value of values) yield formatReadMark.value(kind, key, value);
  }
}
