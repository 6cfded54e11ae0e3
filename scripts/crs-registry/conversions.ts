/** Interprets the conversions of the database: the projection of each, and its parameters. */
import type { GeographicCrs, LinearUnit } from '../../src/crs/model/crs-model.ts';
import type { Projection } from '../../src/crs/model/projection.ts';
import { readProjection } from '../../src/crs/wkt/projection-spellings.ts';
import { toSouthWest } from '../../src/crs/wkt/read-crs.ts';
import { codeIn, indexed, type ProjDatabase, type Row, text } from './proj-database.ts';
import type { Units } from './units.ts';

export interface Conversion {
  readonly methodCode: string;
  readonly methodName: string;
  readonly parameters: readonly Parameter[];
}

interface Parameter {
  readonly code: string;
  readonly name: string;
  /** In degrees, meters, or without unit. */
  readonly value: number;
  readonly kind: string;
}

export interface Conversions {
  find(code: string): Conversion | undefined;
  /** Undefined for an unsupported projection. */
  projectionOf(conversion: Conversion, base: GeographicCrs, isSouthFirst: boolean): Projection | undefined;
}

/** The supported methods, by their names in well-known text. */
const METHODS: Readonly<Record<string, string>> = {
  'EPSG:1024': 'Popular_Visualisation_Pseudo_Mercator',
  'EPSG:1027': 'Lambert_Azimuthal_Equal_Area',
  'EPSG:1028': 'Equidistant_Cylindrical',
  'EPSG:1029': 'Equidistant_Cylindrical',
  'EPSG:1041': 'Krovak',
  'EPSG:1051': 'Lambert_Conformal_Conic_2SP',
  'EPSG:1078': 'Equal_Earth',
  'EPSG:1102': 'Lambert_Conformal_Conic_1SP',
  'EPSG:1111': 'Transverse_Mercator',
  'EPSG:1125': 'Azimuthal_Equidistant',
  'EPSG:9801': 'Lambert_Conformal_Conic_1SP',
  'EPSG:9802': 'Lambert_Conformal_Conic_2SP',
  'EPSG:9804': 'Mercator_1SP',
  'EPSG:9805': 'Mercator_2SP',
  'EPSG:9806': 'Cassini_Soldner',
  'EPSG:9807': 'Transverse_Mercator',
  'EPSG:9808': 'Transverse_Mercator_South_Orientated',
  'EPSG:9809': 'Oblique_Stereographic',
  'EPSG:9810': 'Polar_Stereographic',
  'EPSG:9811': 'New_Zealand_Map_Grid',
  'EPSG:9812': 'Hotine_Oblique_Mercator',
  'EPSG:9815': 'Hotine_Oblique_Mercator_Azimuth_Center',
  'EPSG:9818': 'Polyconic',
  'EPSG:9819': 'Krovak',
  'EPSG:9820': 'Lambert_Azimuthal_Equal_Area',
  'EPSG:9822': 'Albers_Conic_Equal_Area',
  'EPSG:9823': 'Equidistant_Cylindrical',
  'EPSG:9829': 'Polar_Stereographic_Variant_B',
  'EPSG:9830': 'Polar_Stereographic_Variant_B',
  'EPSG:9834': 'Cylindrical_Equal_Area',
  'EPSG:9835': 'Cylindrical_Equal_Area',
  'EPSG:9841': 'Mercator_1SP',
  'EPSG:9842': 'Equidistant_Cylindrical',
};

const PARAMETERS: Readonly<Record<string, string>> = {
  'EPSG:1036': 'azimuth',
  'EPSG:1038': 'scale_factor',
  'EPSG:8801': 'latitude_of_origin',
  'EPSG:8802': 'central_meridian',
  'EPSG:8805': 'scale_factor',
  'EPSG:8806': 'false_easting',
  'EPSG:8807': 'false_northing',
  'EPSG:8811': 'latitude_of_origin',
  'EPSG:8812': 'central_meridian',
  'EPSG:8813': 'azimuth',
  'EPSG:8814': 'rectified_grid_angle',
  'EPSG:8815': 'scale_factor',
  'EPSG:8816': 'false_easting',
  'EPSG:8817': 'false_northing',
  'EPSG:8819': 'scale_factor',
  'EPSG:8821': 'latitude_of_origin',
  'EPSG:8822': 'central_meridian',
  'EPSG:8823': 'standard_parallel_1',
  'EPSG:8824': 'standard_parallel_2',
  'EPSG:8826': 'false_easting',
  'EPSG:8827': 'false_northing',
  'EPSG:8832': 'standard_parallel_1',
  'EPSG:8833': 'central_meridian',
};

