/** Events as a stream of server-sent events: what has happened since a number, and then what happens. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import type { ChangeHead } from '../../storage/port.ts';
import { isSelected } from '../history/item-selection.ts';
import { someItems } from '../history/printed-change.ts';
import { CHANGES_AT_ONCE, type Events, type Stretch } from './events.ts';
import { beginningOfLong, END_OF_EVENT, type EventQuestion, printedEvent } from './printed-event.ts';

export const eventStreamType = 'text/event-stream';

/** How long clients wait before they come back. */
const RETRY_MS = 2_000;

/** What is there is sent together, up to about so much. */
const PIECE_CHARACTERS = 65_536;

/** So many items of a large change are read and printed within a few milliseconds. */
const ITEMS_AT_ONCE = 100;

/** Ends where the history has been forgotten up to: whoever comes back is told. */
export async function* eventStream(
  events: Events,
  after: number,
  question: EventQuestion,
  signal: AbortSignal,
): AsyncGenerator<string | Uint8Array> {
  yield `: changes after ${after}\nretry: ${RETRY_MS}\n\n`;
  for (let last = after; !signal.aborted; ) {
    const { bytes, reached, long, isCutShort, isForgotten } = await stretchAfter(events, last, question);
    if (bytes.length > 0) yield bytes;
    if (isForgotten) return;
    last = reached;
    if (long !== undefined) {
      yield* longEvent(events, long, question);
      last = long.sequence;
    }
    if (isCutShort) {
      // Somebody who has a long way to go must not keep all others waiting.
      await othersFirst();
      continue;
    }
    const isMore = await events.feed.waitForChange(last, { signal, timeoutMs: events.keepAliveMs, isGathering: true });
    if (events.feed.ended.aborted) return;
    if (!isMore) yield ': still here\n\n';
  }
}

/** The next events, made once for all who want to hear the same. */
function stretchAfter(events: Events, after: number, question: EventQuestion): Promise<Stretch> {
  const key = keyOf(question, 'changes after', after, events.feed.position());
  return events.stretches(key, () => readStretch(events, after, question));
}

async function readStretch(events: Events, after: number, question: EventQuestion): Promise<Stretch> {
  const changes = await events.changesAfter(after);
  let text = '';
  let reached = after;
  const until = (end: Partial<Stretch>): Stretch => ({
    bytes: Buffer.from(text),
    reached,
    isCutShort: changes.length === CHANGES_AT_ONCE,
    isForgotten: false,
    ...end,
  });
  for (const change of changes) {
    if (change.sequence !== reached + 1) return until({ isForgotten: true });
    const event = await printedEvent(events, change, question);
    if (event !== undefined && typeof event !== 'string') return until({ long: change, isCutShort: true });
    reached = change.sequence;
    if (event !== undefined) text += `${beginningOf(reached)}${event}\n\n`;
    if (text.length >= PIECE_CHARACTERS) return until({ isCutShort: true });
  }
  return until({});
}

/** Never held whole: streams that are at the same item share what is read of it. */
async function* longEvent(
  events: Events,
  change: ChangeHead,
  question: EventQuestion,
): AsyncGenerator<string | Uint8Array> {
  const { sequence } = change;
  const key = keyOf(question, sequence, 'beginning');
  const beginning = await events.stretches(key, () => readBeginning(events, change, question));
  if (beginning.bytes.length === 0) return;
  yield beginning.bytes;
  let between = '';
  for (let last = -1, isMore = true; isMore; ) {
    const at = keyOf(question, sequence, 'items after', last);
    const part = await events.stretches(at, () => readPart(events, sequence, last, question));
    if (part.bytes.length > 0) {
      if (between !== '') yield between;
      yield part.bytes;
      between = ',';
    }
    last = part.reached;
    isMore = part.isCutShort;
    // What others have read already is there at once, and would go out in one turn.
    await othersFirst();
  }
  const [kept] = await events.log.listEntries({ after: sequence - 1 }, 1);
  if (kept?.sequence !== sequence) throw new Error(`The change ${sequence} was forgotten while it was read.`);
  yield `${END_OF_EVENT}\n\n`;
}

/** Without bytes where nothing of it is selected. */
async function readBeginning(events: Events, change: ChangeHead, question: EventQuestion): Promise<Stretch> {
  const beginning = await beginningOfLong(events, change, question);
  return {
    bytes: Buffer.from(beginning === undefined ? '' : `${beginningOf(change.sequence)}${beginning}`),
    reached: -1,
    isCutShort: true,
    isForgotten: false,
  };
}

async function readPart(
  { log }: Events,
  sequence: number,
  after: number,
  { selection, isWhole }: EventQuestion,
): Promise<Stretch> {
  const { items, last } = await someItems(log, sequence, after, { limit: ITEMS_AT_ONCE, isWhole });
  const told = items.filter(({ kind, path }) => isSelected(selection, kind, path));
  return {
    bytes: Buffer.from(told.map(({ text }) => text).join(',')),
    reached: last,
    isCutShort: items.length === ITEMS_AT_ONCE,
    isForgotten: false,
  };
}

/** Whoever asks the same at the same place is told the same. */
function keyOf({ selection, isWhole, source }: EventQuestion, ...place: readonly (string | number)[]): string {
  return JSON.stringify([...place, isWhole, source, selection.kinds, selection.paths]);
}

function beginningOf(sequence: number): string {
  return `id: ${sequence}\nevent: change\ndata: `;
}
