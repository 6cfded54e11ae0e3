/** Published tile matrix sets that are ready by name. The numbers are facts of the named publications. */
import type { Bounds } from '../../crs/bounds.ts';
import { MERCATOR_EDGE } from '../../crs/web-mercator.ts';
import { type GridDefinition, gridDefaults } from './grid-definition.ts';

/** Where the numbers come from. National grids can be replaced by own grid sets of the same name. */
type Publisher = 'OGC' | 'national';

export interface ReadyGrid {
  readonly definition: GridDefinition;
  readonly publisher: Publisher;
  /** Only sets of the OGC registry have one. */
  readonly uri?: string;
}

interface GridParameters {
  readonly epsg: number;
  /** Minimum x, minimum y, maximum x, maximum y. */
  readonly extent: readonly [number, number, number, number];
  /** The upper left corner, if it is outside the extent. */
  readonly origin?: readonly [x: number, y: number];
  readonly cellSizes: readonly number[];
  /** The number in the name of the first level. */
  readonly firstNumber?: number;
  readonly yCoordinateFirst?: boolean;
}

const halve = (first: number, levels: number): readonly number[] =>
  Array.from({ length: levels }, (_, level) => first / 2 ** level);

const mercatorSquare = [-MERCATOR_EDGE, -MERCATOR_EDGE, MERCATOR_EDGE, MERCATOR_EDGE] as const;
const world = [-180, -90, 180, 90] as const;
const upsSquare = [-14_440_759.350_252, -14_440_759.350_252, 18_440_759.350_252, 18_440_759.350_252] as const;
const METRES_PER_DEGREE = (2 * Math.PI * 6_378_137) / 360;

/** OGC 17-083r2 and r4, annex D. */
function listQuads(): readonly (readonly [id: string, title: string, parameters: GridParameters])[] {
  const utm = Array.from({ length: 60 }, (_, index) => {
    const zone = String(index + 1).padStart(2, '0');
    const parameters = {
      epsg: 32_601 + index,
      extent: [-9_501_965.729_312_76, -20_003_931.458_625_5, 10_501_965.729_312_8, 20_003_931.458_625_5],
      cellSizes: halve(20_003_931.458_625_5 / 256, 24),
      firstNumber: 1,
    } as const;
    return [`UTM${zone}WGS84Quad`, `UTM zone ${index + 1} for the World`, parameters] as const;
  });
  return [
    [
      'WorldMercatorWGS84Quad',
      'World Mercator (WGS 84) for the World',
      { epsg: 3395, extent: mercatorSquare, cellSizes: halve((2 * MERCATOR_EDGE) / 256, 25) },
    ],
    [
      'EuropeanETRS89_LAEAQuad',
      'ETRS89 Lambert azimuthal equal area for Europe',
      { epsg: 3035, extent: [2_000_000, 1_000_000, 6_500_000, 5_500_000], cellSizes: halve(17_578.125, 16) },
    ],
    [
      'CanadianNAD83_LCC',
      'NAD83 Lambert conformal conic for Canada',
      {
        epsg: 3978,
        extent: [-7_786_476.885_838_887, -5_153_821.092_136_78, 7_148_753.233_541_353, 7_928_343.534_071_138],
        origin: [-34_655_800, 39_310_000],
        // Round scales at 96 pixels per inch.
        cellSizes: [
          ...[145e6, 85e6, 50e6, 30e6, 17.5e6, 10e6, 6e6, 3.5e6, 2e6, 1.2e6, 700e3, 420e3, 250e3],
          ...[145e3, 85e3, 50e3, 30e3, 17.5e3, 10e3, 6e3, 3.5e3, 2e3, 1.2e3, 700, 420, 250],
        ].map((scale) => scale * 0.000_264_583_862_501_058_35),
      },
    ],
    ...[
      ['UPSArcticWGS84Quad', 'Universal Polar Stereographic for the Arctic', 5041] as const,
      ['UPSAntarcticWGS84Quad', 'Universal Polar Stereographic for the Antarctic', 5042] as const,
    ].map(([id, title, epsg]) => {
      const cellSizes = halve((upsSquare[2] - upsSquare[0]) / 256, 25);
      return [id, title, { epsg, extent: upsSquare, cellSizes }] as const;
    }),
    ...utm,
  ];
}

