import { expect, test } from 'vitest';
import { shareSchemas } from './shared-schemas.ts';

const box = {
  type: 'object',
  properties: {
    minx: { type: 'number' },
    miny: { type: 'number' },
    maxx: { type: 'number' },
    maxy: { type: 'number' },
  },
};

test('parts that several schemas share become components', () => {
  const shared = shareSchemas({
    Road: { type: 'object', properties: { native: box, geographic: box, name: { type: 'string' } } },
    River: { type: 'object', properties: { native: box } },
  });

  const reference = { $ref: '#/components/schemas/WithMinxMinyMaxxMaxy' };
  expect(shared).toEqual({
    Road: { type: 'object', properties: { native: reference, geographic: reference, name: { type: 'string' } } },
    River: { type: 'object', properties: { native: reference } },
    WithMinxMinyMaxxMaxy: box,
  });
});

test('annotations stay beside the reference', () => {
  const shown = { description: 'As it is shown.', readOnly: true, xml: { name: 'shown' } };

  const shared = shareSchemas({
    Road: { type: 'object', properties: { native: box } },
    River: { type: 'object', properties: { native: { ...box, ...shown } } },
  });

  expect(shared).toMatchObject({
    Road: { properties: { native: { $ref: '#/components/schemas/WithMinxMinyMaxxMaxy' } } },
    River: { properties: { native: { $ref: '#/components/schemas/WithMinxMinyMaxxMaxy', ...shown } } },
    WithMinxMinyMaxxMaxy: box,
  });
});

test('a part that equals a whole schema uses its name', () => {
  const list = { type: 'object', properties: { boxes: { type: 'array', items: box } } };
  const reference = { $ref: '#/components/schemas/Box' };

  expect(shareSchemas({ Box: box, Boxes: list, Extent: box })).toEqual({
    Box: box,
    Boxes: { type: 'object', properties: { boxes: { type: 'array', items: reference } } },
    Extent: reference,
  });
});

test('different parts with the same fields get different names', () => {
  const other = { ...box, required: ['minx'] };
  const schema = { type: 'object', properties: { a: box, b: other, c: { type: 'array', items: other }, d: box } };

  expect(shareSchemas({ Road: schema })).toEqual({
    Road: {
      type: 'object',
      properties: {
        a: { $ref: '#/components/schemas/WithMinxMinyMaxxMaxy' },
        b: { $ref: '#/components/schemas/WithMinxMinyMaxxMaxy2' },
        c: { type: 'array', items: { $ref: '#/components/schemas/WithMinxMinyMaxxMaxy2' } },
        d: { $ref: '#/components/schemas/WithMinxMinyMaxxMaxy' },
      },
    },
    WithMinxMinyMaxxMaxy: box,
    WithMinxMinyMaxxMaxy2: other,
  });
});
