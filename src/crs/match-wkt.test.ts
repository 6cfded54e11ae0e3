import { describe, expect, test } from 'vitest';
import { esriDefinitions } from '../../test/support/esri-definitions.ts';
import { matchWkt } from './match-wkt.ts';

const GCS_WGS84 =
  'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';

async function codeOf(wkt: string): Promise<string | undefined> {
  return (await matchWkt(wkt)).code;
}

/** WKT from shapefiles of many programs and years. */
const found: readonly (readonly [what: string, code: string, wkt: string])[] = [
  ['WGS 84 from ArcGIS', 'EPSG:4326', GCS_WGS84],
  [
    'WGS 84 with axes from a Java program',
    'EPSG:4326',
    'GEOGCS["WGS84(DD)", \n  DATUM["WGS84", \n    SPHEROID["WGS84", 6378137.0, 298.257223563]], \n  PRIMEM["Greenwich", 0.0], \n  UNIT["degree", 0.017453292519943295], \n  AXIS["Geodetic longitude", EAST], \n  AXIS["Geodetic latitude", NORTH]]',
  ],
  [
    'WGS 84 with an unknown datum on its ellipsoid',
    'EPSG:4326',
    'GEOGCS["unknown",DATUM["D_Unknown_based_on_WGS84_ellipsoid",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]',
  ],
  [
    'Web Mercator',
    'EPSG:3857',
    `PROJCS["WGS_1984_Web_Mercator_Auxiliary_Sphere",${GCS_WGS84},PROJECTION["Mercator_Auxiliary_Sphere"],PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",0.0],PARAMETER["Standard_Parallel_1",0.0],PARAMETER["Auxiliary_Sphere_Type",0.0],UNIT["Meter",1.0]]`,
  ],
  [
    'Web Mercator as PROJ writes it',
    'EPSG:3857',
    `PROJCS["Pseudo-Mercator",${GCS_WGS84},PROJECTION["Mercator_1SP"],PARAMETER["central_meridian",0],PARAMETER["scale_factor",1],PARAMETER["false_easting",0],PARAMETER["false_northing",0],UNIT["metre",1],EXTENSION["PROJ4","+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m +nadgrids=@null +wktext +no_defs"]]`,
  ],
  [
    'a UTM zone under a custom name',
    'EPSG:32633',
    `PROJCS["My survey",${GCS_WGS84},PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",15.0],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]`,
  ],
  [
    'a UTM zone with the name of another zone',
    'EPSG:32633',
    `PROJCS["WGS_1984_UTM_Zone_32N",${GCS_WGS84},PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",15.0],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]`,
  ],
  [
    'Lambert-93 with its parallels swapped',
    'EPSG:2154',
    'PROJCS["RGF_1993_Lambert_93",GEOGCS["GCS_RGF_1993",DATUM["D_RGF_1993",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Lambert_Conformal_Conic"],PARAMETER["False_Easting",700000.0],PARAMETER["False_Northing",6600000.0],PARAMETER["Central_Meridian",3.0],PARAMETER["Standard_Parallel_1",44.0],PARAMETER["Standard_Parallel_2",49.0],PARAMETER["Latitude_Of_Origin",46.5],UNIT["Meter",1.0]]',
  ],
  [
    'Lambert-93 by its former name',
    'EPSG:2154',
    'PROJCS["RGF93 / Lambert-93",GEOGCS["RGF93",DATUM["Reseau_Geodesique_Francais_1993",SPHEROID["GRS 1980",6378137,298.257222101],TOWGS84[0,0,0,0,0,0,0]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Lambert_Conformal_Conic_2SP"],PARAMETER["standard_parallel_1",49],PARAMETER["standard_parallel_2",44],PARAMETER["latitude_of_origin",46.5],PARAMETER["central_meridian",3],PARAMETER["false_easting",700000],PARAMETER["false_northing",6600000],UNIT["metre",1]]',
  ],
  [
    'the British grid',
    'EPSG:27700',
    'PROJCS["British_National_Grid",GEOGCS["GCS_OSGB_1936",DATUM["D_OSGB_1936",SPHEROID["Airy_1830",6377563.396,299.3249646]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",400000.0],PARAMETER["False_Northing",-100000.0],PARAMETER["Central_Meridian",-2.0],PARAMETER["Scale_Factor",0.9996012717],PARAMETER["Latitude_Of_Origin",49.0],UNIT["Meter",1.0]]',
  ],
  [
    'New York in feet',
    'EPSG:2263',
    'PROJCS["NAD_1983_StatePlane_New_York_Long_Island_FIPS_3104_Feet",GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Lambert_Conformal_Conic"],PARAMETER["False_Easting",984250.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",-74.0],PARAMETER["Standard_Parallel_1",40.66666666666666],PARAMETER["Standard_Parallel_2",41.03333333333333],PARAMETER["Latitude_Of_Origin",40.16666666666666],UNIT["Foot_US",0.3048006096012192]]',
  ],
  [
    'Europe',
    'EPSG:3035',
    'PROJCS["ETRS_1989_LAEA",GEOGCS["GCS_ETRS_1989",DATUM["D_ETRS_1989",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Lambert_Azimuthal_Equal_Area"],PARAMETER["False_Easting",4321000.0],PARAMETER["False_Northing",3210000.0],PARAMETER["Central_Meridian",10.0],PARAMETER["Latitude_Of_Origin",52.0],UNIT["Meter",1.0]]',
  ],
  [
    'Finland with another datum name',
    'EPSG:3067',
    'PROJCS["EUREF_FIN_TM35FIN",GEOGCS["GCS_EUREF_FIN",DATUM["D_ETRS_1989",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",27.0],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]',
  ],
  [
    'South Africa with south and west oriented axes',
    'EPSG:2048',
    'PROJCS["Hartebeesthoek94_Lo19",GEOGCS["GCS_Hartebeesthoek_1994",DATUM["D_Hartebeesthoek_1994",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",19.0],PARAMETER["Scale_Factor",-1.0],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]',
  ],
  [
    'Czechia',
    'EPSG:5514',
    'PROJCS["S-JTSK_Krovak_East_North",GEOGCS["GCS_S_JTSK",DATUM["D_S_JTSK",SPHEROID["Bessel_1841",6377397.155,299.1528128]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Krovak"],PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],PARAMETER["Pseudo_Standard_Parallel_1",78.5],PARAMETER["Scale_Factor",0.9999],PARAMETER["Azimuth",30.28813975277778],PARAMETER["Longitude_Of_Center",24.83333333333333],PARAMETER["Latitude_Of_Center",49.5],PARAMETER["X_Scale",-1.0],PARAMETER["Y_Scale",1.0],PARAMETER["XY_Plane_Rotation",90.0],UNIT["Meter",1.0]]',
  ],
  [
    'the United States with an Esri code',
    'ESRI:102003',
    'PROJCS["USA_Contiguous_Albers_Equal_Area_Conic",GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Albers"],PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",-96.0],PARAMETER["Standard_Parallel_1",29.5],PARAMETER["Standard_Parallel_2",45.5],PARAMETER["Latitude_Of_Origin",37.5],UNIT["Meter",1.0]]',
  ],
  [
    'an unknown datum on a known ellipsoid',
    'EPSG:4024',
    'GEOGCS["GCS_Krasovsky_1940",DATUM["D_Krasovsky_1940",SPHEROID["Krasovsky_1940",6378245.0,298.3]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]',
  ],
  [
    'an unknown datum on a known ellipsoid as OGC writes it',
    'EPSG:4024',
    'GEOGCS["Unknown datum based upon the Krassowsky 1940 ellipsoid (deprecated)",DATUM["Not_specified_based_on_Krassowsky_1940_ellipsoid",SPHEROID["Krassowsky 1940",6378245,298.3]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]',
  ],
  [
    'WGS 84 with heights',
    'EPSG:4979',
    'GEOGCS["WGS_1984_3D",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433],LINUNIT["Meter",1.0]]',
  ],
  [
    'geocentric WGS 84',
    'EPSG:4978',
    'GEOCCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["metre",1],AXIS["Geocentric X",OTHER],AXIS["Geocentric Y",OTHER],AXIS["Geocentric Z",NORTH]]',
  ],
  [
    'Helsinki with its former datum name',
    'EPSG:3879',
    'PROJCS["ETRS_1989_GK25FIN",GEOGCS["GCS_ETRS_1989",DATUM["D_ETRS_1989",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",25500000.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",25.0],PARAMETER["Scale_Factor",1.0],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]',
  ],
  [
    'an unsupported projection that is known by name',
    'EPSG:6247',
    'PROJCS["MAGNA-SIRGAS / Bogota urban grid",GEOGCS["MAGNA-SIRGAS",DATUM["Marco_Geocentrico_Nacional_de_Referencia",SPHEROID["GRS 1980",6378137,298.257222101]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Colombia_Urban"],UNIT["metre",1]]',
  ],
  [
    'a compound CRS that has a code',
    'EPSG:7405',
    'COMPD_CS["OSGB36 / British National Grid + ODN height",PROJCS["OSGB36 / British National Grid",GEOGCS["OSGB36",DATUM["Ordnance_Survey_of_Great_Britain_1936",SPHEROID["Airy 1830",6377563.396,299.3249646]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",49],PARAMETER["central_meridian",-2],PARAMETER["scale_factor",0.9996012717],PARAMETER["false_easting",400000],PARAMETER["false_northing",-100000],UNIT["metre",1]],VERT_CS["ODN height",VERT_DATUM["Ordnance Datum Newlyn",2005],UNIT["metre",1]]]',
  ],
  [
    'a geographic CRS followed by a vertical CRS',
    'EPSG:4326',
    `${GCS_WGS84},VERTCS["EGM96_Geoid",VDATUM["EGM96_Geoid"],UNIT["Meter",1.0]]`,
  ],
  [
    'a compound CRS without a code',
    'EPSG:4326',
    `COMPD_CS["both",${GCS_WGS84},VERT_CS["up",VERT_DATUM["x",2005],UNIT["m",1]]]`,
  ],
  ['WKT with a byte order mark', 'EPSG:4326', `\uFEFF${GCS_WGS84}\r\n\0`],
];

