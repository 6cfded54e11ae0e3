import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Problem } from '../problems/problem.ts';
import { readJson } from './reader.ts';
import type { JsonTree } from './tree.ts';

const limits = { maxDepth: 100, maxNodes: 10_000 };
const tooDeep = expect.objectContaining({ code: 'document-too-deep', status: 400 });
const tooBusy = expect.objectContaining({ code: 'document-too-busy', status: 400 });

describe('JSON reader', () => {
  test('keeps the spelling of numbers and the order of members', () => {
    const text = '\t{ "b": [1.10, -0, 1E400, true, false, null],\r\n "a": {"": "x"} } ';

    expect(readJson(text, limits)).toEqual({
      kind: 'object',
      members: new Map<string, JsonTree>([
        [
          'b',
          {
            kind: 'array',
            items: [
              { kind: 'number', text: '1.10' },
              { kind: 'number', text: '-0' },
              { kind: 'number', text: '1E400' },
              { kind: 'boolean', value: true },
              { kind: 'boolean', value: false },
              { kind: 'null' },
            ],
          },
        ],
        ['a', { kind: 'object', members: new Map([['', { kind: 'string', text: 'x' }]]) }],
      ]),
    });
  });

  test.each([
    ['all escapes', String.raw`"\"\\\/\b\f\n\r\t\u00e9\u20AC"`, '"\\/\b\f\n\r\té€'],
    ['a surrogate pair in escapes', String.raw`"\ud83d\ude00"`, '😀'],
    ['characters that need no escape', '"\u007f é € 😀 / \'"', "\u007f é € 😀 / '"],
    ['an escape at either end', String.raw`"\nx\n"`, '\nx\n'],
    ['single quotes', `'say "hi"'`, 'say "hi"'],
    ['an escaped single quote', String.raw`'it\'s \u00e9'`, "it's é"],
    ['an escaped double quote in single quotes', String.raw`'\"'`, '"'],
    ['an empty string', "''", ''],
    ['an escaped backslash before the quote', String.raw`"\\"`, '\\'],
  ])('reads %s', (_rule, text, value) => {
    expect(readJson(text, limits)).toEqual({ kind: 'string', text: value });
  });

  test.each([
    ['a trailing comma in an object', '{"a":1,}', { a: 1 }],
    ['a trailing comma in an array', '[1,2, ]', [1, 2]],
    ['names without quotes', '{a:1, _b$2:2, $:3, été:4, null:5}', { a: 1, _b$2: 2, $: 3, été: 4, null: 5 }],
    ['names in single quotes', "{'workspace':{ 'name':'foo' }}", { workspace: { name: 'foo' } }],
    ['empty arrays and objects', '[{}, [ ], { }]', [{}, [], {}]],
  ])('accepts %s', (_habit, text, value) => {
    expect(plain(readJson(text, limits))).toEqual(value);
  });

  test('treats names such as __proto__ as ordinary members', () => {
    const tree = readJson('{"__proto__":{"polluted":true},"constructor":1,"toString":2}', limits);

    expect(tree.kind === 'object' && [...tree.members.keys()]).toEqual(['__proto__', 'constructor', 'toString']);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  test('reads the output of JSON.stringify, compact or indented, to the same values', () => {
    const value = fc.jsonValue({ stringUnit: 'binary', maxDepth: 5 });

    fc.assert(
      fc.property(value, fc.constantFrom('', '\t', '  '), (original, indentation) => {
        const text = JSON.stringify(original, null, indentation);

        expect(JSON.stringify(plain(readJson(text, limits)))).toBe(JSON.stringify(original));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('malformed JSON', () => {
  test.each([
    ['', '1:1 a value was expected, but the text ends'],
    ['\n [', '2:3 a value was expected, but the text ends'],
    ['[1', "1:3 ',' or ']' was expected, but the text ends"],
    ['{', '1:2 a member name was expected, but the text ends'],
    ['{"a"', "1:5 ':' was expected, but the text ends"],
    ['{"a":', '1:6 a value was expected, but the text ends'],
    ['{"a":1', "1:7 ',' or '}' was expected, but the text ends"],
    ['{"a":1]', "1:7 ',' or '}' was expected, but ']' was found"],
    ['[1}', "1:3 ',' or ']' was expected, but '}' was found"],
    ['[,]', "1:2 a value was expected, but ',' was found"],
    ['[1,,2]', "1:4 a value was expected, but ',' was found"],
    ['{,}', "1:2 a member name was expected, but ',' was found"],
    ['{"a":1,,}', "1:8 a member name was expected, but ',' was found"],
    ['{"a" "b"}', `1:6 ':' was expected, but '"' was found`],
    ['{"a":1 "b":2}', `1:8 ',' or '}' was expected, but '"' was found`],
    ['{a-b:1}', "1:3 ':' was expected, but '-' was found"],
    ['{1:1}', "1:2 a member name was expected, but '1' was found"],
    ['{@class:1}', "1:2 a member name was expected, but '@' was found"],
    ['{} {}', "1:4 the end of the text was expected, but '{' was found"],
    ['[1] x', "1:5 the end of the text was expected, but 'x' was found"],
    ['<workspace/>', "1:1 a value was expected, but '<' was found"],
    ['// x\n1', '1:1 a value was expected, but a comment begins here'],
    ['[1, /* x */ 2]', '1:5 a value was expected, but a comment begins here'],
    ['[1 # x\n]', "1:4 ',' or ']' was expected, but '#' was found"],
    ['[\u00A01]', '1:2 a value was expected, but the character U+00A0 was found'],
    ['\uFEFF1', '1:1 a value was expected, but the character U+FEFF was found'],
    ['[😀]', "1:2 a value was expected, but '😀' was found"],
    ['NaN', "1:1 'NaN' is neither a number nor true, false or null"],
    ['[-Infinity]', "1:2 '-Infinity' is neither a number nor true, false or null"],
    ['True', "1:1 'True' is neither a number nor true, false or null"],
    ['undefined', "1:1 'undefined' is neither a number nor true, false or null"],
    ['01', "1:1 '01' is neither a number nor true, false or null"],
    ['+1', "1:1 '+1' is neither a number nor true, false or null"],
    ['.5', "1:1 '.5' is neither a number nor true, false or null"],
    ['1.', "1:1 '1.' is neither a number nor true, false or null"],
    ['1e', "1:1 '1e' is neither a number nor true, false or null"],
    ['0x10', "1:1 '0x10' is neither a number nor true, false or null"],
    ['1_000', "1:1 '1_000' is neither a number nor true, false or null"],
    ['-', "1:1 '-' is neither a number nor true, false or null"],
    ['["ab', '1:2 this string is never closed'],
    [`["ab']`, '1:2 this string is never closed'],
    [String.raw`"ab\"`, '1:1 this string is never closed'],
    ['"ab\\', '1:1 this string is never closed'],
    ['"a\tb"', '1:3 control characters in a string must be escaped'],
    ['"a\nb"', '1:3 control characters in a string must be escaped'],
    ['"a\u0000b"', '1:3 control characters in a string must be escaped'],
    [String.raw`"a\x41"`, "1:3 a backslash before 'x' is not a valid escape"],
    [String.raw`"\u12"`, "1:2 a backslash before 'u' is not a valid escape"],
    [String.raw`"\u12G4"`, "1:2 a backslash before 'u' is not a valid escape"],
    [String.raw`"\U0041"`, "1:2 a backslash before 'U' is not a valid escape"],
    [String.raw`"it\'s"`, "1:4 a backslash before ''' is not a valid escape"],
    ['"\\\n"', '1:2 a backslash before the character U+000A is not a valid escape'],
    ['"\\😀"', "1:2 a backslash before '😀' is not a valid escape"],
    [String.raw`["\ud800"]`, '1:2 this string contains an unpaired surrogate'],
    [String.raw`"\udc00\ud800"`, '1:1 this string contains an unpaired surrogate'],
    ['"\uD800"', '1:2 an unpaired surrogate is not allowed'],
    ['{"a":1,\n"b":2,\n"a":3}', "3:1 the member 'a' is given twice"],
    [String.raw`{"a":1,"\u0061":2}`, "1:8 the member 'a' is given twice"],
    [`{a:1,'a':2}`, "1:6 the member 'a' is given twice"],
    ['{"__proto__":1,"__proto__":2}', "1:16 the member '__proto__' is given twice"],
  ])('rejects %j with a position and a reason: %s', (text, complaint) => {
    expect(complaintAbout(text)).toBe(complaint);
  });
});

describe('JSON limits', () => {
  test('accepts documents up to the depth limit', () => {
    const nested = (depth: number): string => '[{"a":'.repeat(depth / 2) + '}]'.repeat(depth / 2);

    expect(readJson(nested(100).replace(':}', ':1}'), limits).kind).toBe('array');
    expect(() => readJson(nested(102).replace(':}', ':1}'), limits)).toThrow(tooDeep);
  });

  test('does not count siblings as depth', () => {
    expect(readJson(`[${'[],'.repeat(1000)}]`, limits).kind).toBe('array');
  });

  test('accepts documents up to the node limit', () => {
    expect(readJson(`[${'1,'.repeat(9_999)}]`, limits).kind).toBe('array');
    expect(() => readJson(`[${'1,'.repeat(10_000)}]`, limits)).toThrow(tooBusy);
  });

  test.each(['[', '{"a":', '[[],', '{a:[],b:'])('rejects a million times %j at the depth limit', (part) => {
    expect(() => readJson(part.repeat(1_000_000), limits)).toThrow(tooDeep);
  });

  test('reads a string of ten megabytes', () => {
    const tree = readJson(`"${'x'.repeat(10_000_000)}"`, limits);

    expect(tree.kind === 'string' && tree.text.length).toBe(10_000_000);
  });

  test('keeps a number of a million digits as text', () => {
    expect(readJson('9'.repeat(1_000_000), limits)).toEqual({ kind: 'number', text: '9'.repeat(1_000_000) });
  });

  test('truncates a name of a megabyte in the reason', () => {
    const name = 'x'.repeat(1_000_000);

    expect(complaintAbout(`{${name}:1,${name}:2}`)).toBe(`1:1000005 the member '${'x'.repeat(40)}…' is given twice`);
  });
});

function plain(tree: JsonTree): unknown {
  switch (tree.kind) {
    case 'string':
      return tree.text;
    case 'number':
      return Number(tree.text);
    case 'boolean':
      return tree.value;
    case 'null':
      return null;
    case 'array':
      return tree.items.map(plain);
    case 'object':
      return Object.fromEntries(Array.from(tree.members, ([name, value]) => [name, plain(value)]));
  }
}

function complaintAbout(text: string): string {
  try {
    readJson(text, limits);
  } catch (error) {
    if (error instanceof Problem && error.code === 'json-malformed') {
      const { line, column, reason } = error.details;
      return `${line}:${column} ${reason}`;
    }
    throw error;
  }
  return 'none';
}
