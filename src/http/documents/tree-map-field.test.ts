import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inputFromJson, inputFromXml } from '../../../test/support/input.ts';
import { compat, ours } from '../../../test/support/output-samples.ts';
import type { ValueTree } from '../../lib/values/value-tree.ts';
import { writeJson } from '../serialization/write-json.ts';
import { writeXml } from '../serialization/write-xml.ts';
import { createTreeMapField } from './tree-map-field.ts';

type Trees = Readonly<Record<string, ValueTree>>;

const limits = { maxDepth: 20, maxNodes: 10_000 };
const field = createTreeMapField<Trees>((trees) => trees, { description: '' });

function read(body: string): { value: unknown; complaints: readonly string[] } {
  const complaints: string[] = [];
  const input = body.startsWith('<') ? inputFromXml(body, limits) : inputFromJson(body, limits);
  const reader = { at: 'm', reportError: (message: string) => complaints.push(message) };
  return { value: field.read(input.members.get('m') ?? [], reader), complaints };
}

function written(trees: Trees) {
  const node = field.write?.(trees);
  return node === undefined ? undefined : { root: 'm', title: '', node };
}

describe('map of trees', () => {
  const tree = { members: [{ name: 'info', value: { members: [{ name: 'a', value: '1' }] } }] };

  it.each([
    ['an entry with elements', '<m><entry key="t"><info><a>1</a></info></entry></m>', { t: tree }],
    ['an element', '<m><t><info><a>1</a></info></t></m>', { t: tree }],
    ['a pair of a string and an element', '<m><entry><string>t</string><info><a>1</a></info></entry></m>', { t: tree }],
    ['an entry in JSON', '{"m":{"entry":{"@key":"t","info":{"a":1}}}}', { t: tree }],
    ['a member in JSON', '{"m":{"t":{"info":{"a":"1"}}}}', { t: tree }],
    ['plain text', '<m><entry key="t">x</entry></m>', { t: 'x' }],
    ['wrapped text', '<m><entry key="t"><string>x</string></entry></m>', { t: 'x' }],
    ['a null inside', '{"m":{"t":{"info":{"a":1,"b":null}}}}', { t: tree }],
    ['nothing', '<m/>', {}],
    ['a null', '{"m":null}', null],
  ])('can be written as %s: %s', (_case, body, expected) => {
    expect(read(body)).toEqual({ value: expected, complaints: [] });
  });

  it.each([
    ['an invalid XML name', '{"m":{"t":{"1":"x"}}}', "'1' is not a valid XML name"],
    ['an attribute that declares a namespace', '{"m":{"t":{"a":{"@xmlns":"x"}}}}', "'xmlns' is not a valid XML name"],
    ['a list in a list', '{"m":{"t":{"a":[["x"]]}}}', 'nested lists'],
    ['text beside elements', '<m><t>x<a/></t></m>', 'mixed content'],
    ['a control character', '{"m":{"t":{"a":"\\u0001"}}}', 'a control character'],
  ])('cannot contain %s: %s', (_case, body, complaint) => {
    expect(read(body).complaints).toEqual([expect.stringContaining(complaint)]);
  });

  it('writes numbers and booleans in JSON if the text can be restored', () => {
    const members = ['true', 'True', '5', '-0.5', '1.0', '1e3', '007', ''].map((value) => ({ name: 'a', value }));

    expect(writeJson(written({ t: { members } }) ?? expect.fail(), ours)).toBe(
      '{"m":{"entry":[{"@key":"t","a":[true,"True",5,-0.5,"1.0","1e3","007",""]}]}}',
    );
  });

  it('is omitted if empty', () => {
    expect(written({})).toBeUndefined();
  });

  it('survives a round trip in every format', () => {
    const name = fc.stringMatching(/^[A-Za-z_ü][A-Za-z0-9_.-]{0,5}$/).filter((each) => each !== 'string');
    const text = fc.string({ unit: 'grapheme' }).filter((each) => !/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD]/.test(each));
    const attributes = fc.dictionary(
      name.filter((each) => each !== 'key' && each !== 'xmlns'),
      text,
      {
        minKeys: 1,
        maxKeys: 2,
        noNullPrototype: true,
      },
    );
    const { tree: anyTree } = fc.letrec<{ tree: ValueTree }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.record({ attributes, text, members: fc.constant([]) }),
        fc
          .uniqueArray(fc.tuple(name, fc.array(tie('tree'), { minLength: 1, maxLength: 3 })), {
            selector: ([each]) => each,
            minLength: 1,
            maxLength: 3,
          })
          .map((groups) => ({
            members: groups.flatMap(([each, values]) => values.map((value) => ({ name: each, value }))),
          })),
      ),
    }));

    fc.assert(
      fc.property(fc.dictionary(text, anyTree, { minKeys: 1, maxKeys: 3, noNullPrototype: true }), (trees) => {
        const document = written(trees) ?? expect.fail();

        for (const body of [writeXml(document, ours), writeJson(document, ours), writeJson(document, compat)]) {
          expect(read(body)).toEqual({ value: trees, complaints: [] });
        }
      }),
    );
  });
});
