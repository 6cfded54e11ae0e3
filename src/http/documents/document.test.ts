import { describe, expect, it } from 'vitest';
import { inputFromJson, inputFromXml } from '../../../test/support/input.ts';
import { defineDocument } from './document.ts';
import { createFieldBuilders } from './fields.ts';

interface Place {
  readonly name: string;
  readonly title?: string;
  readonly open: boolean;
  readonly metadata: Readonly<Record<string, string>>;
  readonly createdAtMs?: number;
}

const { text, flag, map, timestamp, collectionLink } = createFieldBuilders<Place>();

const placeDocument = defineDocument(
  'place',
  {
    name: text((place) => place.name, { required: true, description: 'Unique.' }),
    title: text((place) => place.title),
    open: flag((place) => place.open),
    metadata: map((place) => place.metadata),
    created: timestamp((place) => place.createdAtMs),
    rooms: collectionLink((place) => ['places', place.name, 'rooms']),
  },
  { title: (place) => `Place ${place.name}` },
);

const limits = { maxDepth: 20, maxNodes: 1000 };

function read(body: string, purpose: 'create' | 'change' = 'change') {
  const input = body.startsWith('<') ? inputFromXml(body, limits) : inputFromJson(body, limits);
  return placeDocument.read(input, purpose, () => {});
}

describe('document input', () => {
  it.each([
    ['nothing', '<place/>', {}],
    ['nothing', '{"place":{}}', {}],
    ['nothing', '{"place":""}', {}],
    ['nothing', '{"place":null}', {}],
    ['text', '<place><name>a</name></place>', { name: 'a' }],
    ['text', '{"place":{"name":"a"}}', { name: 'a' }],
    ['text in a list of one', '{"place":{"name":["a"]}}', { name: 'a' }],
    ['text beside an attribute', '<place><name lang="en">a</name></place>', { name: 'a' }],
    ['text, as JSON writes that', '{"place":{"name":{"@lang":"en","$":"a"}}}', { name: 'a' }],
    ['a number as text', '{"place":{"name":1.10}}', { name: '1.10' }],
    ['a boolean as text', '{"place":{"name":true}}', { name: 'true' }],
    ['empty text', '<place><title/></place>', { title: '' }],
    ['empty text', '{"place":{"title":""}}', { title: '' }],
    ['space in text', '<place><title> a\n</title></place>', { title: ' a\n' }],
    ['a null', '{"place":{"title":null}}', { title: null }],
    [
      'a nil',
      '<place xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><title xsi:nil="true"/></place>',
      {
        title: null,
      },
    ],
    ['a flag', '{"place":{"open":true}}', { open: true }],
    ['a flag as text', '{"place":{"open":"FALSE"}}', { open: false }],
    ['a flag in XML', '<place><open> True </open></place>', { open: true }],
    ['a cleared flag', '{"place":{"open":null}}', { open: null }],
    ['a map', '{"place":{"metadata":{"a":"1"}}}', { metadata: { a: '1' } }],
    ['an empty map', '<place><metadata/></place>', { metadata: {} }],
    ['a cleared map', '{"place":{"metadata":null}}', { metadata: null }],
    ['a prefixed root', '<p:place xmlns:p="urn:x"><p:name>a</p:name></p:place>', { name: 'a' }],
    ['unknown fields', '{"place":{"name":"a","size":3,"nested":{"deep":[1]}},"other":1}', { name: 'a' }],
    ['read-only fields', '{"place":{"created":"yesterday","rooms":"http://x"}}', {}],
  ])('can contain %s: %s', (_case, body, expected) => {
    expect(read(body)).toEqual(expected);
  });

  it.each([
    [
      'another root',
      '<palace/>',
      "Unexpected document type. Expected a 'place' document, but the body contains 'palace'.",
    ],
    ['several roots', '{"a":1,"b":2}', "but the body contains 'a', 'b'."],
    ['many roots', '{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6}', "but the body contains 'a', 'b', 'c', 'd', 'e'."],
    ['a root that is far too long', `{"${'x'.repeat(1000)}":1}`, `contains '${'x'.repeat(40)}…'.`],
    ['no root', '{}', 'but the body contains no fields.'],
    ['a list', '[{"place":{}}]', 'but the body contains a list.'],
    ['a list of roots', '{"place":[{},{}]}', "but the body contains 2 'place' documents."],
    ['an empty list of roots', '{"place":[]}', "Expected a 'place' document, but the body contains an empty list."],
    ['a text', '"place"', 'but the body contains a plain value.'],
    ['a null', 'null', 'but the body contains a plain value.'],
    ['a root with text only', '<place>a</place>', "but the body contains a 'place' without fields."],
    ['a root with text only', '{"place":"a"}', "but the body contains a 'place' without fields."],
  ])('is rejected for %s', (_case, body, message) => {
    expect(() => read(body)).toThrow(
      expect.objectContaining({ code: 'document-root', message: expect.stringContaining(message) }),
    );
  });

  it.each([
    [
      'two names',
      '<place><name>a</name><name>b</name></place>',
      'place.name: text was expected, but a list of 2 values',
    ],
    ['a list in a list', '{"place":{"name":[["a"]]}}', 'place.name: text was expected, but a list was found'],
    ['an object', '{"place":{"name":{"first":"a"}}}', 'place.name: text was expected, but an object was found'],
    ['no value', '{"place":{"name":[]}}', 'place.name: text was expected, but a list of 0 values'],
    ['a control character', '{"place":{"title":"a\\u0007"}}', 'place.title: it contains a control character'],
    ['an invalid flag', '{"place":{"open":"ajar"}}', "place.open: true or false was expected, but 'ajar' was found"],
    ['an empty flag', '<place><open/></place>', "place.open: true or false was expected, but '' was found"],
    ['a flag that is far too long', `{"place":{"open":"${'x'.repeat(9999)}"}}`, `but '${'x'.repeat(40)}…' was found`],
    ['an invalid map', '{"place":{"metadata":"x"}}', 'place.metadata: keys with values were expected'],
  ])('is rejected for %s with the field path', (_case, body, message) => {
    expect(() => read(body)).toThrow(
      expect.objectContaining({ code: 'document-invalid', message: expect.stringContaining(message) }),
    );
  });

  it('requires its required fields on create, but not on change', () => {
    expect(() => read('<place/>', 'create')).toThrow('place.name: is required');
    expect(() => read('{"place":{"name":null}}', 'create')).toThrow('place.name: is required');
    expect(read('<place><name/></place>', 'create')).toEqual({ name: '' });
    expect(read('<place/>', 'change')).toEqual({});
  });

  it('reports all errors together, up to a limit', () => {
    const values = Array.from({ length: 500 }, (_, index) => `"k${index}":{"a":{"b":1}}`);

    expect(() => read('{"place":{"open":"x","metadata":"y"}}', 'create')).toThrow(
      expect.objectContaining({
        details: {
          field: 'place.name',
          complaints: [
            { field: 'place.name', message: 'is required' },
            { field: 'place.open', message: "true or false was expected, but 'x' was found" },
            { field: 'place.metadata', message: expect.stringContaining('keys with values') },
          ],
        },
      }),
    );
    expect(() => read(`{"place":{"metadata":{${values.join(',')}}}}`)).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^.{0,2000}$/s) }),
    );
  });
});

