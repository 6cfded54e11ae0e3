/** A change as an event: a CloudEvents document, printed in pieces since a change may have any number of items. */
import type { ChangeHead } from '../../storage/port.ts';
import { type ItemSelection, isEverything, isSelected } from '../history/item-selection.ts';
import { beginningOf, joined, type PrintedItem, printedItems } from '../history/printed-change.ts';
import type { Events } from './events.ts';

/** What a follower wants to hear. */
export interface EventQuestion {
  readonly selection: ItemSelection;
  /** Whether items have the fields of their records before and after the change. */
  readonly isWhole: boolean;
  /** The REST root as the follower knows it. */
  readonly source: string;
}

/** The event as text, in pieces; undefined where nothing of the change is selected. */
export async function printedEvent(
  events: Events,
  change: ChangeHead,
  question: EventQuestion,
): Promise<string | AsyncIterable<string> | undefined> {
  const { selection } = question;
  const key = isEverything(selection) ? `${change.sequence} ${question.isWhole} ${question.source}` : undefined;
  const known = key === undefined ? undefined : events.printed.get(key);
  if (known !== undefined) {
    return known;
  }
  const few = await events.fewItems(change, question);
  if (few === undefined) {
    return printedLong(events, change, question);
  }
  const told = isEverything(selection) ? few : few.filter(({ kind, path }) => isSelected(selection, kind, path));
  if (told.length === 0 && !isEverything(selection)) {
    return undefined;
  }
  const subject = told.find(({ path }) => path !== null)?.path;
  const event = `${envelope(change, question, subject)}${told.map(({ text }) => text).join(',')}]}}`;
  if (key !== undefined) {
    events.printed.set(key, event, event.length);
  }
  return event;
}

/** Reads the items twice: what an event is about is said first. */
async function printedLong(
  { log }: Events,
  change: ChangeHead,
  question: EventQuestion,
): Promise<AsyncIterable<string> | undefined> {
  const { selection, isWhole } = question;
  const selected = (how: { readonly isWhole: boolean }) => only(selection, printedItems(log, change.sequence, how));
  let isTold = isEverything(selection);
  let subject: string | null | undefined;
  for await (const { path } of selected({ isWhole: false })) {
    isTold = true;
    subject = path;
    if (path !== null) break;
  }
  return isTold ? inPieces(envelope(change, question, subject), joined(selected({ isWhole }))) : undefined;
}

async function* inPieces(beginning: string, items: AsyncIterable<string>): AsyncGenerator<string> {
  yield beginning;
  yield* items;
  yield ']}}';
}

async function* only(selection: ItemSelection, items: AsyncIterable<PrintedItem>): AsyncGenerator<PrintedItem> {
  for await (const item of items) {
    if (isSelected(selection, item.kind, item.path)) yield item;
  }
}

/** All that stands before the items. */
function envelope(change: ChangeHead, { source }: EventQuestion, subject: string | null | undefined): string {
  const event = {
    specversion: '1.0',
    id: String(change.sequence),
    source,
    type: 'org.graticule.change',
    time: new Date(change.atMs).toISOString(),
    ...(subject ? { subject } : {}),
    datacontenttype: 'application/json',
  };
  return `${JSON.stringify(event).slice(0, -1)},"data":${beginningOf(change)}`;
}
