/** Converts errors of the parser to problems with a clear reason and the right position. */

import { type Problem, problem } from '../problems/problem.ts';
import { excerpt } from '../text/excerpt.ts';
import { computeTextPosition } from '../text/text-position.ts';

interface Reason {
  /** Matches the message of the parser; the first match is used. */
  readonly pattern: RegExp;
  /** The reason; `$1` is the name in the message of the parser. */
  readonly sentence: string;
  /** The fault is the tag that begins at the last '<'; otherwise it is the last character read. */
  readonly atTag?: true;
}

const reasons: readonly Reason[] = [
  { pattern: /^unbound namespace prefix: "(.*)"/s, sentence: "the namespace prefix '$1' is not declared", atTag: true },
  { pattern: /^duplicate attribute: (?:\{.*\})?(.*)\.$/s, sentence: "the attribute '$1' is given twice", atTag: true },
  { pattern: /^malformed name: (.*)\.$/s, sentence: "'$1' is not a name with one prefix", atTag: true },
  { pattern: /^documents may contain only one root/, sentence: 'a second root element begins here', atTag: true },
  { pattern: /^document must contain a root element/, sentence: 'the root element is missing or incomplete' },
  { pattern: /^unmatched closing tag: (.*)\.$/s, sentence: "'</$1>' closes no open element", atTag: true },
  { pattern: /^weird empty close tag/, sentence: 'this end tag has no name', atTag: true },
  { pattern: /^unexpected end/, sentence: 'the document ends inside a tag, a comment or an instruction' },
  {
    pattern: /^disallowed character in tag name$/,
    sentence: "this '<' does not begin a tag; write &lt; for the character",
    atTag: true,
  },
  { pattern: /^disallowed character in tag name/, sentence: 'this character is not allowed in the name of an element' },
  {
    pattern: /^disallowed character in attribute name/,
    sentence: 'an attribute or the end of the tag was expected here',
  },
  { pattern: /^disallowed character in closing tag/, sentence: "the end tag must be closed with '>' here" },
  { pattern: /^forward-slash in opening tag/, sentence: "a '/' in a start tag must be followed by '>'" },
  { pattern: /^attribute without value/, sentence: 'this attribute has no value' },
  { pattern: /^unquoted attribute value/, sentence: 'the value of an attribute must be quoted' },
  { pattern: /^no whitespace between attributes/, sentence: 'there must be a space between two attributes' },
  { pattern: /^disallowed character\.$/, sentence: 'this character is not allowed here' },
  { pattern: /"]]>"/, sentence: "']]>' must be written ]]&gt; in text" },
  { pattern: /^malformed comment/, sentence: "a comment cannot contain '--'" },
  { pattern: /^incorrect syntax/, sentence: "'<!' begins neither a comment nor a CDATA section", atTag: true },
  { pattern: /at the start of the document/, sentence: 'the XML declaration must be at the start of the document' },
  { pattern: /processing instruction/, sentence: 'this processing instruction has no valid name' },
  {
    pattern: /namespace|xmlns|prefix/,
    sentence: 'this declaration of a prefix or namespace is not allowed',
    atTag: true,
  },
  {
    pattern: /XML declaration|name\/value pairs|^expected |^value |^whitespace|^version|^encoding|^standalone/,
    sentence: 'the XML declaration is not valid',
  },
];

/**
 * Creates the problem for a message of the parser, which has read the text up to `end` and last closed `lastClosed`.
 */
export function createMalformedXml(
  text: string,
  end: number,
  message: string,
  lastClosed: string | undefined,
): Problem {
  const tag = text.lastIndexOf('<', end - 1);
  switch (message) {
    case 'empty entity name.':
    case 'disallowed character in entity name.': {
      // The parser reports the end of the entity name, which can be pages later; the ampersand is the position to fix.
      const ampersand = text.indexOf('&', text.lastIndexOf(';', end - 2) + 1);
      return createMalformedXmlAt(text, ampersand, "this '&' does not begin an entity; write &amp; for the character");
    }
    case 'undefined entity.': {
      const ampersand = text.lastIndexOf('&', end - 1);
      const entity = excerpt(text.slice(ampersand, end));
      const reason = `the entity '${entity}' is not defined; DTDs are not supported`;
      return createMalformedXmlAt(text, ampersand, reason);
    }
    case 'malformed character entity.': {
      const reason = 'this character reference names a character that XML does not allow';
      return createMalformedXmlAt(text, text.lastIndexOf('&', end - 1), reason);
    }
    case 'unexpected close tag.': {
      const found = excerpt(text.slice(tag, end));
      return createMalformedXmlAt(
        text,
        tag,
        `'${found}' was found where '</${excerpt(lastClosed ?? '')}>' was expected`,
      );
    }
    case 'text data outside of root node.':
      return createMalformedXmlAt(text, computeTextStart(text, end), 'there is text outside the root element');
    default:
  }

  for (const { pattern, sentence, atTag } of reasons) {
    const match = pattern.exec(message);
    if (!match) continue;
    const offset = atTag ? tag : computeCharacterStart(text, end - 1);
    return createMalformedXmlAt(
      text,
      offset,
      sentence.replace('$1', () => excerpt(match[1] ?? '')),
    );
  }
  return createMalformedXmlAt(text, computeCharacterStart(text, end - 1), 'this is not XML');
}

export function createMalformedXmlAt(text: string, offset: number, reason: string): Problem {
  return problem('xml-malformed', { ...computeTextPosition(text, offset), reason });
}

function computeTextStart(text: string, end: number): number {
  const afterTag = text.lastIndexOf('>', end - 2) + 1;
  return afterTag + text.slice(afterTag, end).search(/[^ \t\r\n\uFEFF]/);
}

function computeCharacterStart(text: string, offset: number): number {
  const code = text.charCodeAt(offset);
  return code >= 0xdc00 && code <= 0xdfff ? offset - 1 : offset;
}
