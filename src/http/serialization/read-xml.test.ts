import { describe, expect, test } from 'vitest';
import { inputFromXml } from '../../../test/support/input.ts';
import type { InputNode } from './input-tree.ts';

const limits = { maxDepth: 50, maxNodes: 1000 };
const xsi = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
const atom = 'xmlns:atom="http://www.w3.org/2005/Atom"';

describe('XML body', () => {
  test('becomes an object with one member, its root', () => {
    const text = `<dataStore>
      <name>roads</name>
      <connectionParameters>
        <entry key="host">localhost</entry>
        <entry key="port">5432</entry>
      </connectionParameters>
      <__default>false</__default>
      <workspace><name>topp</name><atom:link ${atom} rel="alternate" href="http://example.org/topp.xml"/></workspace>
    </dataStore>`;

    expect(inputFromXml(text, limits)).toEqual(
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
            workspace: [object({ name: [scalar('topp')] })],
          }),
        ],
      }),
    );
  });

  const rules: readonly (readonly [string, string, Members])[] = [
    ['the text of a scalar is not trimmed', '<a>  x\n</a>', { a: [scalar('  x\n')] }],
    ['a scalar of whitespace keeps it', '<a> </a>', { a: [scalar(' ')] }],
    ['an empty element is an empty scalar', '<a/>', { a: [scalar('')] }],
    ['an empty element in two tags is the same', '<a></a>', { a: [scalar('')] }],
    ['CDATA is text', '<a><![CDATA[<b>]]></a>', { a: [scalar('<b>')] }],
    ['text beside attributes is not trimmed', '<a k="v"> x </a>', { a: [object({}, { k: 'v' }, ' x ')] }],
    ['text between elements is kept', '<a>x<b/>y</a>', { a: [object({ b: [scalar('')] }, {}, 'xy')] }],
    ['no-break spaces are text', '<a>\u00A0<b/></a>', { a: [object({ b: [scalar('')] }, {}, '\u00A0')] }],
    [
      'repeated elements are grouped at the first occurrence',
      '<a><b>1</b><c>2</c><b>3</b></a>',
      { a: [object({ b: [scalar('1'), scalar('3')], c: [scalar('2')] })] },
    ],
    ['prefixes are ignored', '<gs:a xmlns:gs="urn:gs"><gs:b/></gs:a>', { a: [object({ b: [scalar('')] })] }],
    [
      'double underscores become single ones',
      '<a__b><____c/><_d/></a__b>',
      { a_b: [object({ __c: [scalar('')], _d: [scalar('')] })] },
    ],
    ['attributes keep their underscores', '<a x__y="1"/>', { a: [object({}, { x__y: '1' })] }],
    ['namespace declarations are not attributes', '<a xmlns="urn:x" xmlns:p="urn:y">x</a>', { a: [scalar('x')] }],
    ['xsi attributes are not attributes', `<a ${xsi} xsi:type="b" xsi:nil="false">x</a>`, { a: [scalar('x')] }],
    [
      'attributes have their local names',
      '<a xmlns:p="urn:p" p:x="1" q="2" xml:lang="en"/>',
      { a: [object({}, { x: '1', q: '2', lang: 'en' })] },
    ],
    [
      'an attribute without a prefix takes precedence over one with the same local name',
      '<a xmlns:p="urn:p" x="1" p:x="2"><b xmlns:p="urn:p" p:x="1" x="2"/></a>',
      { a: [object({ b: [object({}, { x: '2' })] }, { x: '1' })] },
    ],
    ['xsi:nil="true" is nil', `<a ${xsi}><b xsi:nil="true"/></a>`, { a: [object({ b: [nil()] })] }],
    ['xsi:nil="1" is nil', `<a ${xsi} xsi:nil="1"/>`, { a: [nil()] }],
    ['nil with any prefix', '<a xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:nil="true"/>', { a: [nil()] }],
    ['nil keeps its attributes', `<a ${xsi} key="k" xsi:nil="true"/>`, { a: [nil({ key: 'k' })] }],
    ['nil has no content', `<a ${xsi} xsi:nil="true">x<b/></a>`, { a: [nil()] }],
    ['nil without a namespace is an attribute', '<a nil="true"/>', { a: [object({}, { nil: 'true' })] }],
    ['links are ignored', `<a ${atom}>\n<atom:link href="x"/>\n</a>`, { a: [object({})] }],
    ['links with any prefix are ignored', '<a><link xmlns="http://www.w3.org/2005/Atom"/></a>', { a: [object({})] }],
    ['a link without a namespace is a member', '<a><link/></a>', { a: [object({ link: [scalar('')] })] }],
    ['a document that is a link is empty', `<atom:link ${atom}/>`, {}],
  ];

  test.each(rules)('%s', (_rule, text, members) => {
    expect(inputFromXml(text, limits)).toEqual(object(members));
  });

  test('treats names of Object.prototype like any other', () => {
    const root = inputFromXml('<a><____proto____ x="1"/></a>', limits).members.get('a')?.[0];

    expect([...(root?.members.keys() ?? [])]).toEqual(['__proto__']);
  });

  test('is rejected if it is malformed', () => {
    expect(() => inputFromXml('<a>', limits)).toThrow(expect.objectContaining({ code: 'xml-malformed', status: 400 }));
  });
});

type Members = Readonly<Record<string, readonly InputNode[]>>;
type Attributes = Readonly<Record<string, string>>;

function scalar(text: string): InputNode {
  return { kind: 'scalar', text, attributes: new Map(), members: new Map(), items: [] };
}

function nil(attributes: Attributes = {}): InputNode {
  return { kind: 'nil', text: '', attributes: new Map(Object.entries(attributes)), members: new Map(), items: [] };
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
