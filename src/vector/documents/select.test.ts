import { BSON } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { toIdentifiedDocument } from './bson-document.ts';
import { listNestedDocuments, selectAll, selectFirst, selectGeometry } from './select.ts';

const { root } = toIdentifiedDocument(
  BSON.deserialize(
    BSON.serialize({
      name: 'station 1',
      contact: { mail: 'a@b.c' },
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [4, 0],
            [4, 4],
            [0, 0],
          ],
          [
            [1, 1],
            [2, 1],
            [2, 2],
            [1, 1],
          ],
        ],
      },
      loc: [7, 8],
      tags: ['x', null, 'y'],
      measurements: [
        { name: 'temp', values: [{ value: 20 }, { value: 21 }] },
        { name: 'wind', values: [{ value: 155 }] },
        'odd',
      ],
    }),
    { promoteValues: false },
  ),
);

describe('values selected from a document', () => {
  it('returns the value at a path', () => {
    expect(selectFirst(root, 'contact.mail')).toBe('a@b.c');
    expect(selectFirst(root, '$.name')).toBe('station 1');
    expect(selectFirst(root, 'contact.phone.home')).toBeNull();
    expect(selectFirst(root, 'constructor')).toBeNull();
    expect(selectFirst(root, 'contact')).toBe('{"mail":"a@b.c"}');
  });

  it('returns the first of several values, or all of them', () => {
    expect(selectFirst(root, 'measurements.name')).toBe('temp');
    expect(selectAll(root, 'measurements.name')).toEqual(['temp', 'wind']);
    expect(selectAll(root, 'measurements.values.value')).toEqual([20, 21, 155]);
    expect(selectAll(root, 'tags')).toEqual(['x', 'y']);
    expect(selectFirst(root, 'measurements.1.name')).toBe('wind');
  });

  it('returns a geometry if the value is one', () => {
    expect(selectFirst(root, 'geometry')).toEqual({
      type: 'Polygon',
      dimension: 'XY',
      ordinates: Float64Array.of(0, 0, 4, 0, 4, 4, 0, 0, 1, 1, 2, 1, 2, 2, 1, 1),
      ends: [4, 8],
      parts: [],
    });
    expect(selectGeometry(root, 'loc')).toMatchObject({ type: 'Point', ordinates: Float64Array.of(7, 8) });
    expect(selectGeometry(root, 'name')).toBeNull();
  });

  it('returns the documents of a nested collection with their paths', () => {
    const measurements = listNestedDocuments(root, 'measurements');

    expect(measurements.map(({ key, document }) => [key, selectFirst(document, 'name')])).toEqual([
      ['measurements.0', 'temp'],
      ['measurements.1', 'wind'],
    ]);
    expect(
      measurements.flatMap(({ document }) => listNestedDocuments(document, 'values')).map(({ key }) => key),
    ).toEqual(['values.0', 'values.1', 'values.0']);
    expect(listNestedDocuments(root, 'contact').map(({ key }) => key)).toEqual(['contact']);
    expect(listNestedDocuments(root, 'measurements.values').map(({ key }) => key)).toEqual([
      'measurements.0.values.0',
      'measurements.0.values.1',
      'measurements.1.values.0',
    ]);
  });
});
