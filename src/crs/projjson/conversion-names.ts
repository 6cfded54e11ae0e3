/** The names and EPSG codes of projections and their parameters in PROJJSON. */
import type { ParameterName, Projection } from '../model/projection.ts';

export interface NamedMethod {
  readonly name: string;
  /** Its EPSG code; absent for methods that only PROJ names. */
  readonly code?: number;
  /** In the order of their definition. */
  readonly parameters: Readonly<Partial<Record<ParameterName, ParameterForm>>>;
}

export interface ParameterForm {
  readonly name: string;
  readonly code: number;
}

const form = (code: number, name: string): ParameterForm => ({ code, name });

const LATITUDE = form(8801, 'Latitude of natural origin');
const LONGITUDE = form(8802, 'Longitude of natural origin');
const PARALLEL = form(8823, 'Latitude of 1st standard parallel');
const EASTING = form(8806, 'False easting');
const NORTHING = form(8807, 'False northing');
const AZIMUTH = form(8813, 'Azimuth of initial line');

const MERIDIAN = { lon_0: LONGITUDE, x_0: EASTING, y_0: NORTHING };
const ORIGIN = { lat_0: LATITUDE, ...MERIDIAN };
const SCALED_MERIDIAN = {
  lon_0: LONGITUDE,
  k_0: form(8805, 'Scale factor at natural origin'),
  x_0: EASTING,
  y_0: NORTHING,
};
const SCALED = { lat_0: LATITUDE, ...SCALED_MERIDIAN };
const PARALLELS = {
  lat_0: form(8821, 'Latitude of false origin'),
  lon_0: form(8822, 'Longitude of false origin'),
  lat_1: PARALLEL,
  lat_2: form(8824, 'Latitude of 2nd standard parallel'),
  x_0: form(8826, 'Easting at false origin'),
  y_0: form(8827, 'Northing at false origin'),
};
const OBLIQUE = {
  lat_0: form(8811, 'Latitude of projection centre'),
  lon_0: form(8812, 'Longitude of projection centre'),
  alpha: AZIMUTH,
  gamma: form(8814, 'Angle from Rectified to Skew Grid'),
  k_0: form(8815, 'Scale factor on initial line'),
};

/** Returns undefined for a projection that PROJJSON cannot express in this form. */
export function findNamedMethod({ method, parameters }: Projection): NamedMethod | undefined {
  const { lat_ts = 0, k_0 = 1 } = parameters;
  switch (method) {
    case 'transverse mercator':
      return { name: 'Transverse Mercator', code: 9807, parameters: SCALED };
    case 'transverse mercator, south oriented':
      return { name: 'Transverse Mercator (South Orientated)', code: 9808, parameters: SCALED };
    case 'lambert conic, one parallel':
      return { name: 'Lambert Conic Conformal (1SP)', code: 9801, parameters: { lat_1: LATITUDE, ...SCALED_MERIDIAN } };
    case 'lambert conic, two parallels':
      return k_0 === 1 ? { name: 'Lambert Conic Conformal (2SP)', code: 9802, parameters: PARALLELS } : undefined;
    case 'mercator':
      if (lat_ts === 0)
        return { name: 'Mercator (variant A)', code: 9804, parameters: { lat_ts: LATITUDE, ...SCALED_MERIDIAN } };
      return { name: 'Mercator (variant B)', code: 9805, parameters: { lat_ts: PARALLEL, ...MERIDIAN } };
    case 'web mercator':
      return { name: 'Popular Visualisation Pseudo Mercator', code: 1024, parameters: ORIGIN };
    case 'polar stereographic':
      if (Math.abs(lat_ts) === 90)
        return {
          name: 'Polar Stereographic (variant A)',
          code: 9810,
          parameters: { lat_ts: LATITUDE, ...SCALED_MERIDIAN },
        };
      return {
        name: 'Polar Stereographic (variant B)',
        code: 9829,
        parameters: {
          lat_ts: form(8832, 'Latitude of standard parallel'),
          lon_0: form(8833, 'Longitude of origin'),
          x_0: EASTING,
          y_0: NORTHING,
        },
      };
    case 'stereographic':
      return { name: 'Stereographic', parameters: SCALED };
    case 'double stereographic':
      return { name: 'Oblique Stereographic', code: 9809, parameters: SCALED };
    case 'lambert azimuthal':
      return { name: 'Lambert Azimuthal Equal Area', code: 9820, parameters: ORIGIN };
    case 'albers':
      return { name: 'Albers Equal Area', code: 9822, parameters: PARALLELS };
    case 'cassini':
      return { name: 'Cassini-Soldner', code: 9806, parameters: ORIGIN };
    case 'polyconic':
      return { name: 'American Polyconic', code: 9818, parameters: ORIGIN };
    case 'equidistant cylindrical':
      return { name: 'Equidistant Cylindrical', code: 1028, parameters: { lat_ts: PARALLEL, ...ORIGIN } };
    case 'cylindrical equal area':
      return { name: 'Lambert Cylindrical Equal Area', code: 9835, parameters: { lat_ts: PARALLEL, ...MERIDIAN } };
    case 'oblique mercator, natural origin':
      return {
        name: 'Hotine Oblique Mercator (variant A)',
        code: 9812,
        parameters: { ...OBLIQUE, x_0: EASTING, y_0: NORTHING },
      };
    case 'oblique mercator, center':
    case 'swiss oblique mercator':
      return {
        name: 'Hotine Oblique Mercator (variant B)',
        code: 9815,
        parameters: {
          ...OBLIQUE,
          x_0: form(8816, 'Easting at projection centre'),
          y_0: form(8817, 'Northing at projection centre'),
        },
      };
    case 'new zealand map grid':
      return { name: 'New Zealand Map Grid', code: 9811, parameters: ORIGIN };
    case 'orthographic':
      return { name: 'Orthographic', code: 9840, parameters: ORIGIN };
    case 'equal earth':
      return { name: 'Equal Earth', code: 1078, parameters: MERIDIAN };
    case 'sinusoidal':
      return { name: 'Sinusoidal', parameters: MERIDIAN };
    case 'mollweide':
      return { name: 'Mollweide', parameters: MERIDIAN };
    case 'robinson':
      return { name: 'Robinson', parameters: MERIDIAN };
    default:
      return undefined;
  }
}
