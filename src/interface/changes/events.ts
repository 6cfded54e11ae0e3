/** The changes as whoever follows them reads them: many at the same place share what is read of the log. */
import { createLruCache, type LruCache } from '../../lib/cache/lru-cache.ts';
import { createWorkCache, type WorkCache } from '../../lib/cache/work-cache.ts';
import type { ChangeFeed } from '../../records/change-feed.ts';
import type { ChangeHead, LogReader } from '../../storage/port/port.ts';
import { type FormattedItem, formatItems } from './format-change.ts';

/** Changes that are read together. */
export const CHANGE_BATCH_SIZE = 100;

/** A change with more is read piece by piece. */
const FEW_ITEMS = 100;
const FEW_CHARACTERS = 262_144;

/** What was read last stays for the others, as much of it as this many characters. */
const MAX_CACHED_CHARACTERS = 4_194_304;

/** What a stretch takes beside its text. */
const CHUNK_OVERHEAD_BYTES = 1_024;

/** What streams are sent next, ready for the connection: events up to some change, or a part of a large one. */
export interface EventChunk {
  readonly bytes: Buffer;
  /** The last change that it tells of, or passes over; within a large one, the last of its items. */
  readonly reached: number;
  /** The next change, where it is too large to be held. */
  readonly long?: ChangeHead;
  /** Whether there may be more already. */
  readonly isCutShort: boolean;
  /** Whether what comes next is no longer kept. */
  readonly isForgotten: boolean;
}

export interface Events {
  readonly feed: ChangeFeed;
  readonly log: LogReader;
  /** How long a stream may be silent. */
  readonly keepAliveMs: number;
  /** Events that were printed last, for all who want to hear everything. */
  readonly printed: LruCache<string>;
  /** What streams were sent last, for all who are at the same place. */
  readonly loadChunk: WorkCache<EventChunk>;
  /** The next changes after a number, oldest first; none when there are no more at present. */
  readChangesAfter(number: number): Promise<readonly ChangeHead[]>;
  /** The items of a change, with the fields of each record where they are to be whole; undefined if there are many. */
  readFewItems(change: ChangeHead, how: { readonly isWhole: boolean }): Promise<readonly FormattedItem[] | undefined>;
}

/** What was read for the first of those who wait at the same place. */
interface ChangePage {
  readonly after: number;
  readonly position: number;
  readonly changes: Promise<readonly ChangeHead[]>;
}

export function openEvents(feed: ChangeFeed, log: LogReader, { keepAliveMs }: { keepAliveMs: number }): Events {
  const remembered = createLruCache<readonly FormattedItem[]>(MAX_CACHED_CHARACTERS);
  const underWay = new Map<string, Promise<readonly FormattedItem[] | undefined>>();
  let page: ChangePage | undefined;

  async function readFew(
    key: string,
    sequence: number,
    isWhole: boolean,
  ): Promise<readonly FormattedItem[] | undefined> {
    const few: FormattedItem[] = [];
    let characters = 0;
    for await (const item of formatItems(log, sequence, { isWhole })) {
      few.push(item);
      characters += item.text.length;
      if (few.length > FEW_ITEMS || characters > FEW_CHARACTERS) {
        return undefined;
      }
    }
    if (few.length === 0) {
      // Every change has an item; what was read of the log before is out of date.
      page = undefined;
      throw new Error(`The change ${sequence} was forgotten while it was read.`);
    }
    remembered.set(key, few, characters);
    return few;
  }

  return {
    feed,
    log,
    keepAliveMs,
    printed: createLruCache(MAX_CACHED_CHARACTERS),
    loadChunk: createWorkCache(MAX_CACHED_CHARACTERS, ({ bytes }) => bytes.length + CHUNK_OVERHEAD_BYTES),
    readChangesAfter(after) {
      const position = feed.position();
      if (page?.after !== after || page.position !== position) {
        const changes = log.listEntries({ after }, CHANGE_BATCH_SIZE);
        page = { after, position, changes };
        // Whoever tries again shall not hear of the same failure.
        changes.catch(() => {
          page = undefined;
        });
      }
      return page.changes;
    },
    async readFewItems({ sequence }, { isWhole }) {
      const key = `${sequence} ${isWhole}`;
      const known = remembered.get(key) ?? underWay.get(key);
      if (known !== undefined) {
        return known;
      }
      const reading = readFew(key, sequence, isWhole).finally(() => underWay.delete(key));
      underWay.set(key, reading);
      return reading;
    },
  };
}
