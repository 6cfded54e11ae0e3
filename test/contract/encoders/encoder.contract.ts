/** The contract of all encoders: GDAL reads the output back as the original features. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FeatureCollection, FeatureEncoder } from '../../../src/formats/port/port.ts';
import type { Geometry } from '../../../src/geometry/geometry.ts';
import type { Value, ValueType } from '../../../src/vector/port/port.ts';
import { createCollection, encodeBytes, type MadeUpSet } from '../../support/feature-collections.ts';
import { runGdal } from '../../support/gdal.ts';
import { useTemporaryFolder } from '../../support/temporary-folder.ts';
import { describeWithTool } from '../../support/with-tool.ts';
import { plainGeometry, readPlainGeometry, samples } from './samples.ts';

export interface EncoderUnderTest {
  readonly title: string;
  readonly load: () => Promise<FeatureEncoder>;
  readonly fileExtension: string;
  /** The axis order of coordinates in the document, and the CRS name it contains. */
  readonly crsOf: (code: string) => Pick<MadeUpSet, 'crsName' | 'isNorthFirst'>;
  /** GDAL open options. */
  readonly openOptions?: readonly string[];
  /** GDAL configuration options. */
  readonly configuration?: Readonly<Record<string, string>>;
  /** Writes the sidecar files that GDAL reads. */
  readonly writeBeside?: (path: string, collection: FeatureCollection) => Promise<void>;
  /** Converts a name or value that the format cannot represent. */
  readonly nameOf?: (name: string) => string;
  readonly writtenValue?: (value: unknown, type: ValueType) => unknown;
  readonly geometryOf?: (geometry: Geometry) => Geometry | null;
  /** Names of samples that the format cannot store as one layer. */
  readonly leavesOut?: readonly string[];
  readonly path?: (path: string) => string;
  /** Whether the format changes the order of features. */
  readonly isSorted?: true;
}

interface ReadFeature {
  readonly geometry: object | null;
  readonly properties: Readonly<Record<string, unknown>>;
}

export function encoderContract(under: EncoderUnderTest): void {
  const {
    nameOf = (name: string) => name,
    writtenValue = (value: unknown) => value,
    geometryOf = (geometry: Geometry): Geometry | null => geometry,
  } = under;

  describeWithTool('gdal', `${under.title}, read by GDAL`, () => {
    const folder = useTemporaryFolder('encoders');

    for (const [title, sample] of Object.entries(samples)) {
      if (under.leavesOut?.includes(title)) continue;
      test(`GDAL reads ${title} unchanged`, async () => {
        const set: MadeUpSet = { ...sample.set, ...under.crsOf(sample.code) };
        const encoder = await under.load();
        const path = join(folder, `${title.replaceAll(/\W+/g, '-')}.${under.fileExtension}`);
        await writeFile(path, await encodeBytes(encoder, createCollection([set])));
        await under.writeBeside?.(path, createCollection([set]));

        const features = await readByGdal(under.path?.(path) ?? path, under);

        const expected = set.rows.map((values) => expectedFeature(set, values));
        const names = new Set(Object.keys(expected[0]?.properties ?? {}));
        const read = features.map((feature) => onlyNamed(feature, names));
        expect(under.isSorted ? inOneOrder(read) : read).toEqual(under.isSorted ? inOneOrder(expected) : expected);
      });
    }

    function expectedFeature({ attributes }: MadeUpSet, values: readonly (Value | Geometry)[]) {
      const place = attributes.findIndex(({ kind }) => kind === 'geometry');
      const geometry = place < 0 ? null : (values[place] as Geometry | null);
      const written = geometry === null ? null : geometryOf(geometry);
      return {
        geometry: written === null ? null : plainGeometry(written),
        properties: Object.fromEntries(
          attributes.flatMap((attribute, index) =>
            attribute.kind === 'geometry'
              ? []
              : [
                  [
                    nameOf(attribute.name),
                    writtenValue(plainValue(values[index] ?? null, attribute.type), attribute.type),
                  ],
                ],
          ),
        ),
      };
    }
  });
}

function inOneOrder<T>(features: readonly T[]): readonly T[] {
  return features.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

/** The geometry as GDAL prints it in GeoJSON. */
function plainValue(value: Value | Geometry, type: string): unknown {
  if (value instanceof Date) {
    const text = value.toISOString();
    return type === 'date' ? text.slice(0, 10) : text;
  }
  return typeof value === 'bigint' ? Number(value) : value;
}

async function readByGdal(
  path: string,
  { openOptions = [], configuration = {} }: EncoderUnderTest,
): Promise<readonly ReadFeature[]> {
  const text = await runGdal(
    'ogr2ogr',
    [
      ...['-f', 'GeoJSON', '/vsistdout/', path],
      ...['-lco', 'COORDINATE_PRECISION=15', '-lco', 'SIGNIFICANT_FIGURES=17', '-lco', 'RFC7946=NO'],
      ...openOptions.flatMap((option) => ['-oo', option]),
    ],
    { env: { OGR_WFS_PAGING_ALLOWED: 'NO', GDAL_HTTP_TIMEOUT: '1', ...configuration } },
  );
  return (JSON.parse(text) as { readonly features: readonly ReadFeature[] }).features;
}

/** GDAL adds ids and omits missing values; timestamps are compared as instants. */
function onlyNamed({ geometry, properties }: ReadFeature, names: ReadonlySet<string>) {
  return {
    geometry: geometry === null ? null : readPlainGeometry(geometry),
    properties: Object.fromEntries([...names].map((name) => [name, momentAsIso(properties[name] ?? null)])),
  };
}

function momentAsIso(value: unknown): unknown {
  const [, day, time] =
    (typeof value === 'string' ? /^(\d{4}[/-]\d\d[/-]\d\d)[T ](\d\d:\d\d:[\d.]+)/.exec(value) : null) ?? [];
  return day === undefined ? value : new Date(`${day.replaceAll('/', '-')}T${time}Z`).toISOString();
}
