/** The changes as followers read them: followers at the same position share the reads of the log. */
import { createLruCache, type LruCache } from '../../lib/cache/lru-cache.ts';
import { createWorkCache, type WorkCache } from '../../lib/cache/work-cache.ts';
import type { ChangeFeed } from '../../records/change-feed.ts';
import type { ChangeHead, LogReader } from '../../storage/port/port.ts';
import { type FormattedItem, formatItems } from './format-change.ts';

/** Number of changes read together. */
export const CHANGE_BATCH_SIZE = 100;

/** A change with more items is read in pieces. */
const FEW_ITEMS = 100;
const FEW_CHARACTERS = 262_144;

/** Size limit, in characters, of the recent batches kept for other followers. */
const MAX_CACHED_CHARACTERS = 4_194_304;

/** Memory cost of a batch in addition to its text. */
const CHUNK_OVERHEAD_BYTES = 1_024;

/** The next part of a stream, ready to send: events up to some change, or a part of a large one. */
export interface EventChunk {
  readonly bytes: Buffer;
  /** The last change that the batch reports or skips; within a large change, the last of its items. */
  readonly reached: number;
  /** The next change, where it is too large for memory. */
  readonly long?: ChangeHead;
  /** Whether more changes may be available already. */
  readonly isCutShort: boolean;
  /** Whether the next change is no longer retained. */
  readonly isForgotten: boolean;
}

export interface Events {
  readonly feed: ChangeFeed;
  readonly log: LogReader;
  /** Maximum time without data on a stream. */
  readonly keepAliveMs: number;
  /** Recent events, for followers without a selection. */
  readonly printed: LruCache<string>;
  /** Recent stream batches, shared by followers at the same position. */
  readonly loadChunk: WorkCache<EventChunk>;
  /** Returns the next changes after a number, oldest first; empty when there are none yet. */
  readChangesAfter(number: number): Promise<readonly ChangeHead[]>;
  /** Returns the items of a change, with the fields of each record on request; undefined if there are too many. */
  readFewItems(change: ChangeHead, how: { readonly isWhole: boolean }): Promise<readonly FormattedItem[] | undefined>;
}

/** The pending read that followers at the same position share. */
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
      // Every change has items; without them the data read earlier is out of date.
      page = undefined;
      throw new Error(`Change ${sequence} was deleted while it was read.`);
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
        // A retry must not receive the same cached failure.
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
