/** A data set with every type of value and geometry, for clients that read it through a service. */
import { column, geometryColumn, wkt } from './feature-collections.ts';
import type { PublishedTable } from './published-features.ts';

const day = (text: string): Date => new Date(`${text}T00:00:00Z`);

/** CRSs of both axis orders, in degrees and meters; ids follow the order of the rows. */
export const featureSamples: readonly PublishedTable[] = [
  {
    name: 'places',
    attributes: [
      geometryColumn('Point'),
      column('rank', 'integer'),
      column('name', 'string'),
      column('description', 'string'),
      column('height', 'double'),
      column('founded', 'date'),
      column('seen', 'timestamp'),
      column('open', 'boolean'),
    ],
    rows: [
      [
        wkt('POINT (7.4386 46.9511)'),
        1,
        'Bern',
        'a & b < c',
        540.25,
        day('1191-05-01'),
        new Date('2024-02-29T12:30:15Z'),
        true,
      ],
      [wkt('POINT (139.6917 35.6895)'), 2, '東京', 'two\nlines', -3.5, null, null, false],
      [wkt('POINT (-70.6693 -33.4489)'), 3, 'Santiago "de Chile"', null, null, day('1541-02-12'), null, null],
      [null, 4, 'nowhere', '', 0, null, null, true],
    ],
  },
  {
    name: 'tracks',
    attributes: [geometryColumn('LineString', 'EPSG:3035'), column('rank', 'integer'), column('surface', 'string')],
    rows: [
      [wkt('LINESTRING (4000000 2500000, 4000100.5 2500050.25, 4000200 2499999)'), 1, 'gravel'],
      [wkt('LINESTRING (4100000 2600000, 4100000 2600001)'), 2, null],
    ],
  },
  {
    name: 'parcels',
    attributes: [geometryColumn('Polygon', 'EPSG:2056'), column('rank', 'integer'), column('owner name', 'string')],
    rows: [
      [
        wkt(
          'POLYGON ((2600000 1200000, 2600100 1200000, 2600100 1200100, 2600000 1200100, 2600000 1200000), (2600010 1200010, 2600010 1200020, 2600020 1200020, 2600010 1200010))',
        ),
        1,
        'Größe',
      ],
    ],
  },
  {
    name: 'islands',
    attributes: [geometryColumn('MultiPolygon', 'EPSG:31467'), column('rank', 'integer')],
    rows: [
      [
        wkt(
          'MULTIPOLYGON (((3500000 5400000, 3500010 5400000, 3500010 5400010, 3500000 5400000)), ((3500100 5400100, 3500110 5400100, 3500110 5400110, 3500100 5400100)))',
        ),
        1,
      ],
    ],
  },
  {
    name: 'rivers',
    attributes: [geometryColumn('MultiLineString', 'EPSG:3857'), column('rank', 'integer')],
    rows: [[wkt('MULTILINESTRING ((0 0, 10 10), (20 20, 30 25.5))'), 1]],
  },
  {
    name: 'wells',
    attributes: [geometryColumn('MultiPoint', 'EPSG:2180'), column('rank', 'integer')],
    rows: [[wkt('MULTIPOINT ((500000 300000), (500010 300020))'), 1]],
  },
];
