/** Returns the next events after a number; waits for the first one if there are none yet. */
import type { ChangeHead } from '../../storage/port/port.ts';
import type { Events } from '../changes/events.ts';
import type { ItemSelection } from '../changes/item-selection.ts';
import { findChanges } from '../changes/past-changes.ts';

export interface NextEventsQuery {
  readonly after: number;
  readonly limit: number;
  readonly selection: ItemSelection;
  readonly waitMs: number;
  /** Aborted when the client disconnects. */
  readonly signal: () => AbortSignal;
}

export interface NextEvents {
  /** One more than the limit if there are more. */
  readonly found: readonly ChangeHead[];
  /** Number of the last change examined. */
  readonly position: number;
}

export async function readNextEvents(events: Events, question: NextEventsQuery): Promise<NextEvents> {
  const { after, waitMs } = question;
  const next = await findNextEvents(events, after, question);
  return waitMs > 0 && next.found.length === 0 ? waitForFirst(events, next.position, question) : next;
}

async function waitForFirst(events: Events, from: number, question: NextEventsQuery): Promise<NextEvents> {
  const signal = AbortSignal.any([AbortSignal.timeout(question.waitMs), question.signal()]);
  let next: NextEvents = { found: [], position: from };
  while (next.found.length === 0 && (await events.feed.waitForChange(next.position, { signal }))) {
    next = await findNextEvents(events, next.position, question);
  }
  return next;
}

async function findNextEvents({ log, feed }: Events, after: number, question: NextEventsQuery): Promise<NextEvents> {
  const position = feed.position();
  const { limit, selection } = question;
  const everything = { before: null, order: 'asc', who: null, excludedKinds: [], from: null, to: null } as const;
  return { found: await findChanges(log, position, { ...everything, ...selection, after, limit }), position };
}
