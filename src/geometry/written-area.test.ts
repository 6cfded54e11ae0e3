import { expect, test } from 'vitest';
import { measureAreas, placeArea } from './written-area.ts';

const degrees = { code: 'EPSG:4326' };
const conic = { code: 'EPSG:3034' };
const area = { geometry: 'POLYGON ((-20 40, 40 40, 40 50, -20 50, -20 40))', crs: 'EPSG:4326' };

test('an area keeps its positions in its own CRS, also if that is a URN', async () => {
  const placed = await placeArea({ area: { ...area, crs: 'urn:ogc:def:crs:EPSG::4326' }, to: degrees });

  expect([...(placed?.ordinates ?? [])]).toEqual([-20, 40, 40, 40, 40, 50, -20, 50, -20, 40]);
});

test('edges follow their curves in another CRS', async () => {
  const placed = await placeArea({ area, to: conic });
  const count = (placed?.ordinates.length ?? 0) / 2;
  // Meridians stay straight; parallels become arcs.
  expect(count).toBeGreaterThan(100);
  expect(count).toBeLessThan(2_000);
  const lowest = Math.min(...(placed?.ordinates.filter((_, at) => at % 2 === 1) ?? []));
  const corner = await placeArea({
    area: { ...area, geometry: 'POLYGON ((10 40, 10.0001 40, 10 40.0001, 10 40))' },
    to: conic,
  });
  // The arc reaches its lowest point in the middle of the edge, 250 km below its ends.
  expect(lowest).toBeCloseTo(corner?.ordinates[1] ?? 0, -2);
});

test('a curve with a turning point in its middle is divided', async () => {
  const diagonal = { geometry: 'POLYGON ((-40 -80, 40 80, -40 80, -40 -80))', crs: 'EPSG:4326' };
  const placed = await placeArea({ area: diagonal, to: { code: 'EPSG:3857' } });

  expect((placed?.ordinates.length ?? 0) / 2).toBeGreaterThan(50);
});

test('an area has no place in an unknown CRS or outside of its domain', async () => {
  expect(await placeArea({ area, to: {} })).toBeNull();
  expect(await placeArea({ area: { ...area, crs: 'EPSG:999999' }, to: degrees })).toBeNull();
  expect(await measureAreas({ areas: [area], to: {} })).toBeUndefined();
});

test('the box of several areas contains all of them', async () => {
  const other = { geometry: 'POLYGON ((0 0, 111319.49 0, 0 111325.14, 0 0))', crs: 'EPSG:3857' };
  const box = await measureAreas({ areas: [area, other], to: degrees });

  expect([box?.minX, box?.maxX, box?.maxY]).toEqual([-20, 40, 50]);
  expect(box?.minY).toBeCloseTo(0, 6);
});
