/** GDAL reads the geometries, layers, line types, blocks and attributes of DXF drawings. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { outputFormats } from '../../../src/formats/formats.ts';
import type { DxfOptions } from '../../../src/formats/port/port.ts';
import { encodingWorld } from '../../support/encoding-world.ts';
import {
  column,
  createCollection,
  encodeBytes,
  geometryColumn,
  type MadeUpSet,
  wkt,
} from '../../support/feature-collections.ts';
import { runGdal } from '../../support/gdal.ts';
import { useTemporaryFolder } from '../../support/temporary-folder.ts';
import { describeWithTool } from '../../support/with-tool.ts';

const sets: readonly MadeUpSet[] = [
  {
    name: 'Größen & more',
    attributes: [geometryColumn(), column('name', 'string'), column('n', 'integer')],
    isNorthFirst: true,
    rows: [
      [wkt('POINT (1 2)'), 'Zürich\n1', 1],
      [wkt('GEOMETRYCOLLECTION Z (POINT Z (5 6 0), LINESTRING Z (0 0 1, 1 1 2))'), null, 2],
      [null, 'nowhere', 3],
    ],
  },
  {
    name: 'areas',
    attributes: [geometryColumn('MultiPolygon')],
    rows: [[wkt('MULTIPOLYGON (((0 0, 9 0, 9 9, 0 0), (3 1, 4 1, 4 2, 3 1)), ((20 0, 21 0, 21 1, 20 0)))')]],
  },
];

describeWithTool('gdal', 'a DXF drawing, read by GDAL', () => {
  const folder = useTemporaryFolder('dxf');

  async function read(
    dxf: DxfOptions,
    { format = 'dxf', inline = 'TRUE' }: { format?: 'dxf' | 'dxf-zip'; inline?: 'TRUE' | 'FALSE' } = {},
  ): Promise<readonly string[]> {
    const encoder = await outputFormats[format].load(encodingWorld());
    const path = join(folder, `drawing.${outputFormats[format].fileExtension}`);
    await writeFile(path, await encodeBytes(encoder, createCollection(sets, { options: { decimals: 3, dxf } })));
    const text = await runGdal('ogrinfo', ['-ro', '-q', '-al', format === 'dxf' ? path : `/vsizip/${path}`], {
      env: { DXF_INLINE_BLOCKS: inline },
    });
    const shown = /^ {2}(?:(?:Layer|Linetype|Text|BlockName|Block) \(String\) = (.*)|((?:MULTI|GEOM|POINT|LINE).*))$/gm;
    return [...text.matchAll(shown)].map(([, value, geometry]) => value ?? geometry ?? '');
  }

  test.each(['dxf', 'dxf-zip'] as const)(
    '%s has a layer for each query, and an entity for each point and line',
    async (format) => {
      expect(await read({}, { format })).toEqual([
        ...['GRO_EN___MORE', 'POINT Z (1 2 0)', 'GRO_EN___MORE', 'POINT Z (5 6 0)'],
        ...['GRO_EN___MORE', 'LINESTRING Z (0 0 1,1 1 2)'],
        ...['AREAS', 'LINESTRING (0 0,9 0,9 9,0 0)', 'AREAS', 'LINESTRING (3 1,4 1,4 2,3 1)'],
        ...['AREAS', 'LINESTRING (20 0,21 0,21 1,20 0)'],
      ]);
    },
  );

  test('has the requested names of layers, and the values of each feature on a layer of their own', async () => {
    expect((await read({ layers: ['a', 'a'], hasAttributes: true })).slice(0, 6)).toEqual([
      ...['A', 'POINT Z (1 2 0)', 'A_ATTRIBUTES', 'Z\\U+00FCrich 1', 'POINT Z (1 2 0)', 'A_ATTRIBUTES'],
    ]);
  });

  test('has a block for each feature on request, which is inserted once', async () => {
    const inline = await read({ isAsBlocks: true });
    const blocks = await read({ isAsBlocks: true }, { inline: 'FALSE' });

    expect(inline.filter((each) => /\(/.test(each))).toEqual([
      'POINT Z (1 2 0)',
      expect.stringContaining('LINESTRING Z (0 0 1,1 1 2)'),
      'MULTILINESTRING ((0 0,9 0,9 9,0 0),(3 1,4 1,4 2,3 1),(20 0,21 0,21 1,20 0))',
    ]);
    expect(blocks.filter((each) => each.startsWith('FEATURE_'))).toEqual([
      'FEATURE_1',
      'FEATURE_2',
      'FEATURE_3',
      'FEATURE_1',
      'FEATURE_2',
      'FEATURE_3',
    ]);
  });

  test('has colours and line types in the order of the layers, and a handle for each object', async () => {
    const dxf = { colors: [1, 5], lineTypes: [{ name: 'dash dot', lengths: [0.5, -0.25, 0] }] };
    const encoder = await outputFormats.dxf.load(encodingWorld());
    const text = (
      await encodeBytes(
        encoder,
        createCollection(sets, { options: { decimals: 3, dxf: { ...dxf, isAsBlocks: true, hasAttributes: true } } }),
      )
    ).toString();

    expect(text).toContain(
      '2\nDASH_DOT\n70\n0\n3\n\n72\n65\n73\n3\n40\n0.75\n49\n0.5\n74\n0\n49\n-0.25\n74\n0\n49\n0\n74\n0\n',
    );
    expect(text).toContain('2\nAREAS\n70\n0\n62\n5\n6\nDASH_DOT\n');
    const handles = [...text.matchAll(/\n5\n([\dA-F]+)\n330\n/g)].map(([, handle]) => handle);
    expect(handles.length).toBeGreaterThan(40);
    expect(new Set(handles).size).toBe(handles.length);
  });
});
