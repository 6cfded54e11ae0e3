/** Units of the database in our representation: lengths in meters, angles in radians and degrees. */
import type { AngularUnit, LinearUnit } from '../../src/crs/model/crs-model.ts';
import { indexed, number, type ProjDatabase, text } from './proj-database.ts';

export interface Units {
  linear(code: string): LinearUnit;
  angular(code: string): AngularUnit;
  /** An angle in the unit, as degrees. */
  degrees(value: number, unit: string): number;
  /** The factor to meters, radians or unity. */
  factor(unit: string): number;
}

/** Digits before the point are degrees, the two after it minutes, and the rest seconds. */
const SEXAGESIMAL = 'EPSG:9110';
const DEGREE: AngularUnit = { name: 'degree', radians: 0.017_453_292_519_943_3 };

export function createUnits(database: ProjDatabase): Units {
  const units = indexed(database.rows('SELECT * FROM unit_of_measure'));
  const factor = (code: string): number => {
    const unit = units.get(code);
    if (unit === undefined) throw new Error(`There is no unit ${code}.`);
    return number(unit, 'conv_factor');
  };
  return {
    factor,
    linear: (code) => ({ name: text(units.get(code), 'name'), metres: factor(code) }),
    angular: (code) => {
      const name = text(units.get(code), 'name');
      // Degrees with minutes and seconds are a notation of degrees.
      return name.startsWith('degree') ? DEGREE : { name, radians: Number(factor(code).toPrecision(15)) };
    },
    degrees: (value, unit) => {
      if (unit === SEXAGESIMAL) return fromSexagesimal(value);
      if (text(units.get(unit), 'name').startsWith('degree')) return value;
      return Number(((value * factor(unit) * 180) / Math.PI).toPrecision(13));
    },
  };
}

function fromSexagesimal(value: number): number {
  const [whole = '0', fraction = ''] = Math.abs(value).toFixed(10).split('.');
  const minutes = Number(fraction.slice(0, 2));
  const seconds = Number(`${fraction.slice(2, 4)}.${fraction.slice(4)}`);
  const degrees = Number(whole) + minutes / 60 + seconds / 3600;
  return Number((Math.sign(value) * degrees).toPrecision(14));
}
