import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePoint } from '../../../test/support/code-points.ts';
import { inputFromJson, inputFromXml } from '../../../test/support/input.ts';
import { ours } from '../../../test/support/output-samples.ts';
import type { InputNode } from '../serialization/input-tree.ts';
import { writeJson } from '../serialization/write-json.ts';
import { writeXml } from '../serialization/write-xml.ts';
import { readMap } from './read-map.ts';

const limits = { maxDepth: 20, maxNodes: 1000 };

function nodesOf(body: string): readonly InputNode[] {
  const input = body.startsWith('<') ? inputFromXml(body, limits) : inputFromJson(body, limits);
  return input.members.get('m') ?? [];
}

function read(body: string): { value: unknown; complaints: readonly string[] } {
  const complaints: string[] = [];
  const value = readMap(nodesOf(body), { at: 'm', reportError: (message) => complaints.push(message) });
  return { value, complaints };
}

describe('a map', () => {
  it.each([
    ['elements', '<m><host>h</host><port>5432</port></m>', { host: 'h', port: '5432' }],
    ['wrapped strings', '<m><host><string>h</string></host></m>', { host: 'h' }],
    ['entries with a key', '<m><entry key="host">h</entry><entry key="port">1</entry></m>', { host: 'h', port: '1' }],
    ['pairs of strings', '<m><entry><string>host</string><string>h</string></entry></m>', { host: 'h' }],
    ['members', '{"m":{"host":"h","port":5432,"ssl":true}}', { host: 'h', port: '5432', ssl: 'true' }],
    ['wrapped members', '{"m":{"host":{"string":"h"}}}', { host: 'h' }],
    ['one entry', '{"m":{"entry":{"@key":"host","$":"h"}}}', { host: 'h' }],
    ['many entries', '{"m":{"entry":[{"@key":"host","$":"h"},{"@key":"port","$":5432}]}}', { host: 'h', port: '5432' }],
    ['pairs in JSON', '{"m":{"entry":[{"string":["host","h"]}]}}', { host: 'h' }],
    ['entries and members together', '{"m":{"a":"1","entry":{"@key":"b","$":"2"}}}', { a: '1', b: '2' }],
    ['nothing', '<m/>', {}],
    ['nothing', '{"m":{}}', {}],
    ['an empty value, as the reference server writes it', '{"m":""}', {}],
    ['no entries', '{"m":{"entry":[]}}', {}],
    ['a null', '{"m":null}', null],
    ['a value that is null', '{"m":{"a":null,"b":"2"}}', { b: '2' }],
    ['an entry that is null', '{"m":{"entry":[{"@key":"a","$":null},{"@key":"b","$":"2"}]}}', { b: '2' }],
    ['an empty value', '<m><entry key="a"/></m>', { a: '' }],
    ['an empty value', '{"m":{"a":""}}', { a: '' }],
    ['the last of two', '<m><a>1</a><a>2</a></m>', { a: '2' }],
  ])('can be written as %s: %s', (_case, body, expected) => {
    expect(read(body)).toEqual({ value: expected, complaints: [] });
  });

  it('can have keys that are members of Object.prototype', () => {
    const { value } = read('{"m":{"__proto__":"x","constructor":"y"}}');

    expect(Object.entries(value as object)).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
  });

  it.each([
    ['a plain value', '{"m":"x"}', 'keys with values were expected'],
    ['a list in a list', '{"m":[["x"]]}', 'keys with values were expected'],
    ['an object as value', '{"m":{"a":{"b":{"c":1}}}}', "the value of 'a' must be a simple value"],
    ['a list as value', '{"m":{"a":[["x"]]}}', "the value of 'a' must be a simple value"],
    ['a key that is far too long', `{"m":{"${'k'.repeat(999)}":{"b":1}}}`, `the value of '${'k'.repeat(40)}…' must`],
    ['an entry without a key', '<m><entry>x</entry></m>', "each entry requires a 'key' attribute"],
    ['a pair of one', '<m><entry><string>a</string></entry></m>', "each entry requires a 'key' attribute"],
    ['a control character in a value', '{"m":{"a":"\\u0000"}}', 'it contains a control character'],
    ['a control character in a key', '{"m":{"\\u001b":"a"}}', 'it contains a control character'],
  ])('cannot be %s: %s', (_case, body, complaint) => {
    expect(read(body).complaints).toEqual([expect.stringContaining(complaint)]);
  });

  it('survives a round trip in either format', () => {
    const text = fc
      .string({ unit: codePoint })
      .filter((each) => !/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.test(each));

    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(text, text), { selector: ([key]) => key }), (entries) => {
        const document = { root: 'm', title: '', node: { kind: 'map', entries } } as const;

        for (const body of [writeXml(document, ours), writeJson(document, ours)]) {
          const { value, complaints } = read(body);
          expect(complaints).toEqual([]);
          expect(new Map(Object.entries(value as object))).toEqual(new Map(entries));
        }
      }),
    );
  });
});
