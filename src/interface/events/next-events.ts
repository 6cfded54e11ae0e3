/** The next events after a number; where there are none yet, the first that comes is waited for. */
import type { ChangeHead } from '../../storage/port.ts';
import type { ItemSelection } from '../history/item-selection.ts';
import { findChanges } from '../history/past-changes.ts';
import type { Events } from './events.ts';

export interface NextEventsQuestion {
  readonly after: number;
  readonly limit: number;
  readonly selection: ItemSelection;
  readonly waitMs: number;
  /** Given once the client is gone. */
  readonly signal: () => AbortSignal;
}

export interface NextEvents {
  /** One more than the limit where there are more. */
  readonly found: readonly ChangeHead[];
  /** The number of the last change that was looked at. */
  readonly position: number;
}

export async function nextEvents(events: Events, question: NextEventsQuestion): Promise<NextEvents> {
  const { after, waitMs } = question;
  const next = await find(events, after, question);
  return waitMs > 0 && next.found.length === 0 ? waitForFirst(events, next.position, question) : next;
}

async function waitForFirst(events: Events, from: number, question: NextEventsQuestion): Promise<NextEvents> {
  const signal = AbortSignal.any([AbortSignal.timeout(question.waitMs), question.signal()]);
  let next: NextEvents = { found: [], position: from };
  while (next.found.length === 0 && (await events.feed.waitForChange(next.position, { signal }))) {
    next = await find(events, next.position, question);
  }
  return next;
}

async function find({ log, feed }: Events, after: number, question: NextEventsQuestion): Promise<NextEvents> {
  const position = feed.position();
  const { limit, selection } = question;
  const everything = { before: null, order: 'asc', who: null, from: null, to: null } as const;
  return { found: await findChanges(log, position, { ...everything, ...selection, after, limit }), position };
}
