/** Reads XML text into a tree: namespaces kept, nothing fetched, no DTD, and never beyond the limits. */
import { SaxesParser } from 'saxes';
import type { DocumentLimits } from '../document-limits.ts';
import { excerpt } from '../excerpt.ts';
import { problem } from '../problem.ts';
import { TextCursor } from '../text-position.ts';
import { hasDoctype } from './doctype.ts';
import type { XmlAttribute, XmlElement, XmlNode } from './element.ts';
import { malformedXml, malformedXmlAt } from './malformed.ts';

type OpenElement = { -readonly [Member in keyof XmlElement]: XmlElement[Member] };

/** Those of one tag are all looked at together, and nobody writes more than some dozens. */
const MAX_ATTRIBUTES = 10_000;

/** What to tell apart beyond what most documents need. */
export interface XmlReadingOptions {
  /** Whether texts say which of their characters came out of CDATA sections. */
  readonly markCdata?: boolean;
  /**
   * Told of each element when all that is in it was read, with the open elements around it, the root first. Gives what
   * stands in its place.
   */
  readonly closed?: (element: XmlElement, around: readonly XmlElement[]) => XmlElement;
}

/** A text that is read piece by piece, so that others can have their turn in between. */
export interface XmlReading {
  /** Reads on for so many characters, or some more; the root element when there is nothing left, else undefined. */
  advance(characters: number): XmlElement | undefined;
}

/** The root element. Throws `xml-doctype`, `xml-malformed`, `document-too-deep` or `document-too-busy`. */
export function readXml(text: string, limits: DocumentLimits, options: XmlReadingOptions = {}): XmlElement {
  const root = startReadingXml(text, limits, options).advance(text.length);
  if (root === undefined) throw new Error('An XML document was not read to its end.');
  return root;
}

/** Throws what `readXml` throws, as soon as it is seen. */
export function startReadingXml(text: string, limits: DocumentLimits, options: XmlReadingOptions = {}): XmlReading {
  if (hasDoctype(text)) throw problem('xml-doctype', {});
  // The parser takes half a surrogate pair together with the character behind it, which could be a '<'.
  if (!text.isWellFormed())
    throw malformedXmlAt(text, text.search(/\p{Surrogate}/u), 'half of a surrogate pair stands alone');

  // XML 1.1 would let control characters in, which no XML 1.0 writer could give back.
  const parser = new SaxesParser({ xmlns: true, position: false, defaultXMLVersion: '1.0', forceXMLVersion: true });
  const cursor = new TextCursor(text);
  const open: OpenElement[] = [];
  /** Where the children of each open element begin among those of all of them. */
  const firstChildren: number[] = [];
  // On one heap until their element ends: lists that grow one by one would take ten times the room.
  const children: XmlNode[] = [];
  let root: XmlElement | undefined;
  let pendingText = '';
  let pendingCdata: (readonly [number, number])[] = [];
  let lastClosed: string | undefined;
  let nodes = 0;
  let attributes = 0;

  const countNode = (): void => {
    nodes += 1;
    if (nodes > limits.maxNodes) throw problem('document-too-busy', { limit: limits.maxNodes });
  };
  const countAttribute = (): void => {
    countNode();
    attributes += 1;
    if (attributes > MAX_ATTRIBUTES) throw problem('document-too-busy', { limit: MAX_ATTRIBUTES });
  };
  const addText = (part: string): void => {
    if (open.length > 0) pendingText += part;
  };
  const addCdata = (part: string): void => {
    if (options.markCdata) pendingCdata.push([pendingText.length, pendingText.length + part.length]);
    addText(part);
  };
  const flushText = (): void => {
    const text = pendingText;
    const cdata = pendingCdata;
    pendingText = '';
    if (cdata.length > 0) pendingCdata = [];
    if (text === '') return;
    children.push(cdata.length > 0 ? { kind: 'text', text, cdata } : { kind: 'text', text });
  };

  // Six handlers and no more: with a seventh, V8 turns the parser into a hash table, and it reads four times slower.
  parser.on('error', (error) => {
    if (error.message.startsWith('inappropriately located doctype')) throw problem('xml-doctype', {});
    throw malformedXml(text, parser.position, error.message, lastClosed);
  });
  parser.on('text', addText);
  parser.on('cdata', addCdata);
  parser.on('attribute', countAttribute);
  parser.on('opentag', (tag) => {
    if (open.length >= limits.maxDepth) throw problem('document-too-deep', { limit: limits.maxDepth });
    countNode();
    attributes = 0;
    flushText();
    const { line, column } = cursor.moveTo(text.lastIndexOf('<', parser.position - 1));
    const element: OpenElement = {
      kind: 'element',
      name: tag.name,
      local: tag.local,
      uri: tag.uri,
      attributes: attributesIn(tag.attributes),
      children: noChildren,
      line,
      column,
    };
    if (open.length > 0) children.push(element);
    root ??= element;
    open.push(element);
    firstChildren.push(children.length);
  });
  parser.on('closetag', (tag) => {
    flushText();
    const element = open.pop();
    const firstChild = firstChildren.pop();
    lastClosed = tag.name;
    if (element === undefined || firstChild === undefined) return;
    if (children.length > firstChild) {
      element.children = children.slice(firstChild);
      children.length = firstChild;
    }
    if (options.closed === undefined) return;
    const inItsPlace = options.closed(element, open);
    if (open.length > 0) children[firstChild - 1] = inItsPlace;
    else root = inItsPlace;
  });

  let offset = 0;
  return {
    advance(characters) {
      // No text is cut in two: where it is wrong, the parser says so at the end of what it has.
      const next = text.indexOf('<', offset + characters);
      const end = next < 0 ? text.length : next;
      parser.write(text.slice(offset, end));
      offset = end;
      return end < text.length ? undefined : finish();
    },
  };

  function finish(): XmlElement {
    const unclosed = open.at(-1);
    if (unclosed) {
      // A bare '&' swallows the rest of the text as the name of an entity: ending that name brings the complaint up.
      if (text.lastIndexOf('&') > text.lastIndexOf(';')) parser.write(';');
      const reason = `the element '${excerpt(unclosed.name)}' that begins at line ${unclosed.line} is never closed`;
      throw malformedXmlAt(text, text.length, reason);
    }
    parser.close();
    if (!root) throw malformedXmlAt(text, text.length, 'there is no root element');
    return root;
  }
}

/** Most elements have none, and share this. */
const noAttributes: readonly XmlAttribute[] = Object.freeze([]);
const noChildren: readonly XmlNode[] = Object.freeze([]);

function attributesIn(found: Readonly<Record<string, XmlAttribute>>): readonly XmlAttribute[] {
  let attributes: XmlAttribute[] | undefined;
  for (const key in found) {
    const attribute = found[key];
    if (attribute === undefined) continue;
    const { name, local, uri, value } = attribute;
    if (attributes === undefined) attributes = [{ name, local, uri, value }];
    else attributes.push({ name, local, uri, value });
  }
  return attributes ?? noAttributes;
}
