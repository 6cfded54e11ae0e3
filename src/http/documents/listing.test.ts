import { describe, expect, it } from 'vitest';
import { createListWriter } from './listing.ts';

const places = createListWriter<{ readonly name: string; readonly favourite?: boolean }>('places', {
  itemName: 'place',
  title: 'Places',
  name: (place) => place.name,
  path: (place) => ['places', place.name],
  note: (place) => (place.favourite ? 'favourite' : undefined),
});

describe('a listing', () => {
  it('names each item and says where it is', () => {
    expect(places.write([{ name: 'a' }, { name: 'b', favourite: true }])).toEqual({
      root: 'places',
      title: 'Places',
      node: {
        kind: 'list',
        itemName: 'place',
        items: [
          { kind: 'object', members: [{ name: 'name', node: { kind: 'value', value: 'a' } }], link: ['places', 'a'] },
          {
            kind: 'object',
            members: [{ name: 'name', node: { kind: 'value', value: 'b' } }],
            link: ['places', 'b'],
            note: 'favourite',
          },
        ],
      },
    });
  });

  it('warns of names that look like another one with an extension', () => {
    const { node } = places.write([{ name: 'a' }, { name: 'a.xml' }, { name: 'a.tif' }, { name: 'b.json' }]);

    expect(node).toMatchObject({ items: [{ siblings: ['a.xml'] }, {}, {}, {}] });
  });

  it('explains itself as a schema', () => {
    expect(places.schema.properties?.['places']?.properties?.['place']).toMatchObject({
      type: 'array',
      items: { required: ['name', 'href'] },
    });
  });
});
