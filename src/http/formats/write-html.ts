/** Prints a document as a page for people: lists of links, tables of fields, everything escaped. */
import { hrefOf } from './href.ts';
import { type Html, html, type PageFrame, page, pageAround, text } from './html-page.ts';
import { type ListFrame, printList } from './list-frame.ts';
import type {
  OutputDocument,
  OutputMember,
  OutputNode,
  OutputObject,
  ResourcePath,
  WriteContext,
} from './output-tree.ts';

export function htmlFrom(document: OutputDocument, context: WriteContext, frame: Omit<PageFrame, 'title'>): string {
  const { title, node, page: own } = document;
  if (own !== undefined) {
    return page({ ...frame, ...own, title }, own.content(context));
  }
  return node.kind === 'list'
    ? printList(htmlListFrame(title, context, frame), node.items)
    : page({ ...frame, title }, nodeHtml(node, context));
}

export function htmlListFrame(title: string, context: WriteContext, frame: Omit<PageFrame, 'title'>): ListFrame {
  const [head, foot] = pageAround({ ...frame, title });
  return {
    before: `${head}${listStart}`,
    item: (node) => listItem(node, context),
    between: '',
    after: `${listEnd}${foot}`,
    empty: `${head}${emptyList}${foot}`,
  };
}

const listStart = html`<ul class="items">`;
const listEnd = html`</ul>`;
const emptyList = html`<p class="empty">Nothing here yet.</p>`;

function listItem(node: OutputNode, context: WriteContext): Html {
  const isEmpty = node.kind === 'value' && (node.value ?? '') === '';
  return html`<li>${isEmpty ? nothing : nodeHtml(node, context)}</li>`;
}

/** A place in a list that has nothing in it is a place nevertheless, such as that of a style for each layer. */
const nothing = html`<span class="empty">–</span>`;

/** A part of a page; pages of their own making use it for what is plain about them. */
export function nodeHtml(node: OutputNode, context: WriteContext): Html {
  switch (node.kind) {
    case 'value':
      return html`${text(node.value ?? '')}`;
    case 'object':
      return node.link === undefined ? plainObject(node, context) : linkedObject(node, node.link, context);
    case 'list':
      return node.items.length === 0
        ? emptyList
        : html`${listStart}${node.items.map((item) => listItem(item, context))}${listEnd}`;
    case 'sequence':
      return fieldTable(node.members, context);
    case 'map':
      return html`<table>${node.entries.map(([key, value]) => row(key, html`${text(value)}`))}</table>`;
    case 'collectionLink':
      return anchor(hrefOf(node.path, 'html', context), node.path.at(-1) ?? '');
  }
}

/** An object named inside another page: a link headed by its first value, the rest beside it. */
function linkedObject(node: OutputObject, link: ResourcePath, context: WriteContext): Html {
  const [heading, ...others] = node.members;
  const label = heading?.node.kind === 'value' ? String(heading.node.value) : (link.at(-1) ?? '');
  // The workspace of `acme:roads` is said already.
  const unsaid = others.filter(({ node: each }) => each.kind !== 'value' || !label.startsWith(`${each.value}:`));
  const note = node.note === undefined ? [] : [html` <span class="note">${text(node.note)}</span>`];
  const rest = unsaid.length === 0 ? [] : [html` <span>${unsaid.map((member) => aside(member, context))}</span>`];
  return html`${anchor(hrefOf(link, 'html', context, node.siblings), label)}${note}${rest}`;
}

function aside(member: OutputMember, context: WriteContext): Html {
  return html` ${nodeHtml(member.node, context)}`;
}

function plainObject(node: OutputObject, context: WriteContext): Html {
  const attributes = Object.entries(node.attributes ?? {}).map(
    ([name, value]): OutputMember => valueMember(name, value),
  );
  const content = node.text === undefined ? [] : [valueMember('value', node.text)];
  return fieldTable([...attributes, ...content, ...node.members], context);
}

function valueMember(name: string, value: string): OutputMember {
  return { name, node: { kind: 'value', value } };
}

/** What is told of one thing, a field a row. */
export function fieldTable(members: readonly OutputMember[], context: WriteContext): Html {
  return html`<table>${members.map((member) => row(member.name, nodeHtml(member.node, context)))}</table>`;
}

function row(heading: string, content: Html): Html {
  return html`<tr><th scope="row">${text(heading)}</th><td>${content}</td></tr>`;
}

export function anchor(url: string, label: string): Html {
  return html`<a href="${text(url)}">${text(label)}</a>`;
}
