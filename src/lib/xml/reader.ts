/** Reads XML text into a tree: namespaces kept, nothing fetched, no DTD, and never beyond the limits. */
import { SaxesParser } from 'saxes';
import { problem } from '../problems/problem.ts';
import type { DocumentLimits } from '../text/document-limits.ts';
import { excerpt } from '../text/excerpt.ts';
import { hasDoctype } from './doctype.ts';
import type { XmlAttribute, XmlElement } from './element.ts';
import { createMalformedXml, createMalformedXmlAt } from './malformed.ts';
import { PlainTags } from './plain-tags.ts';
import { noAttributes, type XmlReadingOptions, XmlTree } from './tree.ts';

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
    throw createMalformedXmlAt(text, text.search(/\p{Surrogate}/u), 'half of a surrogate pair stands alone');

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
        // Where there is no root at all, the parser says what is there instead.
        if (isPlain && tree.root !== undefined) return getCompleteRoot(text, tree);
        parser = startParsing(text, tree, plain);
      }
      return parser.readTo(end);
    },
  };
}

interface Parser {
  readonly offset: number;
  /** Reads on up to an offset, or a little further; the root element when there is nothing left, else undefined. */
  readTo(end: number): XmlElement | undefined;
}

/** The parser takes over where plain reading came to its end. */
function startParsing(text: string, tree: XmlTree, plain: PlainTags): Parser {
  // It has seen nothing yet: before the root that is all there is to see, inside of it the tags that are open, behind it
  // any root.
  const isBeforeRoot = tree.root === undefined;
  const seen = isBeforeRoot ? '' : tree.depth > 0 ? plain.joinOpenTags() : '<root/>';
  let offset = isBeforeRoot ? 0 : plain.offset;
  const shift = offset - seen.length;
  let isTold = false;

  // XML 1.1 would let control characters in, which no XML 1.0 writer could give back.
  const parser = new SaxesParser({ xmlns: true, position: false, defaultXMLVersion: '1.0', forceXMLVersion: true });
  // Six handlers and no more: with a seventh, V8 turns the parser into a hash table, and it reads four times slower.
  parser.on('error', (error) => {
    if (error.message.startsWith('inappropriately located doctype')) throw problem('xml-doctype', {});
    throw createMalformedXml(text, shift + parser.position, error.message, tree.lastClosed);
  });
  parser.on('text', (part) => tree.addText(part));
  parser.on('cdata', (part) => tree.addCdata(part));
  parser.on('attribute', () => {
    if (isTold) tree.countAttribute();
  });
  parser.on('opentag', ({ name, local, uri, attributes }) => {
    if (!isTold) return;
    const start = text.lastIndexOf('<', shift + parser.position - 1);
    tree.open({ name, local, uri, attributes: collectAttributes(attributes) }, start);
  });
  parser.on('closetag', () => {
    if (isTold) tree.close();
  });
  parser.write(seen);
  isTold = true;

  return {
    get offset() {
      return offset;
    },
    readTo(asked) {
      // No text is cut in two: where it is wrong, the parser says so at the end of what it has.
      const next = text.indexOf('<', Math.max(asked, offset));
      const end = next < 0 ? text.length : next;
      parser.write(text.slice(offset, end));
      offset = end;
      if (end < text.length) return undefined;
      // A bare '&' swallows the rest of the text as the name of an entity: ending that name brings the complaint up.
      if (tree.depth > 0 && text.lastIndexOf('&') > text.lastIndexOf(';')) parser.write(';');
      if (tree.depth === 0) parser.close();
      return getCompleteRoot(text, tree);
    },
  };
}

/** The root, if there is one and it has ended. */
function getCompleteRoot(text: string, { innermost, root }: XmlTree): XmlElement {
  if (innermost !== undefined) {
    const reason = `the element '${excerpt(innermost.name)}' that begins at line ${innermost.line} is never closed`;
    throw createMalformedXmlAt(text, text.length, reason);
  }
  if (root === undefined) throw createMalformedXmlAt(text, text.length, 'there is no root element');
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
