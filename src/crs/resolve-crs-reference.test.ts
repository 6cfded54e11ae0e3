import { describe, expect, it } from 'vitest';
import { findCrs } from './resolve-crs.ts';
import { resolveCrsReference } from './resolve-crs-reference.ts';

const local = 'LOCAL_CS["Site",UNIT["metre",1]]';

describe('CRS reference of a database', () => {
  it.each([
    ['a known code, regardless of the WKT', { code: 'epsg:2154', wkt: local }, { code: 'EPSG:2154' }],
    ['the WKT of a code known only to the database', { code: 'OURS:12', wkt: local }, { wkt: local }],
    ['the code alone when the WKT is unreadable', { code: 'OURS:12', wkt: 'undefined' }, { code: 'OURS:12' }],
    ['the WKT when there is no code', { wkt: local }, { wkt: local }],
    ['an empty reference for an empty reference', {}, {}],
  ])('resolves to %s', async (_title, input, expected) => {
    expect(await resolveCrsReference(input)).toEqual(expected);
  });

  it('a code known only to the database resolves to the code that its WKT matches', async () => {
    const wkt = (await findCrs('EPSG:27700'))?.wkt ?? '';

    expect(await resolveCrsReference({ code: 'OURS:1', wkt })).toMatchObject({ code: 'EPSG:27700' });
  });
});
