import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inputFromJson, inputFromXml, readThrough } from '../../../test/support/input.ts';
import { decodeText } from '../../lib/files/decode-text.ts';
import { Problem } from '../../lib/problems/problem.ts';
import type { InputReading } from './input-tree.ts';
import { startReadingJsonInput } from './read-json.ts';
import { startReadingXmlInput } from './read-xml.ts';

const limits = { maxDepth: 30, maxNodes: 300 };

const xmlDocuments = [
  `<?xml version="1.0" encoding="UTF-8"?>
<dataStore xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <name>roads &amp; rail&#x20AC;</name><description xsi:nil="true"/>
  <!-- a comment --><?target data?>
  <connectionParameters><entry key="host">h</entry><entry key='port'>5432</entry></connectionParameters>
  <metadata><![CDATA[<raw> & ]] text]]></metadata><__default>false</__default>
  <atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="alternate" href="http://example.org/x?a=1&amp;b=2"/>
</dataStore>`,
  '<?xml version="1.0" encoding="ISO-8859-1"?><a:b xmlns:a="urn:é"><a:c a:d="é"/>é😀</a:b>',
  '\uFEFF<workspace><name>été 😀</name></workspace>',
];

const jsonDocuments = [
  `{"dataStore": {"name": "roads \\u20ac \\ud83d\\ude00 \\"x\\"", 'quoted': 'it\\'s', "n": [1, -2.50e+3, 0, []],
  "connectionParameters": {"entry": [{"@key": "host", "$": "h"}, {"@key": "port", "$": 5432}]},
  "enabled": true, "off": false, "description": null, unquoted: {"a": {}, }, }}`,
  '[[[{"a":[{"b":[null,[true]]}]}]],"é€😀"]',
  '\uFEFF{"__proto__":{"constructor":1}}',
];

/** One mutation of the bytes; positions and lengths are fractions, so that they fit any document. */
type Mutation = (bytes: Uint8Array) => Uint8Array;

const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const position = (bytes: Uint8Array, part: number): number => Math.floor(part * bytes.length);

const flip = fc.tuple(fraction, fc.integer({ min: 1, max: 255 })).map(
  ([part, mask]): Mutation =>
    (bytes) => {
      const at = position(bytes, part);
      return bytes.map((byte, index) => (index === at ? byte ^ mask : byte));
    },
);
const markup = fc.constantFrom(...'<>&;"\'/!?[]{}:,\\-=', '\u0000', '\r');
const insert = fc.tuple(fraction, markup).map(
  ([part, character]): Mutation =>
    (bytes) => {
      const at = position(bytes, part);
      return Buffer.concat([bytes.subarray(0, at), Buffer.from(character), bytes.subarray(at)]);
    },
);
const truncate = fraction.map(
  (part): Mutation =>
    (bytes) =>
      bytes.subarray(0, position(bytes, part)),
);
const duplicate = fc.tuple(fraction, fraction, fc.integer({ min: 1, max: 40 })).map(
  ([first, second, times]): Mutation =>
    (bytes) => {
      const [from, to] = [position(bytes, Math.min(first, second)), position(bytes, Math.max(first, second))];
      const copies = Array.from({ length: times }, () => bytes.subarray(from, to));
      return Buffer.concat([bytes.subarray(0, to), ...copies, bytes.subarray(to)]);
    },
);
const remove = fc.tuple(fraction, fc.integer({ min: 1, max: 8 })).map(
  ([part, length]): Mutation =>
    (bytes) => {
      const at = position(bytes, part);
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
    },
);

function mutated(documents: readonly string[]): fc.Arbitrary<Uint8Array> {
  const mutations = fc.array(fc.oneof(flip, insert, truncate, duplicate, remove), { minLength: 1, maxLength: 3 });
  return fc
    .tuple(fc.constantFrom(...documents), mutations)
    .map(([text, changes]) => changes.reduce<Uint8Array>((bytes, change) => change(bytes), Buffer.from(text)));
}

/** Returns the result of reading a body, or the code of its problem. Fails for any status other than 400. */
function outcome(read: () => unknown): string {
  try {
    read();
    return 'read';
  } catch (error) {
    if (error instanceof Problem && error.status === 400) return error.code;
    throw error;
  }
}

describe('3,000 corrupted documents are read or rejected with 400', () => {
  test('XML', () => {
    const outcomes = new Set<string>();
    const read = (bytes: Uint8Array): string => outcome(() => inputFromXml(decodeText(bytes, undefined, true), limits));

    expect(xmlDocuments.map((text) => read(Buffer.from(text)))).toEqual(['read', 'read', 'read']);
    fc.assert(
      fc.property(mutated(xmlDocuments), (bytes) => void outcomes.add(read(bytes))),
      { numRuns: 3000 },
    );
    expect([...outcomes]).toEqual(expect.arrayContaining(['read', 'xml-malformed', 'text-undecodable']));
  });

  test('JSON', () => {
    const outcomes = new Set<string>();
    const read = (bytes: Uint8Array): string =>
      outcome(() => inputFromJson(decodeText(bytes, undefined, false), limits));

    expect(jsonDocuments.map((text) => read(Buffer.from(text)))).toEqual(['read', 'read', 'read']);
    fc.assert(
      fc.property(mutated(jsonDocuments), (bytes) => void outcomes.add(read(bytes))),
      { numRuns: 3000 },
    );
    expect([...outcomes]).toEqual(expect.arrayContaining(['read', 'json-malformed', 'text-undecodable']));
  });
});

describe('document read in chunks', () => {
  const limitless = Number.POSITIVE_INFINITY;
  const result = (reading: () => InputReading, characters: number): unknown => {
    try {
      return readThrough(reading(), characters);
    } catch (error) {
      if (error instanceof Problem) return [error.code, error.message];
      throw error;
    }
  };

  test.for([
    ['XML', startReadingXmlInput, xmlDocuments, (text: string) => text.length],
    ['JSON', startReadingJsonInput, jsonDocuments, () => limitless],
  ] as const)(
    'has the same result as a document read in one step, including errors and their positions: %s',
    ([, start, documents, whole]) => {
      fc.assert(
        fc.property(mutated(documents), fc.integer({ min: 1, max: 100 }), (bytes, characters) => {
          const text = Buffer.from(bytes).toString('utf8');

          const inPieces = result(() => start(text, limits), characters);

          expect(inPieces).toEqual(result(() => start(text, limits), whole(text)));
        }),
        { numRuns: 2000 },
      );
    },
  );
});

test('everything that JSON.parse accepts is accepted, except duplicate members, lone surrogates and the limits', () => {
  const strict = JSON.stringify({ a: [1, -2.5e30, 'x\u0007"\\é😀', true, null, {}], b: { c: [[]], d: '' } }, null, 1);

  fc.assert(
    fc.property(mutated([strict]), (bytes) => {
      const text = Buffer.from(bytes).toString('utf8');
      const theirs = outcomeOfJsonParse(text);
      fc.pre(theirs);

      expect(reasonAgainst(text)).toMatch(/^$|given twice|unpaired surrogate|nested deeper|contains more than/);
    }),
    { numRuns: 1000 },
  );
});

function outcomeOfJsonParse(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function reasonAgainst(text: string): string {
  try {
    inputFromJson(text, limits);
    return '';
  } catch (error) {
    if (error instanceof Problem) return error.message;
    throw error;
  }
}
