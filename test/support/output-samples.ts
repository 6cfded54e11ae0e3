/** One document for each node type, used by the golden tests of the three writers. */
import type { OutputDocument, OutputNode, WriteContext } from '../../src/http/serialization/output-tree.ts';

const base: Omit<WriteContext, 'emptyJsonList' | 'singleJsonItem' | 'listingLinkType'> = {
  buildUrl: (path) => ['http://host/rest', ...path.map(encodeURIComponent)].join('/'),
};

export const ours: WriteContext = {
  ...base,
  emptyJsonList: 'array',
  singleJsonItem: 'array',
  listingLinkType: 'application/xml',
};

export const compat: WriteContext = {
  ...base,
  emptyJsonList: 'empty string',
  singleJsonItem: 'bare item',
  listingLinkType: 'application/atom+xml',
};

function value(text: string | number | boolean): OutputNode {
  return { kind: 'value', value: text };
}

function named(name: string, siblings?: readonly string[]): OutputNode {
  return {
    kind: 'object',
    members: [{ name: 'name', node: value(name) }],
    link: ['things', name],
    ...(siblings === undefined ? {} : { siblings }),
  };
}

function createDocument(node: OutputNode): OutputDocument {
  return { root: 'thing', node, title: 'A thing' };
}

export const samples = {
  values: createDocument({
    kind: 'object',
    members: [
      { name: 'text', node: value('plain') },
      { name: 'empty', node: value('') },
      { name: 'number', node: value(1.5) },
      { name: 'flag', node: value(false) },
      { name: 'looksLikeNumber', node: value('5432') },
    ],
  }),
  markup: createDocument({
    kind: 'object',
    members: [{ name: 'text', node: value(`<b a="1">'&' ]]>\u0001</b>`) }],
  }),
  whitespace: createDocument({ kind: 'object', members: [{ name: 'text', node: value(' a\tb\r\nc ') }] }),
  underscore: createDocument({ kind: 'object', members: [{ name: '_default', node: value(true) }] }),
  emptyObject: createDocument({ kind: 'object', members: [] }),
  attributes: createDocument({ kind: 'object', members: [], attributes: { key: 'a "<&>"', other: '' } }),
  attributesAndText: createDocument({ kind: 'object', members: [], attributes: { key: 'port' }, text: '5432' }),
  attributesAndMembers: createDocument({
    kind: 'object',
    attributes: { class: 'dataStore' },
    members: [{ name: 'name', node: value('ws:roads') }],
  }),
  reference: createDocument({ kind: 'object', members: [{ name: 'workspace', node: named('a b') }] }),
  collectionLink: createDocument({
    kind: 'object',
    members: [{ name: 'dataStores', node: { kind: 'collectionLink', path: ['workspaces', 'ü&', 'datastores'] } }],
  }),
  listingOfNone: { ...createDocument({ kind: 'list', itemName: 'thing', items: [] }), root: 'things' },
  listingOfOne: { ...createDocument({ kind: 'list', itemName: 'thing', items: [named('one')] }), root: 'things' },
  listingOfTwo: {
    ...createDocument({ kind: 'list', itemName: 'thing', items: [named('one'), named('two')] }),
    root: 'things',
  },
  listingOfTwins: {
    ...createDocument({
      kind: 'list',
      itemName: 'thing',
      items: [named('a', ['a.xml', 'a.json', 'a.html']), named('a.html'), named('a.json'), named('a.xml')],
    }),
    root: 'things',
  },
  nestedListOfNone: createDocument({
    kind: 'object',
    members: [{ name: 'keywords', node: { kind: 'list', itemName: 'string', items: [] } }],
  }),
  nestedListOfOne: createDocument({
    kind: 'object',
    members: [{ name: 'keywords', node: { kind: 'list', itemName: 'string', items: [value('a')] } }],
  }),
  nestedListOfTwo: createDocument({
    kind: 'object',
    members: [{ name: 'keywords', node: { kind: 'list', itemName: 'string', items: [value('a'), value('b')] } }],
  }),
  mapOfOne: createDocument({
    kind: 'object',
    members: [{ name: 'metadata', node: { kind: 'map', entries: [['a"b', '1<2']] } }],
  }),
  mapOfTwo: createDocument({
    kind: 'object',
    members: [
      {
        name: 'metadata',
        node: {
          kind: 'map',
          entries: [
            ['port', '5432'],
            ['__proto__', 'x'],
          ],
        },
      },
    ],
  }),
  sequence: createDocument({
    kind: 'sequence',
    members: [
      { name: 'first', node: value('a') },
      { name: 'second', node: named('b') },
    ],
  }),
  jsonWithoutRoot: { ...createDocument(value('unused')), json: { root: null, node: { kind: 'object', members: [] } } },
  jsonWithAnotherRoot: { ...createDocument({ kind: 'list', itemName: 'x', items: [] }), json: { root: 'Things' } },
} as const satisfies Readonly<Record<string, OutputDocument>>;

export type SampleName = keyof typeof samples;