describe('WKT matching', () => {
  test.for(found)('matches %s', async ([, code, wkt]) => {
    expect(await codeOf(wkt)).toBe(code);
  });

  test('returns the original WKT with the code', async () => {
    expect(await matchWkt(`  ${GCS_WGS84}\n`)).toEqual({ code: 'EPSG:4326', wkt: GCS_WGS84 });
  });

  test('returns the code that the WKT names', async () => {
    const named = GCS_WGS84.replace(/\]$/, ',AUTHORITY["EPSG","4258"]]');
    const second = 'GEOGCRS["any",DATUM["any",ELLIPSOID["e",6378137,298]],CS[ellipsoidal,2],ID["EPSG",4269]]';

    expect(await codeOf(named)).toBe('EPSG:4258');
    expect(await codeOf(second)).toBe('EPSG:4269');
  });

  test('matches by parameters when the WKT names an unknown code', async () => {
    expect(await codeOf(GCS_WGS84.replace(/\]$/, ',AUTHORITY["EPSG","999999"]]'))).toBe('EPSG:4326');
  });
});

describe('WKT without a matching code', () => {
  test.for([
    ['another meridian', (wkt: string) => wkt.replace('Central_Meridian",15.0', 'Central_Meridian",15.001')],
    ['another scale', (wkt: string) => wkt.replace('0.9996', '0.99961')],
    ['another unit', (wkt: string) => wkt.replace('UNIT["Meter",1.0]', 'UNIT["Foot",0.3048]')],
    ['another projection', (wkt: string) => wkt.replace('Transverse_Mercator', 'Cassini')],
    ['an unknown projection', (wkt: string) => wkt.replace('Transverse_Mercator', 'Flat_Polar_Sextic')],
    ['another ellipsoid', (wkt: string) => wkt.replace('298.257223563', '297.0')],
    ['another datum', (wkt: string) => wkt.replaceAll('WGS_1984"', 'Mars_2000"')],
  ] as const)('a definition with %s has no code and keeps its WKT', async ([, change]) => {
    const wkt = change(found.find(([what]) => what.startsWith('a UTM zone under a custom'))?.[2] ?? '');

    expect(await matchWkt(wkt)).toEqual({ wkt });
  });

  test.for(['', 'hello', 'hello[1]', '<xml/>', GCS_WGS84.slice(0, -5)])(
    'returns an empty reference for %j',
    async (text) => {
      expect(await matchWkt(text)).toEqual({});
    },
  );
});

/** By default a sample is checked; `GRATICULE_EVERY_CRS=1` checks all. */
const ESRI_STEP = process.env['GRATICULE_EVERY_CRS'] === '1' ? 1 : 8;

test('definitions that Esri publishes under an EPSG code match that code', async () => {
  const entries = esriDefinitions().filter((entry) => entry.authority === 'EPSG' && entry.deprecated === 'no');
  const sample = entries.filter((_, index) => index % ESRI_STEP === 0);
  const missed: string[] = [];
  for (const { wkid, wkt, name } of sample) {
    const hasHeights = wkt.includes('LINUNIT');
    if (hasHeights) continue;
    const code = await codeOf(wkt);
    if (code !== `EPSG:${wkid}`) missed.push(`${wkid} ${name}: ${code}`);
  }

  expect(entries.length).toBeGreaterThan(5_500);
  // The remaining ones are projections that only Esri has, and ten systems with different parameters.
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(Math.ceil(49 / ESRI_STEP));
});
