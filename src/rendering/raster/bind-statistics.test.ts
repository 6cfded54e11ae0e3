import { expect, test } from 'vitest';
import { createUserStyle, never } from '../../../test/support/drawn-layers.ts';
import type { CoverageLayer } from '../request/map-request.ts';
import { bindStatistics } from './bind-statistics.ts';

const style = createUserStyle(
  `<Rule><RasterSymbolizer><ColorMap>${['minimum', 'maximum']
    .map((name) => `<ColorMapEntry color="#000000" quantity="\${gridCoverageStats('${name}')}"/>`)
    .join('')}</ColorMap></RasterSymbolizer></Rule>`,
);

const grid = {
  width: 2,
  height: 1,
  bounds: { minX: 0, minY: 0, maxX: 2, maxY: 1 },
  crs: { code: 'EPSG:4326' },
};

function createLayer(values: readonly number[], identify?: () => string | undefined) {
  const counts = { reads: 0 };
  const source = {
    name: 'relief',
    bands: [{ name: 'height' }],
    description: { grid },
    identify,
    read: async () => {
      counts.reads += 1;
      return { bands: [{ samples: Float64Array.from(values), mask: undefined }] };
    },
  };
  const layer = { kind: 'coverage', title: 'relief', style, source } as unknown as CoverageLayer;
  const bind = async () => {
    const bound = JSON.stringify((await bindStatistics(layer, never)).style);
    return values.every((value) => bound.includes(`\${${value}}`));
  };
  return { counts, bind };
}

test('reads the statistics of identified data once, and again for other data', async () => {
  const first = createLayer([10, 20], () => 'version 1');
  const second = createLayer([30, 40], () => 'version 2');

  const bound = [await first.bind(), await first.bind(), await second.bind(), await first.bind()];

  expect(bound).toEqual([true, true, true, true]);
  expect([first.counts.reads, second.counts.reads]).toEqual([1, 1]);
});

test('reads the statistics of data that can change without notice for each map', async () => {
  const layer = createLayer([10, 20], () => undefined);

  expect([await layer.bind(), await layer.bind()]).toEqual([true, true]);
  expect(layer.counts.reads).toBe(2);
});