describe('document output', () => {
  it('has its fields in order, without undefined ones', () => {
    const place = { name: 'a', open: true, metadata: {} };

    expect(placeDocument.write(place)).toEqual({
      root: 'place',
      title: 'Place a',
      node: {
        kind: 'object',
        members: [
          { name: 'name', node: { kind: 'value', value: 'a' } },
          { name: 'open', node: { kind: 'value', value: true } },
          { name: 'rooms', node: { kind: 'collectionLink', path: ['places', 'a', 'rooms'] } },
        ],
      },
    });
  });

  it('contains timestamps and maps if they exist', () => {
    const place = { name: 'a', title: '', open: false, metadata: { k: 'v' }, createdAtMs: 71 };
    const { node } = placeDocument.write(place);

    expect(node).toMatchObject({
      members: [
        { name: 'name' },
        { name: 'title', node: { value: '' } },
        { name: 'open' },
        { name: 'metadata', node: { kind: 'map', entries: [['k', 'v']] } },
        { name: 'created', node: { value: '1970-01-01 00:00:00.071 UTC' } },
        { name: 'rooms' },
      ],
    });
  });
});

it('a document has a schema', () => {
  expect(placeDocument.schema).toMatchObject({
    type: 'object',
    required: ['place'],
    properties: {
      place: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', description: 'Unique.' },
          open: { type: 'boolean' },
          created: { type: 'string', readOnly: true },
          rooms: { type: 'string', format: 'uri', readOnly: true },
        },
      },
    },
  });
});
