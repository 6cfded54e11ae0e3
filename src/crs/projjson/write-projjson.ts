/** Writes a coordinate reference system as PROJJSON, with the axes of its authority. */
import {
  type CrsModel,
  DEGREE_RADIANS,
  type Ellipsoid,
  type GeographicCrs,
  type LinearUnit,
  type ProjectedCrs,
} from '../model/crs-model.ts';
import type { ParameterName } from '../model/projection.ts';
import type { CrsDefinition } from '../resolve-crs.ts';
import { findNamedMethod } from './conversion-names.ts';

type Json = Readonly<Record<string, unknown>>;

const SCHEMA = 'https://proj.org/schemas/v0.7/projjson.schema.json';

/** Returns undefined for systems that have no model or an unusual projection. */
export function writeProjJson({ model, axisOrder, code, name }: CrsDefinition): Json | undefined {
  const written = model && writeModel(model, axisOrder === 'north-east');
  if (written === undefined) return undefined;
  return { $schema: SCHEMA, ...written, name, ...writeId(code) };
}

function writeModel(model: CrsModel, isNorthFirst: boolean): Json | undefined {
  switch (model.kind) {
    case 'geographic':
      return { ...writeGeographic(model), coordinate_system: writeDegreeAxes(model, isNorthFirst) };
    case 'projected':
      return writeProjected(model, isNorthFirst);
    case 'geocentric':
      return undefined;
  }
}

function writeGeographic({ name, datum, ellipsoid, primeMeridian }: GeographicCrs): Json {
  const { longitudeDegrees: longitude } = primeMeridian;
  return {
    type: 'GeographicCRS',
    name,
    datum: {
      type: 'GeodeticReferenceFrame',
      // WKT 1 has names without spaces.
      name: datum === 'WGS_1984' ? 'World Geodetic System 1984' : datum.replaceAll('_', ' '),
      ellipsoid: writeEllipsoid(ellipsoid),
      ...(longitude === 0 ? {} : { prime_meridian: { name: primeMeridian.name, longitude } }),
    },
  };
}

function writeEllipsoid({ name, semiMajorMetres, inverseFlattening }: Ellipsoid): Json {
  // Zero means a sphere in WKT.
  return inverseFlattening === 0
    ? { name, radius: semiMajorMetres }
    : { name, semi_major_axis: semiMajorMetres, inverse_flattening: inverseFlattening };
}

function writeDegreeAxes({ unit }: GeographicCrs, isNorthFirst: boolean): Json {
  const isDegree = Math.abs(unit.radians - DEGREE_RADIANS) < 1e-12;
  const written = isDegree ? 'degree' : { type: 'AngularUnit', name: unit.name, conversion_factor: unit.radians };
  const axes = [
    { name: 'Geodetic longitude', abbreviation: 'Lon', direction: 'east', unit: written },
    { name: 'Geodetic latitude', abbreviation: 'Lat', direction: 'north', unit: written },
  ];
  return { subtype: 'ellipsoidal', axis: isNorthFirst ? axes.reverse() : axes };
}

function writeProjected(crs: ProjectedCrs, isNorthFirst: boolean): Json | undefined {
  const method = findNamedMethod(crs.projection);
  if (method === undefined) return undefined;
  const values = completeParameters(crs);
  const parameters = Object.entries(method.parameters).map(([key, { name, code }]) => ({
    name,
    value: values[key as ParameterName] ?? (key === 'k_0' ? 1 : 0),
    unit: key === 'k_0' ? 'unity' : key === 'x_0' || key === 'y_0' ? 'metre' : 'degree',
    id: { authority: 'EPSG', code },
  }));
  return {
    type: 'ProjectedCRS',
    name: crs.name,
    base_crs: {
      ...writeGeographic(crs.base),
      coordinate_system: writeDegreeAxes(crs.base, true),
      ...writeId(crs.base.code),
    },
    conversion: {
      name: crs.name,
      method: {
        name: method.name,
        ...(method.code === undefined ? {} : { id: { authority: 'EPSG', code: method.code } }),
      },
      parameters,
    },
    coordinate_system: writeMetreAxes(crs, isNorthFirst),
  };
}

/** Methods of the same form differ in the parameters that their definition leaves out. */
function completeParameters({ projection }: ProjectedCrs): Readonly<Partial<Record<ParameterName, number>>> {
  const { method, parameters } = projection;
  if (method === 'swiss oblique mercator') return { ...parameters, alpha: 90, gamma: 90 };
  return parameters;
}

function writeMetreAxes({ unit, projection }: ProjectedCrs, isNorthFirst: boolean): Json {
  const written = writeLength(unit);
  if (projection.method === 'transverse mercator, south oriented') {
    const axes = [
      { name: 'Westing', abbreviation: 'Y', direction: 'west', unit: written },
      { name: 'Southing', abbreviation: 'X', direction: 'south', unit: written },
    ];
    return { subtype: 'Cartesian', axis: axes };
  }
  const axes = [
    { name: 'Easting', abbreviation: 'E', direction: 'east', unit: written },
    { name: 'Northing', abbreviation: 'N', direction: 'north', unit: written },
  ];
  return { subtype: 'Cartesian', axis: isNorthFirst ? axes.reverse() : axes };
}

function writeLength({ name, metres }: LinearUnit): unknown {
  return metres === 1 ? 'metre' : { type: 'LinearUnit', name, conversion_factor: metres };
}

/** Some codes of authorities are texts. */
function writeId(identifier: string | undefined): Json {
  const [authority, code] = identifier?.split(':') ?? [];
  if (authority === undefined || code === undefined) return {};
  return { id: { authority, code: /^\d+$/.test(code) ? Number(code) : code } };
}
