/** The pages of the history: a table of changes, and each change with its fields before and after. */
import { type Html, html, text } from '../../http/serialization/html-page.ts';
import type { WriteContext } from '../../http/serialization/output-tree.ts';
import { writeAnchor, writeRecordTable } from '../../http/serialization/write-html.ts';
import type { SignIn } from '../../lib/identity/principal.ts';
import type { ChangeHead, ChangeItem, LogReader } from '../../storage/port/port.ts';
import { getAction, toStateFields } from '../changes/change-document.ts';
import { createPastPaths } from '../changes/past-paths.ts';

/** Maximum number of resources that the table shows for each change. */
const LISTED_ITEMS = 3;

/** Maximum number of resources on the page of a change; the JSON document contains all. */
const SHOWN_ITEMS = 100;

/** Longer values are truncated. */
const MAX_VALUE_CHARACTERS = 500;

interface PageItem extends ChangeItem {
  readonly action: string;
  readonly path: string | null;
  readonly references: Readonly<Record<string, string>>;
}

/** A change with the first of its items. */
export interface PageChange {
  readonly head: ChangeHead;
  readonly items: readonly PageItem[];
  readonly hasMore: boolean;
}

export interface HistoryPage {
  readonly changes: readonly PageChange[];
  /** Whether the page has a column with the resources of each change. */
  readonly items: 'all' | 'none';
  /** The query of the next page, if there is one. */
  readonly next: readonly [string, string][] | undefined;
}

export async function readHistoryPage(
  log: LogReader,
  changes: readonly ChangeHead[],
  { items, next }: Pick<HistoryPage, 'items' | 'next'>,
): Promise<HistoryPage> {
  const shown =
    items === 'none'
      ? changes.map((head) => ({ head, items: [], hasMore: false }))
      : await Promise.all(changes.map((change) => readPageChange(log, change, LISTED_ITEMS)));
  return { changes: shown, items, next };
}

export function readShownChange(log: LogReader, change: ChangeHead): Promise<PageChange> {
  return readPageChange(log, change, SHOWN_ITEMS);
}

async function readPageChange(log: LogReader, head: ChangeHead, limit: number): Promise<PageChange> {
  const places = createPastPaths(log, head.sequence);
  const found = await log.listItems(head.sequence, -1, limit + 1);
  const items = await Promise.all(
    found.slice(0, limit).map(async ({ item }) => ({
      ...item,
      action: getAction(item),
      path: await places.findPath(item),
      references: await places.findReferences(item),
    })),
  );
  return { head, items, hasMore: found.length > limit };
}

export function buildHistoryPage({ changes, items, next }: HistoryPage, context: WriteContext): Html {
  if (changes.length === 0) return html`<p class="empty">No changes match.</p>`;
  const more =
    next === undefined
      ? html``
      : html`<p>${writeAnchor(`${context.buildUrl(['history'])}.html?${new URLSearchParams(next)}`, 'Next page →')}</p>`;
  const headings = ['Change', 'Time (UTC)', 'User', 'Description'];
  return html`${writeRecordTable(
    items === 'none' ? headings : [...headings, 'Resources'],
    changes.map((change) => {
      const cells = buildChangeCells(change, context);
      return items === 'none' ? cells : [...cells, buildItemsCell(change)];
    }),
  )}
${more}`;
}

function buildChangeCells({ head }: PageChange, context: WriteContext): readonly Html[] {
  const { sequence, atMs, who, what } = head;
  return [
    writeAnchor(getChangeUrl(sequence, context), String(sequence)),
    html`${text(formatTime(atMs))}`,
    html`${text(who)}`,
    html`${text(what)}`,
  ];
}

function buildItemsCell({ items, hasMore }: PageChange): Html {
  const lines = items.map(({ action, kind, path }) => html`<div>${text(`${action} ${path ?? kind}`)}</div>`);
  return html`${lines}${hasMore ? html`<div class="empty">and more</div>` : html``}`;
}

export function buildChangePage({ head, items, hasMore }: PageChange, context: WriteContext): Html {
  const { sequence, atMs, who, via, what, undoes } = head;
  const rows: readonly (readonly [string, Html])[] = [
    ['Time (UTC)', html`${text(formatTime(atMs))}`],
    ['User', html`${text(who)}`],
    ...(via === undefined ? [] : [['Signed in by', html`${text(formatSignIn(via))}`] as const]),
    ['Description', html`${text(what)}`],
    ...(undoes === undefined
      ? []
      : [['Undoes', writeAnchor(getChangeUrl(undoes, context), `Change ${undoes}`)] as const]),
  ];
  const undo = `curl -u admin -X POST ${context.buildUrl(['history', String(sequence), 'undo'])}`;
  const more = hasMore
    ? html`<p class="empty">${text(`Only the first ${SHOWN_ITEMS} resources are shown. The JSON document contains all.`)}</p>`
    : html``;
  return html`<table>${rows.map(([name, value]) => html`<tr><th scope="row">${text(name)}</th><td>${value}</td></tr>`)}</table>
${items.map(buildItemSection)}${more}
<h2>Undo this change</h2>
<pre class="source">${text(undo)}</pre>`;
}

function formatSignIn({ method, provider, token }: SignIn): string {
  return [method, token, provider].filter((each) => each !== undefined).join(' ');
}

function buildItemSection({ action, kind, path, before, after, references }: PageItem): Html {
  const [was, is] = [listFields(before, references), listFields(after, references)];
  const names = [...new Set([...was.keys(), ...is.keys()])].filter((name) => was.get(name) !== is.get(name));
  const rows = names.map((name) => [name, was.get(name) ?? '', is.get(name) ?? ''].map((each) => html`${text(each)}`));
  return html`<h2>${text(`${action} ${path ?? kind}`)}</h2>
${writeRecordTable(['Field', 'Before', 'After'], rows)}
`;
}

type PathsById = PageItem['references'];

function listFields(state: ChangeItem['before'], paths: PathsById): ReadonlyMap<string, string> {
  return new Map(Object.entries(toStateFields(state) ?? {}).map(([name, value]) => [name, formatValue(value, paths)]));
}

/** Other records are shown by their paths. */
function formatValue(value: unknown, paths: PathsById): string {
  const toPath = (text: string) => paths[text] ?? text;
  const written =
    typeof value === 'string'
      ? toPath(value)
      : JSON.stringify(value, (_key, each) => (typeof each === 'string' ? toPath(each) : each));
  return written.length > MAX_VALUE_CHARACTERS ? `${written.slice(0, MAX_VALUE_CHARACTERS)}…` : written;
}

function getChangeUrl(sequence: number, context: WriteContext): string {
  return `${context.buildUrl(['history', String(sequence)])}.html`;
}

function formatTime(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 19).replace('T', ' ');
}
