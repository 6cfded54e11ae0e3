import { describe, expect, it } from 'vitest';
import { createListWriter } from './listing.ts';

const places = createListWriter<{ readonly name: string; readonly favourite?: boolean }>('places', {
  itemName: 'place',
  title: 'Places',
  name: (place) => place.name,
  path: (place) => ['places', place.name],
  note: (place) => (place.favourite ? 'favourite' : undefined),
});

describe('list document', () => {
  it('contains the name and the link of each item', () => {
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

  it('lists names that equal another name plus an extension', () => {
    const { node } = places.write([{ name: 'a' }, { name: 'a.xml' }, { name: 'a.tif' }, { name: 'b.json' }]);

    expect(node).toMatchObject({ items: [{ siblings: ['a.xml'] }, {}, {}, {}] });
  });

  it('has a schema', () => {
    expect(places.schema.properties?.['places']?.properties?.['place']).toMatchObject({
      type: 'array',
      items: { required: ['name', 'href'] },
    });
  });
});
