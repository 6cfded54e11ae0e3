/** Server-sent events: past changes after a number, followed by new ones. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import type { ChangeHead } from '../../storage/port/port.ts';
import { CHANGE_BATCH_SIZE, type EventChunk, type Events } from '../changes/events.ts';
import { formatItemBatch } from '../changes/format-change.ts';
import { END_OF_EVENT, type EventOptions, formatEvent, formatLongEventHead } from '../changes/format-event.ts';
import { isSelected } from '../changes/item-selection.ts';

export const eventStreamType = 'text/event-stream';

/** Reconnection delay for clients. */
const RETRY_MS = 2_000;

/** Approximate size limit of data sent together. */
const PIECE_CHARACTERS = 65_536;

/** Number of items of a large change that are read and formatted within a few milliseconds. */
const ITEMS_AT_ONCE = 100;

/** Ends when the history was truncated beyond its position; the client learns the reason when it reconnects. */
export async function* streamEvents(
  events: Events,
  after: number,
  question: EventOptions,
  signal: AbortSignal,
): AsyncGenerator<string | Uint8Array> {
  yield `: changes after ${after}\nretry: ${RETRY_MS}\n\n`;
  for (let last = after; !signal.aborted; ) {
    const { bytes, reached, long, isCutShort, isForgotten } = await loadChunkAfter(events, last, question);
    if (bytes.length > 0) yield bytes;
    if (isForgotten) return;
    last = reached;
    if (long !== undefined) {
      yield* streamLongEvent(events, long, question);
      last = long.sequence;
    }
    if (isCutShort) {
      // Yields, so that a client far behind does not block the others.
      await othersFirst();
      continue;
    }
    const isMore = await events.feed.waitForChange(last, { signal, timeoutMs: events.keepAliveMs, isGathering: true });
    if (events.feed.ended.aborted) return;
    if (!isMore) yield ': keep-alive\n\n';
  }
}

/** The next events, formatted once for all streams with the same selection. */
function loadChunkAfter(events: Events, after: number, question: EventOptions): Promise<EventChunk> {
  const key = formatCacheKey(question, 'changes after', after, events.feed.position());
  return events.loadChunk(key, () => readChunk(events, after, question));
}

async function readChunk(events: Events, after: number, question: EventOptions): Promise<EventChunk> {
  const changes = await events.readChangesAfter(after);
  let text = '';
  let reached = after;
  const createChunk = (end: Partial<EventChunk>): EventChunk => ({
    bytes: Buffer.from(text),
    reached,
    isCutShort: changes.length === CHANGE_BATCH_SIZE,
    isForgotten: false,
    ...end,
  });
  for (const change of changes) {
    if (change.sequence !== reached + 1) return createChunk({ isForgotten: true });
    const event = await formatEvent(events, change, question);
    if (event !== undefined && typeof event !== 'string') return createChunk({ long: change, isCutShort: true });
    reached = change.sequence;
    if (event !== undefined) text += `${formatEventHead(reached)}${event}\n\n`;
    if (text.length >= PIECE_CHARACTERS) return createChunk({ isCutShort: true });
  }
  return createChunk({});
}

/** Never fully in memory: streams at the same item share the data that is read. */
async function* streamLongEvent(
  events: Events,
  change: ChangeHead,
  question: EventOptions,
): AsyncGenerator<string | Uint8Array> {
  const { sequence } = change;
  const key = formatCacheKey(question, sequence, 'beginning');
  const beginning = await events.loadChunk(key, () => readLongEventHead(events, change, question));
  if (beginning.bytes.length === 0) return;
  yield beginning.bytes;
  let between = '';
  for (let last = -1, isMore = true; isMore; ) {
    const at = formatCacheKey(question, sequence, 'items after', last);
    const part = await events.loadChunk(at, () => readItemsChunk(events, sequence, last, question));
    if (part.bytes.length > 0) {
      if (between !== '') yield between;
      yield part.bytes;
      between = ',';
    }
    last = part.reached;
    isMore = part.isCutShort;
    // Cached data is available immediately, so sending it without a pause would block the event loop.
    await othersFirst();
  }
  const [entry] = await events.log.listEntries({ after: sequence - 1 }, 1);
  if (entry?.sequence !== sequence) throw new Error(`Change ${sequence} was deleted while it was read.`);
  yield `${END_OF_EVENT}\n\n`;
}

/** Without bytes if no item is selected. */
async function readLongEventHead(events: Events, change: ChangeHead, question: EventOptions): Promise<EventChunk> {
  const beginning = await formatLongEventHead(events, change, question);
  return {
    bytes: Buffer.from(beginning === undefined ? '' : `${formatEventHead(change.sequence)}${beginning}`),
    reached: -1,
    isCutShort: true,
    isForgotten: false,
  };
}

async function readItemsChunk(
  { log }: Events,
  sequence: number,
  after: number,
  { selection, isWhole }: EventOptions,
): Promise<EventChunk> {
  const { items, last } = await formatItemBatch(log, sequence, after, { limit: ITEMS_AT_ONCE, isWhole });
  const selected = items.filter(({ kind, path }) => isSelected(selection, kind, path));
  return {
    bytes: Buffer.from(selected.map(({ text }) => text).join(',')),
    reached: last,
    isCutShort: items.length === ITEMS_AT_ONCE,
    isForgotten: false,
  };
}

/** Streams with the same selection at the same position share the result. */
function formatCacheKey({ selection, isWhole, source }: EventOptions, ...place: readonly (string | number)[]): string {
  return JSON.stringify([...place, isWhole, source, selection.kinds, selection.paths]);
}

function formatEventHead(sequence: number): string {
  return `id: ${sequence}\nevent: change\ndata: `;
}
