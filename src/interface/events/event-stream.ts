/** Events as a stream of server-sent events: what has happened since a number, and then what happens. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import type { ChangeHead } from '../../storage/port.ts';
import { CHANGES_AT_ONCE, type Events, type Stretch } from './events.ts';
import { type EventQuestion, printedEvent } from './printed-event.ts';

export const eventStreamType = 'text/event-stream';

/** How long clients wait before they come back. */
const RETRY_MS = 2_000;

/** What is there is sent together, up to about so much. */
const PIECE_CHARACTERS = 65_536;

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
    const isMore = await events.feed.beyond(last, { signal, timeoutMs: events.keepAliveMs, isGathering: true });
    if (events.feed.ended.aborted) return;
    if (!isMore) yield ': still here\n\n';
  }
}

/** The next events, made once for all who want to hear the same. */
function stretchAfter(events: Events, after: number, question: EventQuestion): Promise<Stretch> {
  const { selection, isWhole, source } = question;
  const key = JSON.stringify([after, events.feed.position(), isWhole, source, selection.kinds, selection.paths]);
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

/** Read anew by each who hears of it, and never held. */
async function* longEvent(events: Events, change: ChangeHead, question: EventQuestion): AsyncGenerator<string> {
  const event = (await printedEvent(events, change, question)) ?? '';
  let waiting = beginningOf(change.sequence);
  for await (const piece of typeof event === 'string' ? [event] : event) {
    waiting += piece;
    if (waiting.length >= PIECE_CHARACTERS) {
      yield waiting;
      waiting = '';
    }
  }
  yield `${waiting}\n\n`;
}

function beginningOf(sequence: number): string {
  return `id: ${sequence}\nevent: change\ndata: `;
}
