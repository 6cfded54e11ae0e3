/** Events as a stream of server-sent events: what has happened since a number, and then what happens. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import { CHANGES_AT_ONCE, type Events } from './events.ts';
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
): AsyncGenerator<string> {
  yield `: changes after ${after}\nretry: ${RETRY_MS}\n\n`;
  for (let last = after; !signal.aborted; ) {
    const changes = await events.changesAfter(last);
    let waiting = '';
    for (const change of changes) {
      if (change.sequence !== last + 1) return;
      last = change.sequence;
      const event = await printedEvent(events, change, question);
      if (typeof event === 'string') {
        waiting += `${beginningOf(last)}${event}\n\n`;
        if (waiting.length < PIECE_CHARACTERS) continue;
      } else if (event !== undefined) {
        waiting += beginningOf(last);
        for await (const piece of event) {
          waiting += piece;
          if (waiting.length >= PIECE_CHARACTERS) {
            yield waiting;
            waiting = '';
          }
        }
        waiting += '\n\n';
      } else {
        continue;
      }
      yield waiting;
      waiting = '';
    }
    if (waiting !== '') yield waiting;
    if (changes.length === CHANGES_AT_ONCE) {
      // Somebody who has a long way to go must not keep all others waiting.
      await othersFirst();
      continue;
    }
    const isMore = await events.feed.beyond(last, { signal, timeoutMs: events.keepAliveMs, isGathering: true });
    if (events.feed.ended.aborted) return;
    if (!isMore) yield ': still here\n\n';
  }
}

function beginningOf(sequence: number): string {
  return `id: ${sequence}\nevent: change\ndata: `;
}
