/** Serializes a document as an HTML page: lists of links and tables of fields, all escaped. */
import { buildHref } from './href.ts';
import { type Html, html, type PageFrame, page, text, writePageFrame } from './html-page.ts';
import { type ListFrame, printList } from './list-frame.ts';
import type {
  OutputDocument,
  OutputMember,
  OutputNode,
  OutputObject,
  ResourcePath,
  WriteContext,
} from './output-tree.ts';

export function writeHtml(document: OutputDocument, context: WriteContext, frame: Omit<PageFrame, 'title'>): string {
  const { title, node, page: own } = document;
  if (own !== undefined) {
    return page({ ...frame, ...own, title }, own.writeContent(context));
  }
  return node.kind === 'list'
    ? printList(createHtmlListFrame(title, context, frame), node.items)
    : page({ ...frame, title }, writeNodeHtml(node, context));
}

export function createHtmlListFrame(title: string, context: WriteContext, frame: Omit<PageFrame, 'title'>): ListFrame {
  const [head, foot] = writePageFrame({ ...frame, title });
  return {
    before: `${head}${listStart}`,
    item: (node) => writeListItem(node, context),
    between: '',
    after: `${listEnd}${foot}`,
    empty: `${head}${emptyList}${foot}`,
  };
}

const listStart = html`<ul class="items">`;
const listEnd = html`</ul>`;
const emptyList = html`<p class="empty">No items.</p>`;

function writeListItem(node: OutputNode, context: WriteContext): Html {
  const isEmpty = node.kind === 'value' && (node.value ?? '') === '';
  return html`<li>${isEmpty ? emptyValue : writeNodeHtml(node, context)}</li>`;
}

/** An empty entry of a list is significant, such as the missing style of a layer. */
const emptyValue = html`<span class="empty">–</span>`;

/** Serializes a part of a page; custom pages use it as well. */
export function writeNodeHtml(node: OutputNode, context: WriteContext): Html {
  switch (node.kind) {
    case 'value':
      return html`${text(node.value ?? '')}`;
    case 'object':
      return node.link === undefined ? writePlainObject(node, context) : writeLinkedObject(node, node.link, context);
    case 'list':
      return node.items.length === 0
        ? emptyList
        : html`${listStart}${node.items.map((item) => writeListItem(item, context))}${listEnd}`;
    case 'sequence':
      return writeFieldTable(node.members, context);
    case 'repeated':
      return html`${text(node.items.join(', '))}`;
    case 'dictionary':
      return html`<table>${node.entries.map(([key, value]) => writeRow(key, html`${text([value].flat().join(', '))}`))}</table>`;
    case 'map':
      return html`<table>${node.entries.map(([key, value]) => writeRow(key, html`${text(value)}`))}</table>`;
    case 'collectionLink':
      return writeAnchor(buildHref(node.path, 'html', context), node.path.at(-1) ?? '');
  }
}

/** A linked object inside another page: a link with its first value, followed by the rest. */
function writeLinkedObject(node: OutputObject, link: ResourcePath, context: WriteContext): Html {
  const [heading, ...others] = node.members;
  const label = heading?.node.kind === 'value' ? String(heading.node.value) : (link.at(-1) ?? '');
  // `acme:roads` already contains the workspace.
  const remaining = others.filter(({ node: each }) => each.kind !== 'value' || !label.startsWith(`${each.value}:`));
  const note = node.note === undefined ? [] : [html` <span class="note">${text(node.note)}</span>`];
  const rest =
    remaining.length === 0 ? [] : [html` <span>${remaining.map((member) => writeAside(member, context))}</span>`];
  return html`${writeAnchor(buildHref(link, 'html', context, node.siblings), label)}${note}${rest}`;
}

function writeAside(member: OutputMember, context: WriteContext): Html {
  return html` ${writeNodeHtml(member.node, context)}`;
}

function writePlainObject(node: OutputObject, context: WriteContext): Html {
  const attributes = Object.entries(node.attributes ?? {}).map(
    ([name, value]): OutputMember => createValueMember(name, value),
  );
  const content = node.text === undefined ? [] : [createValueMember('value', node.text)];
  return writeFieldTable([...attributes, ...content, ...node.members], context);
}

function createValueMember(name: string, value: string): OutputMember {
  return { name, node: { kind: 'value', value } };
}

/** Writes a table with one field per row. */
export function writeFieldTable(members: readonly OutputMember[], context: WriteContext): Html {
  return html`<table>${members.map((member) => writeRow(member.name, writeNodeHtml(member.node, context)))}</table>`;
}

function writeRow(heading: string, content: Html): Html {
  return html`<tr><th scope="row">${text(heading)}</th><td>${content}</td></tr>`;
}

/** Writes a table with one record per row; on narrow screens each value follows its heading. */
export function writeRecordTable(headings: readonly string[], rows: readonly (readonly Html[])[]): Html {
  const body = rows.map(
    (cells) =>
      html`<tr>${cells.map((cell, index) => html`<td data-label="${text(headings[index] ?? '')}">${cell}</td>`)}</tr>\n`,
  );
  return html`<table class="records"><thead><tr>${headings.map((each) => html`<th scope="col">${text(each)}</th>`)}</tr></thead><tbody>
${body}</tbody></table>`;
}

export function writeAnchor(url: string, label: string): Html {
  return html`<a href="${text(url)}">${text(label)}</a>`;
}
