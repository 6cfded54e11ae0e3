/** The rows of `filter-rows.ts` as features, for writable or generated sources. */
import type { Attribute, Feature } from '../../src/vector/port/port.ts';
import type { TestRow } from './filter-rows.ts';

const value = (name: string, type: Extract<Attribute, { kind: 'value' }>['type']): Attribute => ({
  name,
  nillable: true,
  kind: 'value',
  type,
});

export const rowAttributes: readonly Attribute[] = [
  value('name', 'string'),
  value('code', 'string'),
  value('pop', 'long'),
  value('area', 'double'),
  value('open', 'boolean'),
  value('time', 'timestamp'),
  value('until', 'timestamp'),
  { name: 'geom', nillable: true, kind: 'geometry', type: 'Geometry', dimension: 'XY', crs: { code: 'EPSG:4326' } },
  value('photo', 'bytes'),
];

export async function* rowFeatures(rows: readonly TestRow[]): AsyncGenerator<readonly Feature[]> {
  const moment = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));
  yield rows.map(({ id, name, code, pop, area, open, time, until, geom }) => ({
    id: String(id),
    values: [name, code, pop, area, open, moment(time), moment(until), geom, null],
  }));
}
