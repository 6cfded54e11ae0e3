/** Formats values for tables. */
import type { Geometry } from '../../../../geometry/geometry.ts';
import type { Attribute, Value } from '../../../../vector/port/port.ts';

/** Longer texts are truncated. */
const MAX_TEXT = 500;

export function formatValue(value: Value | Geometry, attribute: Attribute): string {
  if (value === null) {
    return '';
  }
  if (value instanceof Date) {
    const moment = Number.isNaN(value.getTime()) ? '' : value.toISOString();
    return attribute.kind === 'value' && attribute.type === 'date' ? moment.slice(0, 10) : moment;
  }
  if (value instanceof Uint8Array) {
    return `${value.length} bytes`;
  }
  if (typeof value === 'object') {
    const positions = value.ordinates.length / value.dimension.length;
    return positions === 0 ? value.type : `${value.type}, ${positions} ${positions === 1 ? 'position' : 'positions'}`;
  }
  const shown = String(value);
  return shown.length > MAX_TEXT ? `${shown.slice(0, MAX_TEXT)}…` : shown;
}
