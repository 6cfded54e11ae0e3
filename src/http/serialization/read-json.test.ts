import { describe, expect, test } from 'vitest';
import { inputFromJson, inputFromXml } from '../../../test/support/input.ts';
import type { InputNode } from './input-tree.ts';

const limits = { maxDepth: 50, maxNodes: 1000 };
const xsi = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';

describe('JSON body', () => {
  test('becomes an object with the members of the outermost one', () => {
    const text = `{'dataStore': {
      "name": "roads",
      "connectionParameters": {"entry": [{"@key": "host", "$": "localhost"}, {"@key": "port", "$": 5432}]},
      "_default": false,
      "description": null,
    }}`;

    expect(inputFromJson(text, limits)).toEqual(
      object({
        dataStore: [
          object({
            name: [scalar('roads')],
            connectionParameters: [
              object({
                entry: [object({}, { key: 'host' }, 'localhost'), object({}, { key: 'port' }, '5432')],
              }),
            ],
            _default: [scalar('false')],
            description: [nil()],
          }),
        ],
      }),
    );
  });

  const rules: readonly (readonly [string, string, InputNode])[] = [
    [
      'numbers and booleans keep their spelling',
      '{"a":[1.10,1E3,true]}',
      object({ a: scalars('1.10', '1E3', 'true') }),
    ],
    ['an empty object is an object', '{"a":{}}', object({ a: [object({})] })],
    ['an empty array is a member without nodes', '{"a":[]}', object({ a: [] })],
    ['null in an array is nil', '{"a":["x",null]}', object({ a: [scalar('x'), nil()] })],
    [
      'an array in an array is a list',
      '{"a":[[1,[2]],3]}',
      object({ a: [list(scalar('1'), list(scalar('2'))), scalar('3')] }),
    ],
    ['double underscores are preserved', '{"__a":"x"}', object({ __a: [scalar('x')] })],
    [
      'attributes may be numbers and booleans',
      '{"a":{"@n":1.0,"@b":true}}',
      object({ a: [object({}, { n: '1.0', b: 'true' })] }),
    ],
    ['a null attribute is absent', '{"a":{"@n":null}}', object({ a: [object({})] })],
    ['an object with a leading @ is a member', '{"@n":{"b":"x"}}', object({ '@n': [object({ b: [scalar('x')] })] })],
    ['an array with a leading @ is a member', '{"@n":["x"]}', object({ '@n': [scalar('x')] })],
    ['an object named $ is a member', '{"$":{"b":"x"}}', object({ $: [object({ b: [scalar('x')] })] })],
    ['text can occur beside members', '{"$":"x","b":"y"}', object({ b: [scalar('y')] }, {}, 'x')],
    ['null text beside members is empty', '{"$":null,"b":"y"}', object({ b: [scalar('y')] })],
    [
      'a flat map without a root',
      '{"*.*.r":"*","a.b.w":"X,Y"}',
      object({ '*.*.r': [scalar('*')], 'a.b.w': [scalar('X,Y')] }),
    ],
    ['a document that is an array', '["a",{"b":null}]', list(scalar('a'), object({ b: [nil()] }))],
    ['a document that is a string', '"x"', scalar('x')],
    ['a document that is a number', '1.0', scalar('1.0')],
    ['a document that is null', 'null', nil()],
  ];

  test.each(rules)('%s', (_rule, text, node) => {
    expect(inputFromJson(text, limits)).toEqual(node);
  });

  test.each([
    ['{"a":""}', '<a/>'],
    ['{"a":" x "}', '<a> x </a>'],
    ['{"a":{"$":"x"}}', '<a>x</a>'],
    ['{"a":{"@k":"v"}}', '<a k="v"/>'],
    ['{"a":{"@k":"v","$":"x"}}', '<a k="v">x</a>'],
    ['{"a":null}', `<a ${xsi} xsi:nil="true"/>`],
    ['{"a":{"@k":"v","$":null}}', `<a ${xsi} k="v" xsi:nil="true"/>`],
    ['{"a":{"b":[1,2],"c":true}}', '<a><b>1</b><c>true</c><b>2</b></a>'],
    ['{"a":{"b":{"c":"x"},"_d":"y"}}', '<a>\n  <b>\n    <c>x</c>\n  </b>\n  <__d>y</__d>\n</a>'],
  ])('%s equals %s', (json, xml) => {
    expect(inputFromJson(json, limits)).toEqual(inputFromXml(xml, limits));
  });

  test('treats names of Object.prototype like any other', () => {
    const { attributes, members } = inputFromJson('{"__proto__":{"x":1},"@__proto__":"y","constructor":2}', limits);

    expect([...members.keys()]).toEqual(['__proto__', 'constructor']);
    expect([...attributes]).toEqual([['__proto__', 'y']]);
  });

  test('is rejected if it is malformed', () => {
    expect(() => inputFromJson('{', limits)).toThrow(expect.objectContaining({ code: 'json-malformed', status: 400 }));
  });
});

type Members = Readonly<Record<string, readonly InputNode[]>>;
type Attributes = Readonly<Record<string, string>>;

function scalar(text: string): InputNode {
  return { kind: 'scalar', text, attributes: new Map(), members: new Map(), items: [] };
}

function scalars(...texts: readonly string[]): readonly InputNode[] {
  return texts.map(scalar);
}

function nil(): InputNode {
  return { kind: 'nil', text: '', attributes: new Map(), members: new Map(), items: [] };
}

function list(...items: readonly InputNode[]): InputNode {
  return { kind: 'list', text: '', attributes: new Map(), members: new Map(), items };
}

function object(members: Members, attributes: Attributes = {}, text = ''): InputNode {
  return {
    kind: 'object',
    text,
    attributes: new Map(Object.entries(attributes)),
    members: new Map(Object.entries(members)),
    items: [],
  };
}
