/** Compares the fast path with the full parser. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from '../problems/problem.ts';
import { readXml } from './reader.ts';

const limits = { maxDepth: 20, maxNodes: 200 };
const RUNS = Number(process.env['XML_RUNS'] ?? 3_000);

/** Valid and invalid fragments of documents. */
const pieces = [
  '<a>',
  '</a>',
  '<b/>',
  '<p:b xmlns:p="urn:p">',
  '</p:b>',
  '<p:c q:d="1"/>',
  '<c xmlns="urn:d" d="x &lt; y">',
  '</c>',
  '</c >',
  '<d e="1" e="2"/>',
  '<d xmlns:p="u" xmlns:q="u" p:e="1" q:e="2"/>',
  '<d e=\'it is "so"\'\n f = "g"/>',
  '<d e="a\tb"/>',
  '<d e=""f=""/>',
  '<e xmlns="">',
  '</e>',
  '<xml:f/>',
  '<g xml:lang="de"/>',
  '<h xmlns:xml="urn:x"/>',
  '<h xmlns:i=""/>',
  '<h xmlns:i=" urn:i "/>',
  '<h:/>',
  '<:h/>',
  '<h:i:j/>',
  '<é/>',
  '<ké/>',
  '<__proto__ __proto__="1"/>',
  '<!-- a - b -->',
  '<!-- a -- b -->',
  '<!-- a --->',
  '<!---->',
  '<![CDATA[<c>]]>',
  ']]>',
  '<?pi x?>',
  '<?xml version="1.0"?>',
  '<!DOCTYPE a>',
  'text',
  ' \n\t',
  '&amp;&lt;',
  '&#233;',
  '&nope;',
  '&',
  '<',
  '>',
  '< a>',
  '<a',
  'é😀',
  '\u0001',
  '\ufffe',
  '\ufeff',
] as const;

/** A character that disables the fast path without changing the result. */
const forTheParser = '\r';

function outcome(text: string): unknown {
  try {
    return readXml(text, limits, { markCdata: true });
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
}

describe('fast path of the XML reader', () => {
  it('returns the same tree or error as the full parser', () => {
    const document = fc
      .array(fc.constantFrom(...pieces), { maxLength: 12 })
      .chain((parts) =>
        fc.constantFrom(parts.join(''), `<a>${parts.join('')}</a>`, `<a xmlns:q="urn:q">${parts.join('')}</a>`),
      );
    fc.assert(
      fc.property(document, (text) => {
        expect(outcome(text)).toEqual(outcome(`${text}${forTheParser}`));
      }),
      { numRuns: RUNS },
    );
  });

  it('hands over to the full parser with all namespaces in scope', () => {
    const text = '<a xmlns="urn:d" xmlns:p="urn:p">\n  <p:b c="1">x<!-- y -->z&#33;<p:d/></p:b></a>';

    expect(readXml(text, limits)).toMatchObject({
      name: 'a',
      uri: 'urn:d',
      children: [
        { text: '\n  ' },
        {
          name: 'p:b',
          uri: 'urn:p',
          line: 2,
          column: 3,
          children: [{ text: 'xz!' }, { name: 'p:d', uri: 'urn:p', line: 2, column: 31 }],
        },
      ],
    });
  });

  it('reports the right position after handing over to the full parser', () => {
    expect(() => readXml('<a>\n<b>x</b>\n&nope;</a>', limits)).toThrow(/line 3/);
  });
});