/** OGC 07-057r7, annex E. */
function listScaleSets(): readonly (readonly [id: string, title: string, parameters: GridParameters])[] {
  const inDegrees = { epsg: 4326, extent: world, yCoordinateFirst: false };
  const minutes = [120, 60, 30, 20, 10, 5, 2, 1].map((each) => each / 60);
  const seconds = [30, 15, 5, 3, 1, 0.5, 0.3, 0.1, 0.03, 0.01].map((each) => each / 3600);
  const scales = [
    ...[500e6, 250e6, 100e6, 50e6, 25e6, 10e6, 5e6, 2.5e6, 1e6, 500e3, 250e3, 100e3, 50e3, 25e3],
    ...[10e3, 5e3, 2.5e3, 1e3, 500, 250, 100],
  ];
  return [
    ['GlobalCRS84Pixel', 'CRS84 with round pixel sizes', { ...inDegrees, cellSizes: [...minutes, ...seconds] }],
    [
      'GlobalCRS84Scale',
      'CRS84 with round scales',
      { ...inDegrees, cellSizes: scales.map((scale) => (scale * 0.000_28) / METRES_PER_DEGREE) },
    ],
    ['GoogleCRS84Quad', 'CRS84 with the scales of Google Maps', { ...inDegrees, cellSizes: halve(360 / 256, 19) }],
  ];
}

/** The tile services of mapping agencies. */
const nationalGrids: readonly (readonly [id: string, title: string, parameters: GridParameters])[] = [
  [
    'EPSG:2056',
    // WMTS of the Federal Office of Topography, geo.admin.ch.
    'Switzerland, LV95, as swisstopo',
    {
      epsg: 2056,
      extent: [2_420_000, 1_030_000, 2_900_000, 1_350_000],
      cellSizes: [
        ...[4000, 3750, 3500, 3250, 3000, 2750, 2500, 2250, 2000, 1750, 1500, 1250, 1000, 750, 650],
        ...[500, 250, 100, 50, 20, 10, 5, 2.5, 2, 1.5, 1, 0.5, 0.25, 0.1],
      ],
    },
  ],
  [
    'EPSG:25832',
    // WMTS profile of the surveying authorities (AdV), DE_EPSG_25832_ADV.
    'Germany, ETRS89 / UTM zone 32N, as AdV',
    {
      epsg: 25_832,
      extent: [-46_133.17, 5_048_875.268_575_67, 1_206_211.101_424_33, 6_301_219.54],
      cellSizes: halve(4891.969_810_251_28, 16),
    },
  ],
  [
    'EPSG:27700',
    // OS Maps API of Ordnance Survey.
    'Great Britain, British National Grid, as Ordnance Survey',
    { epsg: 27_700, extent: [-238_375, 0, 900_000, 1_376_256], cellSizes: halve(896, 14) },
  ],
  [
    'EPSG:28992',
    // Tiling guideline of Geonovum, used by PDOK.
    'Netherlands, RD New, as PDOK',
    { epsg: 28_992, extent: [-285_401.92, 22_598.08, 595_401.92, 903_401.92], cellSizes: halve(3440.64, 17) },
  ],
  [
    'EPSG:3006',
    // Topowebb of Lantmäteriet.
    'Sweden, SWEREF99 TM, as Lantmäteriet',
    { epsg: 3006, extent: [-1_200_000, 4_305_696, 2_994_304, 8_500_000], cellSizes: halve(4096, 14) },
  ],
  [
    'EPSG:3067',
    // JHS 180, used by Maanmittauslaitos.
    'Finland, ETRS-TM35FIN, as Maanmittauslaitos',
    { epsg: 3067, extent: [-548_576, 6_291_456, 1_548_576, 8_388_608], cellSizes: halve(8192, 16) },
  ],
  [
    'EPSG:25833',
    // Cache of Kartverket, utm33n.
    'Norway, ETRS89 / UTM zone 33N, as Kartverket',
    { epsg: 25_833, extent: [-2_500_000, 3_500_000, 3_045_984, 9_045_984], cellSizes: halve(21_664, 19) },
  ],
];

