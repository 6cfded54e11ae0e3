/** Serializes a document as XML: two spaces per level, no declaration, atom links, doubled underscores. */
import { escapeAttribute, escapeText } from '../../lib/xml/escape.ts';
import { buildHref } from './href.ts';
import { type ListFrame, printList } from './list-frame.ts';
import type { OutputDocument, OutputListing, OutputNode, OutputObject, WriteContext } from './output-tree.ts';

const ATOM = 'http://www.w3.org/2005/Atom';

export function writeXml({ root, node }: OutputDocument, context: WriteContext): string {
  return node.kind === 'list'
    ? printList(createXmlListFrame(root, node, context), node.items)
    : writeNode(root, node, '', { context, linkType: 'application/xml' });
}

export function createXmlListFrame(root: string, list: OutputListing, context: WriteContext): ListFrame {
  const name = root.replaceAll('_', '__');
  const opening = `${name}${formatAttributes(list)}`;
  const writer = { context, linkType: context.listingLinkType };
  return {
    before: `<${opening}>\n`,
    item: (node) => writeNode(list.itemName, node, '  ', writer),
    between: '',
    after: `</${name}>\n`,
    empty: `<${opening}/>\n`,
  };
}

interface Printer {
  readonly context: WriteContext;
  readonly linkType: string;
  readonly out: string[];
}

function writeNode(name: string, node: OutputNode, indent: string, writer: Omit<Printer, 'out'>): string {
  const out: string[] = [];
  writeElement({ ...writer, out }, name, node, indent);
  return out.join('');
}

function writeElement(printer: Printer, rawName: string, node: OutputNode, indent: string): void {
  const name = rawName.replaceAll('_', '__');
  const inner = `${indent}  `;
  switch (node.kind) {
    case 'value':
      printer.out.push(`${indent}<${name}>${escapeText(String(node.value ?? ''))}</${name}>\n`);
      return;
    case 'object':
      if (node.text !== undefined) {
        printer.out.push(`${indent}<${name}${formatAttributes(node)}>${escapeText(node.text)}</${name}>\n`);
        return;
      }
      writeWrapped(
        printer,
        {
          opening: `${name}${formatAttributes(node)}`,
          indent,
          isEmpty: node.members.length === 0 && node.link === undefined,
        },
        () => {
          for (const member of node.members) {
            writeElement(printer, member.name, member.node, inner);
          }
          if (node.link !== undefined) {
            writeLink(printer, buildHref(node.link, 'xml', printer.context, node.siblings), inner);
          }
        },
      );
      return;
    case 'list':
      writeWrapped(
        printer,
        { opening: `${name}${formatAttributes(node)}`, indent, isEmpty: node.items.length === 0 },
        () => {
          for (const item of node.items) {
            writeElement(printer, node.itemName, item, inner);
          }
        },
      );
      return;
    case 'sequence':
      writeWrapped(printer, { opening: name, indent, isEmpty: node.members.length === 0 }, () => {
        for (const member of node.members) {
          writeElement(printer, member.name, member.node, inner);
        }
      });
      return;
    case 'repeated':
      for (const value of node.items) {
        printer.out.push(`${indent}<${name}>${escapeText(value)}</${name}>\n`);
      }
      return;
    case 'map':
    case 'dictionary':
      writeWrapped(printer, { opening: name, indent, isEmpty: node.entries.length === 0 }, () => {
        for (const [key, value] of node.entries.flatMap(listEntries)) {
          printer.out.push(`${inner}<entry key="${escapeAttribute(key)}">${escapeText(value)}</entry>\n`);
        }
      });
      return;
    case 'collectionLink':
      writeWrapped(printer, { opening: name, indent, isEmpty: false }, () =>
        writeLink(printer, buildHref(node.path, 'xml', printer.context), inner),
      );
      return;
  }
}

/** An empty list is an empty entry, so that its key is not lost. */
function listEntries([key, value]: readonly [string, string | readonly string[]]): readonly (readonly [
  string,
  string,
])[] {
  if (typeof value === 'string') return [[key, value]];
  return value.length === 0 ? [[key, '']] : value.map((each) => [key, each]);
}

interface WrappedElement {
  /** The element name with its attributes. */
  readonly opening: string;
  readonly indent: string;
  readonly isEmpty: boolean;
}

function writeWrapped({ out }: Printer, { opening, indent, isEmpty }: WrappedElement, writeChildren: () => void): void {
  if (isEmpty) {
    out.push(`${indent}<${opening}/>\n`);
    return;
  }
  out.push(`${indent}<${opening}>\n`);
  writeChildren();
  out.push(`${indent}</${opening.split(' ', 1)[0]}>\n`);
}

function formatAttributes(node: Pick<OutputObject, 'attributes'>): string {
  const entries = Object.entries(node.attributes ?? {});
  return entries.map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`).join('');
}

function writeLink(printer: Printer, url: string, indent: string): void {
  const href = escapeAttribute(url);
  printer.out.push(
    `${indent}<atom:link xmlns:atom="${ATOM}" rel="alternate" href="${href}" type="${printer.linkType}"/>\n`,
  );
}
