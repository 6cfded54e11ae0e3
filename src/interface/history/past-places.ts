/** Where records were right after a change, also those that are gone since. */
import type { ChangeItem, LogReader, RecordedState } from '../../storage/port.ts';
import { addressOf, type Place } from '../record-address.ts';

export interface PastPlaces {
  /** The path at which the record of an item was read after the change, or before it where it was deleted; null for none. */
  pathOf(item: ChangeItem): Promise<string | null>;
}

export function pastPlaces(log: Pick<LogReader, 'findStateAt'>, sequence: number): PastPlaces {
  const known = new Map<string, Promise<Place | undefined>>();

  function placeAt(id: string, at: number): Promise<Place | undefined> {
    const key = `${at} ${id}`;
    const place = known.get(key) ?? log.findStateAt(id, at).then((state) => state && placeOf(state, at));
    known.set(key, place);
    return place;
  }

  async function placeOf(
    { kind, name, parent }: Pick<RecordedState, 'kind' | 'name' | 'parent'>,
    at: number,
  ): Promise<Place | undefined> {
    const above = parent === null ? [] : await placeAt(parent, at);
    return above && [...above, { kind, name }];
  }

  return {
    async pathOf({ kind, before, after }) {
      const state = after ?? before;
      const place = state && (await placeOf({ kind, ...state }, after === null ? sequence - 1 : sequence));
      return place ? addressOf(place) : null;
    },
  };
}
