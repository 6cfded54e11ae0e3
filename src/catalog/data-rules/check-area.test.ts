import { expect, test } from 'vitest';
import type { WorkerPool } from '../../workers/pool.ts';
import { checkAreaPolygon } from './check-area.ts';

function createStar(vertices: number): string {
  const positions = Array.from({ length: vertices }, (_, index) => {
    const [angle, radius] = [(index / vertices) * 2 * Math.PI, index % 2 === 0 ? 10 : 9];
    return `${radius * Math.cos(angle)} ${radius * Math.sin(angle)}`;
  });
  return `POLYGON ((${[...positions, positions[0]].join(', ')}))`;
}

test('only large polygons are checked in a thread', async () => {
  const ran: unknown[] = [];
  const workers: Pick<WorkerPool, 'run'> = {
    run: (task, input) => {
      ran.push(task.name);
      return Promise.resolve(task.work(input));
    },
  };
  const check = (geometry: string) => checkAreaPolygon({ geometry, crs: 'EPSG:4326', mode: 'clip' }, workers);

  await check(createStar(20));
  expect(ran).toEqual([]);
  await check(createStar(9_998));
  expect(ran).toEqual(['checkPolygon']);
  await expect(check(createStar(10_000))).rejects.toThrow('the polygon has more than 10000 vertices');
  await expect(check('POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))')).rejects.toThrow('the polygon is not valid');
});
