/** Paths of records right after a change, including records deleted since. */

import type { ChangeItem, LogReader, RecordedState } from '../../storage/port/port.ts';
import { isRecordId } from '../../storage/port/record-id.ts';
import { findRestPath, type RecordPath } from './record-path.ts';

export interface PastPaths {
  /**
   * The path of the record of an item after the change, or before it if the change deleted the record; null if it has
   * none.
   */
  findPath(item: ChangeItem): Promise<string | null>;
  /** The paths of the records whose ids occur in the record before or after the change, by id. */
  findReferences(item: ChangeItem): Promise<Readonly<Record<string, string>>>;
}

export function createPastPaths(log: Pick<LogReader, 'findStateAt'>, sequence: number): PastPaths {
  const known = new Map<string, Promise<RecordPath | undefined>>();

  function findRecordPathAt(id: string, at: number): Promise<RecordPath | undefined> {
    const key = `${at} ${id}`;
    const place = known.get(key) ?? log.findStateAt(id, at).then((state) => state && findRecordPath(state, at));
    known.set(key, place);
    return place;
  }

  async function findRecordPath(
    { kind, name, parent }: Pick<RecordedState, 'kind' | 'name' | 'parent'>,
    at: number,
  ): Promise<RecordPath | undefined> {
    const above = parent === null ? [] : await findRecordPathAt(parent, at);
    return above && [...above, { kind, name }];
  }

  return {
    async findPath({ kind, before, after }) {
      const state = after ?? before;
      const place = state && (await findRecordPath({ kind, ...state }, after === null ? sequence - 1 : sequence));
      return place ? findRestPath(place) : null;
    },

    async findReferences({ before, after }) {
      const found: Record<string, string> = {};
      const moments = [
        [before, sequence - 1],
        [after, sequence],
      ] as const;
      for (const [state, at] of moments) {
        for (const id of listIds(state?.body)) {
          const place = await findRecordPathAt(id, at);
          const path = place && findRestPath(place);
          if (path != null) found[id] = path;
        }
      }
      return found;
    },
  };
}

function* listIds(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    if (isRecordId(value)) yield value;
  } else if (typeof value === 'object' && value !== null) {
    for (const each of Object.values(value)) yield* listIds(each);
  }
}
