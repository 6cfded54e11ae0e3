/** Says in our own words, and at the right place, what the parser has against a document. */

import { type Problem, problem } from '../problems/problem.ts';
import { excerpt } from '../text/excerpt.ts';
import { computeTextPosition } from '../text/text-position.ts';

interface Reason {
  /** What the parser says; the first that fits is used. */
  readonly says: RegExp;
  /** What we say; `$1` is the name it complains about. */
  readonly sentence: string;
  /** The tag at fault begins at the last '<'; else it is the character just read. */
  readonly atTag?: true;
}

const reasons: readonly Reason[] = [
  { says: /^unbound namespace prefix: "(.*)"/s, sentence: "the namespace prefix '$1' is not declared", atTag: true },
  { says: /^duplicate attribute: (?:\{.*\})?(.*)\.$/s, sentence: "the attribute '$1' is given twice", atTag: true },
  { says: /^malformed name: (.*)\.$/s, sentence: "'$1' is not a name with one prefix", atTag: true },
  { says: /^documents may contain only one root/, sentence: 'a second root element begins here', atTag: true },
  { says: /^document must contain a root element/, sentence: 'there is no complete root element' },
  { says: /^unmatched closing tag: (.*)\.$/s, sentence: "'</$1>' closes no open element", atTag: true },
  { says: /^weird empty close tag/, sentence: 'this end tag has no name', atTag: true },
  { says: /^unexpected end/, sentence: 'the document ends inside a tag, a comment or an instruction' },
  {
    says: /^disallowed character in tag name$/,
    sentence: "this '<' begins no tag; write &lt; for the character itself",
    atTag: true,
  },
  { says: /^disallowed character in tag name/, sentence: 'this character cannot stand in the name of an element' },
  { says: /^disallowed character in attribute name/, sentence: 'an attribute or the end of the tag was expected here' },
  { says: /^disallowed character in closing tag/, sentence: "the end tag must be closed with '>' here" },
  { says: /^forward-slash in opening tag/, sentence: "a '/' in a start tag must be followed by '>'" },
  { says: /^attribute without value/, sentence: 'this attribute has no value' },
  { says: /^unquoted attribute value/, sentence: 'the value of an attribute must be quoted' },
  { says: /^no whitespace between attributes/, sentence: 'there must be a space between two attributes' },
  { says: /^disallowed character\.$/, sentence: 'this character is not allowed here' },
  { says: /"]]>"/, sentence: "']]>' must be written ]]&gt; in text" },
  { says: /^malformed comment/, sentence: "a comment cannot hold '--'" },
  { says: /^incorrect syntax/, sentence: "'<!' begins neither a comment nor a CDATA section", atTag: true },
  { says: /at the start of the document/, sentence: 'the XML declaration can only stand at the very start' },
  { says: /processing instruction/, sentence: 'this processing instruction has no valid name' },
  { says: /namespace|xmlns|prefix/, sentence: 'this prefix or namespace cannot be declared like this', atTag: true },
  {
    says: /XML declaration|name\/value pairs|^expected |^value |^whitespace|^version|^encoding|^standalone/,
    sentence: 'the XML declaration is not valid',
  },
];

/** The problem for a message of the parser, which has read the text up to `end` and last closed that element. */
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
      // The name of an entity runs to the next semicolon, perhaps pages later; the ampersand is what has to be mended.
      const ampersand = text.indexOf('&', text.lastIndexOf(';', end - 2) + 1);
      return createMalformedXmlAt(text, ampersand, "this '&' begins no entity; write &amp; for the character itself");
    }
    case 'undefined entity.': {
      const ampersand = text.lastIndexOf('&', end - 1);
      const entity = excerpt(text.slice(ampersand, end));
      const reason = `the entity '${entity}' is not defined, and no DTD is read that could define it`;
      return createMalformedXmlAt(text, ampersand, reason);
    }
    case 'malformed character entity.': {
      const reason = 'this character reference names no character that XML can hold';
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

  for (const { says, sentence, atTag } of reasons) {
    const match = says.exec(message);
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