/** The definitions of the sets that every layer offers, for documents. */
export function listDefaultGrids(): readonly ReadyGrid[] {
  const mercator = { epsg: 3857, extent: mercatorSquare, cellSizes: halve((2 * MERCATOR_EDGE) / 256, 25) };
  const degrees = { epsg: 4326, extent: world, cellSizes: halve(180 / 256, 25), yCoordinateFirst: false };
  return [
    toDefinition('WebMercatorQuad', 'Google Maps Compatible for the World', mercator),
    toDefinition('WorldCRS84Quad', 'CRS84 for the World', degrees),
  ].map((definition) => ({
    definition,
    publisher: 'OGC',
    uri: `http://www.opengis.net/def/tilematrixset/OGC/1.0/${definition.name}`,
  }));
}

/** All of them, without the default sets. Built on demand, because most servers need none. */
export function listReadyGrids(): readonly ReadyGrid[] {
  grids ??= [
    ...listQuads().flatMap(([id, title, parameters]) => {
      const uri = `http://www.opengis.net/def/tilematrixset/OGC/1.0/${id}`;
      const definition = toDefinition(id, title, parameters);
      return [{ definition, publisher: 'OGC', uri } as const, createTwin(definition)];
    }),
    ...listDefaultGrids().map(({ definition }) => createTwin(definition)),
    ...listScaleSets().map(([id, title, parameters]) => {
      return { definition: toDefinition(id, title, parameters), publisher: 'OGC' } as const;
    }),
    ...nationalGrids.map(([id, title, parameters]) => {
      return { definition: toDefinition(id, title, parameters), publisher: 'national' } as const;
    }),
  ];
  return grids;
}

let grids: readonly ReadyGrid[] | undefined;

function toDefinition(name: string, description: string, parameters: GridParameters): GridDefinition {
  const { epsg, cellSizes, firstNumber = 0, origin, yCoordinateFirst = null } = parameters;
  const [minX, minY, maxX, maxY] = parameters.extent;
  const extent = { minX, minY, maxX, maxY };
  const definition: GridDefinition = {
    ...gridDefaults,
    name,
    description,
    epsg,
    extent,
    alignTopLeft: true,
    scales: { kind: 'resolutions', values: cellSizes },
    scaleNames: cellSizes.map((_, level) => String(level + firstNumber)),
    yCoordinateFirst,
  };
  return origin === undefined ? definition : { ...definition, matrices: coverFrom(origin, extent, cellSizes) };
}

/** The tiles from a corner outside the extent to the opposite corner of the extent. */
function coverFrom(
  [originX, originY]: readonly [number, number],
  { maxX, minY }: Bounds,
  cellSizes: readonly number[],
): GridDefinition['matrices'] {
  const { tileWidth, tileHeight } = gridDefaults;
  return cellSizes.map((cellSize) => ({
    ...{ originX, originY, tileWidth, tileHeight },
    columns: Math.ceil((maxX - originX) / (cellSize * tileWidth)),
    rows: Math.ceil((originY - minY) / (cellSize * tileHeight)),
  }));
}

/** The same tiles with twice as many pixels in each direction, for screens of high resolution. */
function createTwin({ name, description, scales, matrices, ...others }: GridDefinition): ReadyGrid {
  const values = scales.kind === 'levels' ? [] : scales.values.map((value) => value / 2);
  const [tileWidth, tileHeight] = [others.tileWidth * 2, others.tileHeight * 2];
  return {
    publisher: 'OGC',
    definition: {
      ...others,
      name: `${name}x2`,
      description: `${description}, tiles of ${tileWidth} pixels`,
      scales: { kind: 'resolutions', values },
      matrices: matrices?.map((matrix) => ({ ...matrix, tileWidth, tileHeight })) ?? null,
      tileWidth,
      tileHeight,
    },
  };
}
