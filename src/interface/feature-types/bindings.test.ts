import { describe, expect, it } from 'vitest';
import { geometryTypes } from '../../geometry/geometry.ts';
import { type Attribute, valueTypes } from '../../vector/port/port.ts';
import { getBinding, parseBinding } from './bindings.ts';

describe('bindings', () => {
  it.each(geometryTypes)('accept %s in the new package, in the old one, and by its name alone', (type) => {
    const attribute: Attribute = { name: 'g', nillable: true, kind: 'geometry', type, dimension: 'XY', crs: {} };

    expect(getBinding(attribute, 'database')).toBe(`org.locationtech.jts.geom.${type}`);
    for (const text of [`org.locationtech.jts.geom.${type}`, `com.vividsolutions.jts.geom.${type}`, ` ${type}\n`]) {
      expect(parseBinding(text)).toEqual({ kind: 'geometry', type });
    }
  });

  it.each(valueTypes)('return %s unchanged', (type) => {
    const attribute: Attribute = { name: 'v', nillable: true, kind: 'value', type };

    expect(parseBinding(getBinding(attribute, 'database'))).toEqual({ kind: 'value', type });
  });

  it('map file dates to the general date, which becomes a timestamp in a new table', () => {
    const day: Attribute = { name: 'd', nillable: true, kind: 'value', type: 'date' };

    expect(getBinding(day, 'file')).toBe('java.util.Date');
    expect(parseBinding('java.util.Date')).toEqual({ kind: 'value', type: 'timestamp' });
  });

  it.each([
    '',
    'java.lang.Runtime',
    'java.lang.string',
    'constructor',
    'org.locationtech.jts.geom.toString',
    '__proto__',
  ])('reject %j', (text) => {
    expect(parseBinding(text)).toBeUndefined();
  });
});
