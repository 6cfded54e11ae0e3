/** Compares two systems in all computed values, with tolerances for rounded numbers and different spellings. */
import type { Ellipsoid, GeographicCrs, ProjectedCrs } from './crs-model.ts';
import { listParameters, type ParameterName, type Projection } from './projection.ts';

/** About a centimetre on the ground. */
const ANGLE_DEGREES = 1e-7;
const LENGTH_METRES = 0.01;
const SCALE = 1e-9;

/** Compares everything but the datum, which is identified only by its name. */
export function haveSameFigure(a: GeographicCrs, b: GeographicCrs): boolean {
  return (
    areSameEllipsoid(a.ellipsoid, b.ellipsoid) &&
    isNear(a.primeMeridian.longitudeDegrees, b.primeMeridian.longitudeDegrees, 1e-6) &&
    isNear(a.unit.radians, b.unit.radians, 1e-9)
  );
}

export function areSameEllipsoid(a: Ellipsoid, b: Ellipsoid): boolean {
  return (
    isNear(a.semiMajorMetres, b.semiMajorMetres, LENGTH_METRES) &&
    isNear(a.inverseFlattening, b.inverseFlattening, 1e-4)
  );
}

/** Compares the projection and its unit; the base is compared separately. */
export function haveSameProjection(a: ProjectedCrs, b: ProjectedCrs): boolean {
  return isNear(a.unit.metres / b.unit.metres, 1, 1e-8) && areSameProjection(a.projection, b.projection);
}

function areSameProjection(a: Projection, b: Projection): boolean {
  if (a.method !== b.method) return false;
  const isSame = (name: ParameterName, other: ParameterName = name): boolean =>
    isNear(a.parameters[name] ?? 0, b.parameters[other] ?? 0, getTolerance(name));
  const names = listParameters(a.method);
  // The order of the two parallels is irrelevant.
  const areParallels = (isSame('lat_1') && isSame('lat_2')) || (isSame('lat_1', 'lat_2') && isSame('lat_2', 'lat_1'));
  return areParallels && names.every((name) => name === 'lat_1' || name === 'lat_2' || isSame(name));
}

function getTolerance(name: ParameterName): number {
  if (name === 'k_0') return SCALE;
  return name === 'x_0' || name === 'y_0' ? LENGTH_METRES : ANGLE_DEGREES;
}

function isNear(a: number, b: number, tolerance: number): boolean {
  return Math.abs(a - b) <= tolerance;
}

/** Removes differences between writers: case, spaces, underscores, the prefixes of Esri and remarks. */
export function normalizeCrsName(name: string): string {
  return name
    .replace(/^(?:GCS|D)_/, '')
    .replace(/ \(deprecated\)$/, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9+]/g, '');
}
