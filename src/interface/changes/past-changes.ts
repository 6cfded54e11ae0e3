/** Finds the changes that match a history query. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import type { ChangeHead, LogReader } from '../../storage/port/port.ts';
import { hasOnlyKinds, hasSelectedItem, type ItemSelection } from './item-selection.ts';

export interface HistoryQuery extends ItemSelection {
  /** Change numbers, exclusive. */
  readonly after: number | null;
  readonly before: number | null;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly who: string | null;
  /** Changes that contain nothing else are left out. */
  readonly excludedKinds: readonly string[];
  /** Milliseconds since 1970, inclusive. */
  readonly from: number | null;
  readonly to: number | null;
}

/** Number of entries read together. */
const ENTRY_BATCH_SIZE = 200;

/** The changes up to a position, plus one beyond the limit if there are more. */
export async function findChanges(
  log: LogReader,
  position: number,
  question: HistoryQuery,
): Promise<readonly ChangeHead[]> {
  const { order, limit, from, to, who } = question;
  const isNewestFirst = order === 'desc';
  const found: ChangeHead[] = [];
  let { after } = question;
  let before = Math.min(question.before ?? Number.MAX_SAFE_INTEGER, position + 1);
  for (;;) {
    const range = { ...(after === null ? {} : { after }), before, isNewestFirst };
    const entries = await log.listEntries(range, ENTRY_BATCH_SIZE);
    for (const entry of entries) {
      // Timestamps in the log never decrease.
      if (isNewestFirst ? from !== null && entry.atMs < from : to !== null && entry.atMs > to) return found;
      const isInTime = (from === null || entry.atMs >= from) && (to === null || entry.atMs <= to);
      if (isInTime && (who === null || entry.who === who) && (await isWanted(log, entry.sequence, question))) {
        found.push(entry);
        if (found.length > limit) return found;
      }
    }
    const last = entries.at(-1);
    if (last === undefined || entries.length < ENTRY_BATCH_SIZE) return found;
    if (isNewestFirst) before = last.sequence;
    else after = last.sequence;
    await othersFirst();
  }
}

async function isWanted(log: LogReader, sequence: number, question: HistoryQuery): Promise<boolean> {
  const { excludedKinds } = question;
  if (excludedKinds.length > 0 && (await hasOnlyKinds(log, sequence, excludedKinds))) return false;
  return hasSelectedItem(log, sequence, question);
}
