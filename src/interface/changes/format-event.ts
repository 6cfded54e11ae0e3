/** Formats a change as a CloudEvents document, in pieces because the number of items is unlimited. */
import type { ChangeHead } from '../../storage/port/port.ts';
import type { Events } from './events.ts';
import { type FormattedItem, formatChangeHead, formatItems, joinItems } from './format-change.ts';
import { type ItemSelection, isEverything, isSelected } from './item-selection.ts';

/** The selection of a follower. */
export interface EventOptions {
  readonly selection: ItemSelection;
  /** Whether items contain the fields of their records before and after the change. */
  readonly isWhole: boolean;
  /** The REST root under which the follower reached the server. */
  readonly source: string;
}

/** The event as text, in pieces; undefined where no item of the change is selected. */
export async function formatEvent(
  events: Events,
  change: ChangeHead,
  question: EventOptions,
): Promise<string | AsyncIterable<string> | undefined> {
  const { selection } = question;
  const key = isEverything(selection) ? `${change.sequence} ${question.isWhole} ${question.source}` : undefined;
  const known = key === undefined ? undefined : events.printed.get(key);
  if (known !== undefined) {
    return known;
  }
  const few = await events.readFewItems(change, question);
  if (few === undefined) {
    return formatLongEvent(events, change, question);
  }
  const selected = isEverything(selection) ? few : few.filter(({ kind, path }) => isSelected(selection, kind, path));
  if (selected.length === 0 && !isEverything(selection)) {
    return undefined;
  }
  const subject = selected.find(({ path }) => path !== null)?.path;
  const event = `${formatEnvelope(change, question, subject)}${selected.map(({ text }) => text).join(',')}${END_OF_EVENT}`;
  if (key !== undefined) {
    events.printed.set(key, event, event.length);
  }
  return event;
}

async function formatLongEvent(
  events: Events,
  change: ChangeHead,
  question: EventOptions,
): Promise<AsyncIterable<string> | undefined> {
  const { selection, isWhole } = question;
  const beginning = await formatLongEventHead(events, change, question);
  const items = selectItems(selection, formatItems(events.log, change.sequence, { isWhole }));
  return beginning === undefined ? undefined : streamEventPieces(beginning, joinItems(items));
}

/**
 * The text before the items of a change; undefined where none is selected. This reads the items, because the subject
 * of an event precedes them.
 */
export async function formatLongEventHead(
  { log }: Events,
  change: ChangeHead,
  question: EventOptions,
): Promise<string | undefined> {
  let hasSelected = isEverything(question.selection);
  let subject: string | null | undefined;
  for await (const { path } of selectItems(question.selection, formatItems(log, change.sequence, { isWhole: false }))) {
    hasSelected = true;
    subject = path;
    if (path !== null) break;
  }
  return hasSelected ? formatEnvelope(change, question, subject) : undefined;
}

async function* streamEventPieces(beginning: string, items: AsyncIterable<string>): AsyncGenerator<string> {
  yield beginning;
  yield* items;
  yield END_OF_EVENT;
}

/** The text after the items. */
export const END_OF_EVENT = ']}}';

async function* selectItems(
  selection: ItemSelection,
  items: AsyncIterable<FormattedItem>,
): AsyncGenerator<FormattedItem> {
  for await (const item of items) {
    if (isSelected(selection, item.kind, item.path)) yield item;
  }
}

/** The text before the items. */
function formatEnvelope(change: ChangeHead, { source }: EventOptions, subject: string | null | undefined): string {
  const event = {
    specversion: '1.0',
    id: String(change.sequence),
    source,
    type: 'org.graticule.change',
    time: new Date(change.atMs).toISOString(),
    ...(subject ? { subject } : {}),
    datacontenttype: 'application/json',
  };
  return `${JSON.stringify(event).slice(0, -1)},"data":${formatChangeHead(change)}`;
}