export function createConversions(database: ProjDatabase, units: Units): Conversions {
  const rows = indexed(database.rows('SELECT * FROM conversion'));
  const kinds = indexed(database.rows('SELECT auth_name, code, type FROM unit_of_measure'));

  const parameterOf = (row: Row, prefix: string): Parameter | undefined => {
    const value = row[`${prefix}_value`];
    if (typeof value !== 'number') return undefined;
    const unit = codeIn(row, `${prefix}_uom_`);
    const kind = text(kinds.get(unit), 'type');
    const converted =
      kind === 'angle'
        ? units.degrees(value, unit)
        : kind === 'length'
          ? Number((value * units.factor(unit)).toPrecision(15))
          : value;
    return { code: codeIn(row, `${prefix}_`), name: text(row, `${prefix}_name`), value: converted, kind };
  };

  return {
    find: (code) => {
      const row = rows.get(code);
      if (row === undefined) return undefined;
      const parameters = [1, 2, 3, 4, 5, 6, 7]
        .map((index) => parameterOf(row, `param${index}`))
        .filter((each) => each !== undefined);
      return { methodCode: codeIn(row, 'method_'), methodName: text(row, 'method_name'), parameters };
    },
    projectionOf: (conversion, base, isSouthFirst) => {
      const method = METHODS[conversion.methodCode];
      if (method === undefined) return undefined;
      const projection = readProjection(method, writtenParameters(conversion, base));
      return isSouthFirst && projection !== undefined ? toSouthWest(projection) : projection;
    },
  };
}

function writtenParameters({ methodCode, parameters }: Conversion, base: GeographicCrs): ReadonlyMap<string, number> {
  const parameter = (code: string): number => parameters.find((each) => each.code === code)?.value ?? 0;
  const written = new Map<string, number>();
  for (const { code, value } of parameters) {
    const name = PARAMETERS[code];
    if (name !== undefined) written.set(name, value);
  }
  // The parallel of the scale differs from the latitude of origin here.
  if (methodCode === 'EPSG:1102') {
    written.set('standard_parallel_1', parameter('EPSG:8801'));
    written.set('latitude_of_origin', parameter('EPSG:8821'));
  }
  // Northings start from the parallel instead of the pole.
  if (methodCode === 'EPSG:9830') {
    const parallel = parameter('EPSG:8832');
    const towardsPole = parallel < 0 ? -1 : 1;
    written.set('false_northing', Number((parameter('EPSG:8827') + towardsPole * radiusOf(parallel, base)).toFixed(4)));
  }
  return written;
}

/** The radius of a parallel on the ellipsoid. */
function radiusOf(parallel: number, { ellipsoid }: GeographicCrs): number {
  const flattening = 1 / ellipsoid.inverseFlattening;
  const squaredEccentricity = flattening * (2 - flattening);
  const radians = (parallel * Math.PI) / 180;
  return (ellipsoid.semiMajorMetres * Math.cos(radians)) / Math.sqrt(1 - squaredEccentricity * Math.sin(radians) ** 2);
}

/** An unsupported projection, in words that other programs may understand. */
export function conversionText(
  conversion: Conversion,
  name: string,
  base: string,
  unit: LinearUnit,
  code: string,
): string {
  const baseWithoutAxes = base.replace(/,AXIS\["[^"]*",\w+\]/g, '');
  const values = conversion.parameters.map(
    (each) =>
      `PARAMETER["${each.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')}",${each.kind === 'length' ? each.value / unit.metres : each.value}]`,
  );
  const [authority = '', number = ''] = code.split(':');
  return [
    `PROJCS["${name}"`,
    baseWithoutAxes,
    `PROJECTION["${conversion.methodName.replaceAll(' ', '_')}"]`,
    ...values,
    `UNIT["${unit.name}",${unit.metres}]`,
    `AUTHORITY["${authority}","${number}"]]`,
  ].join(',');
}
