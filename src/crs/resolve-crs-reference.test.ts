import { describe, expect, it } from 'vitest';
import { findCrs } from './resolve-crs.ts';
import { resolveCrsReference } from './resolve-crs-reference.ts';

const local = 'LOCAL_CS["Site",UNIT["metre",1]]';

describe('what a database says of a reference system', () => {
  it.each([
    ['a known code, whatever the text', { code: 'epsg:2154', wkt: local }, { code: 'EPSG:2154' }],
    ['the text of a code that only the database knows', { code: 'OURS:12', wkt: local }, { wkt: local }],
    ['such a code alone, where the text says nothing', { code: 'OURS:12', wkt: 'undefined' }, { code: 'OURS:12' }],
    ['a text without a code', { wkt: local }, { wkt: local }],
    ['nothing, where nothing is said', {}, {}],
  ])('is kept as %s', async (_title, said, kept) => {
    expect(await resolveCrsReference(said)).toEqual(kept);
  });

  it('is found again under the code that its text stands for', async () => {
    const wkt = (await findCrs('EPSG:27700'))?.wkt ?? '';

    expect(await resolveCrsReference({ code: 'OURS:1', wkt })).toMatchObject({ code: 'EPSG:27700' });
  });
});
