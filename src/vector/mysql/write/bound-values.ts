/** Converts values of features to the forms that MySQL stores. */
import type { Geometry } from '../../../geometry/geometry.ts';
import { encodeWkb } from '../../../geometry/wkb-encode.ts';
import type { Value } from '../../port/port.ts';
import type { BoundValue } from '../../sql/session.ts';
import type { TableColumn } from '../../sql/table.ts';
import { isGeometry } from '../../support/match-columns.ts';

export function toBoundValue(value: Value | Geometry, content: TableColumn['content']): BoundValue {
  if (value === null) return null;
  if (isGeometry(value)) return encodeWkb(value);
  const type = content.kind === 'value' ? content.type : 'bytes';
  if (value instanceof Date) return formatMoment(value.toISOString(), type === 'date');
  if (type === 'timestamp' && typeof value === 'string') return formatMoment(value, false);
  if (typeof value === 'boolean') return value ? 1 : 0;
  // Whole numbers and decimals are sent as text, which the database reads without loss.
  return typeof value === 'bigint' || (typeof value === 'number' && type !== 'double' && type !== 'float')
    ? String(value)
    : value;
}

/** Years beyond 9999, which the database rejects, keep their sign. */
function formatMoment(iso: string, isDate: boolean): string {
  const [day = '', time = ''] = iso.replace(/Z$/, '').split('T');
  return isDate ? day : `${day} ${time}`;
}
