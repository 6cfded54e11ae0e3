/** Compares the properties of a feature type: names, types and their order. */
import type { Detail } from '../model/report.ts';
import type { SchemaProperty } from './read-schema.ts';

export function compareSchemas(old: readonly SchemaProperty[], renewed: readonly SchemaProperty[]): readonly Detail[] {
  const before = new Map(old.map(({ name, type }) => [name, type]));
  const after = new Map(renewed.map(({ name, type }) => [name, type]));
  const details: Pick<Detail, 'code' | 'message'>[] = [];
  for (const [name, type] of before) {
    const other = after.get(name);
    if (other === undefined) {
      details.push({ code: 'property-missing', message: `The new server lacks the property '${name}'.` });
    } else if (other !== type) {
      details.push({ code: 'type-differs', message: `Type of '${name}': old ${type}, new ${other}.` });
    }
  }
  for (const name of after.keys()) {
    if (!before.has(name)) {
      details.push({ code: 'property-extra', message: `Only the new server has the property '${name}'.` });
    }
  }
  const [oldOrder, newOrder] = [
    [...before.keys()].filter((name) => after.has(name)),
    [...after.keys()].filter((name) => before.has(name)),
  ].map((names) => names.join(', '));
  if (oldOrder !== newOrder) {
    details.push({ code: 'order-differs', message: `Order of properties: old ${oldOrder}; new ${newOrder}.` });
  }
  return details.map((each) => ({ check: 'schema', service: 'WFS', ...each }));
}
