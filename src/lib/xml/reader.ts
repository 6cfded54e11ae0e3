/** Reads XML text into a tree with namespaces, within limits; nothing is fetched, and DTDs are rejected. */
import { SaxesParser } from 'saxes';
import { problem } from '../problems/problem.ts';
import type { DocumentLimits } from '../text/document-limits.ts';
import { excerpt } from '../text/excerpt.ts';
import { hasDoctype } from './doctype.ts';
import type { XmlAttribute, XmlElement } from './element.ts';
import { createMalformedXml, createMalformedXmlAt } from './malformed.ts';
import { PlainTags } from './plain-tags.ts';
import { noAttributes, type XmlReadingOptions, XmlTree } from './tree.ts';

/** A document that is read piece by piece, so that the caller can yield in between. */
export interface XmlReading {
  /** Reads at least so many characters; returns the root element at the end of the document, else undefined. */
  advance(characters: number): XmlElement | undefined;
}

/** Returns the root element. Throws `xml-doctype`, `xml-malformed`, `document-too-deep` or `document-too-busy`. */
export function readXml(text: string, limits: DocumentLimits, options: XmlReadingOptions = {}): XmlElement {
  const root = startReadingXml(text, limits, options).advance(text.length);
  if (root === undefined) throw new Error('An XML document was not read to its end.');
  return root;
}

/** Throws the same problems as `readXml`, as early as possible. */
export function startReadingXml(text: string, limits: DocumentLimits, options: XmlReadingOptions = {}): XmlReading {
  if (hasDoctype(text)) throw problem('xml-doctype', {});
  // The parser would combine an unpaired surrogate with the next character, which could be a '<'.
  if (!text.isWellFormed())
    throw createMalformedXmlAt(text, text.search(/\p{Surrogate}/u), 'an unpaired surrogate is not allowed');

  const tree = new XmlTree(text, limits, options);
  const plain = new PlainTags(text, tree);
  let parser: Parser | undefined;
  return {
    advance(characters) {
      const end = (parser ?? plain).offset + characters;
      if (parser === undefined) {
        const isPlain = plain.advance(end);
        const isAtEnd = plain.offset >= text.length;
        if (isPlain && !isAtEnd) return undefined;
        // Without a root, the parser reports the error.
        if (isPlain && tree.root !== undefined) return getCompleteRoot(text, tree);
        parser = startParsing(text, tree, plain);
      }
      return parser.readTo(end);
    },
  };
}

interface Parser {
  readonly offset: number;
  /** Reads at least up to the offset; returns the root element at the end of the document, else undefined. */
  readTo(end: number): XmlElement | undefined;
}

/** Starts the full parser where the fast path stopped. */
function startParsing(text: string, tree: XmlTree, plain: PlainTags): Parser {
  // Bring the parser into the state of the fast path: before the root it starts at the beginning, inside the root it
  // reads the open tags first, and after the root any root element.
  const isBeforeRoot = tree.root === undefined;
  const seen = isBeforeRoot ? '' : tree.depth > 0 ? plain.joinOpenTags() : '<root/>';
  let offset = isBeforeRoot ? 0 : plain.offset;
  const shift = offset - seen.length;
  let isPrimed = false;

  // XML 1.1 would allow control characters, which XML 1.0 cannot represent in responses.
  const parser = new SaxesParser({ xmlns: true, position: false, defaultXMLVersion: '1.0', forceXMLVersion: true });
  // At most six handlers: with a seventh, V8 turns the parser into a hash table, and it is four times slower.
  parser.on('error', (error) => {
    if (error.message.startsWith('inappropriately located doctype')) throw problem('xml-doctype', {});
    throw createMalformedXml(text, shift + parser.position, error.message, tree.lastClosed);
  });
  parser.on('text', (part) => tree.addText(part));
  parser.on('cdata', (part) => tree.addCdata(part));
  parser.on('attribute', () => {
    if (isPrimed) tree.countAttribute();
  });
  parser.on('opentag', ({ name, local, uri, attributes }) => {
    if (!isPrimed) return;
    const start = text.lastIndexOf('<', shift + parser.position - 1);
    tree.open({ name, local, uri, attributes: collectAttributes(attributes) }, start);
  });
  parser.on('closetag', () => {
    if (isPrimed) tree.close();
  });
  parser.write(seen);
  isPrimed = true;

  return {
    get offset() {
      return offset;
    },
    readTo(target) {
      // Do not split a text: the parser reports an error in it at the end of its input.
      const next = text.indexOf('<', Math.max(target, offset));
      const end = next < 0 ? text.length : next;
      parser.write(text.slice(offset, end));
      offset = end;
      if (end < text.length) return undefined;
      // A bare '&' makes the parser read the rest of the text as an entity name; a semicolon ends the name and triggers
      // the error.
      if (tree.depth > 0 && text.lastIndexOf('&') > text.lastIndexOf(';')) parser.write(';');
      if (tree.depth === 0) parser.close();
      return getCompleteRoot(text, tree);
    },
  };
}

/** Returns the root; throws if it is missing or incomplete. */
function getCompleteRoot(text: string, { innermost, root }: XmlTree): XmlElement {
  if (innermost !== undefined) {
    const reason = `the element '${excerpt(innermost.name)}' that begins at line ${innermost.line} is never closed`;
    throw createMalformedXmlAt(text, text.length, reason);
  }
  if (root === undefined) throw createMalformedXmlAt(text, text.length, 'the root element is missing');
  return root;
}

function collectAttributes(found: Readonly<Record<string, XmlAttribute>>): readonly XmlAttribute[] {
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
