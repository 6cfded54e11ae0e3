/** OWSLib reads every layer with the content of the source, in every version of WFS. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { isGeometry } from '../../src/formats/writing/writable-geometry.ts';
import type { Geometry } from '../../src/geometry/geometry.ts';
import type { Value, ValueType } from '../../src/vector/port/port.ts';
import { featureSamples } from '../support/feature-samples.ts';
import { publishTables } from '../support/published-features.ts';
import { useSocketClient } from '../support/socket-client.ts';
import { tools } from '../support/tools.ts';
import { describeWithTool } from '../support/with-tool.ts';

const run = promisify(execFile);

interface Found {
  readonly layers: Readonly<
    Record<
      string,
      {
        readonly properties: readonly string[] | null;
        readonly features: readonly (readonly [
          string,
          { readonly type: string; readonly coordinates: unknown } | null,
          Readonly<Record<string, unknown>>,
        ])[];
        readonly isGml: boolean;
      }
    >
  >;
}

function numbersIn(coordinates: unknown): readonly unknown[] {
  return Array.isArray(coordinates) ? coordinates.flat(10) : [];
}

function asJson(value: Value | Geometry | undefined, type: ValueType): unknown {
  if (!(value instanceof Date)) return value ?? null;
  return type === 'date' ? value.toISOString().slice(0, 10) : value.toISOString().replace('.000Z', 'Z');
}

describeWithTool('owslib', 'OWSLib as a WFS client', () => {
  const client = useSocketClient();

  beforeAll(() => publishTables(client.server, 'topo', featureSamples));

  it.each(['1.0.0', '1.1.0', '2.0.0'])('OWSLib reads every layer in version %s', async (version) => {
    const script = join(import.meta.dirname, 'python/read_wfs.py');
    const url = `http://127.0.0.1:${client.port}/geoserver/wfs`;

    const { stdout } = await run(tools.owslib.find() ?? 'python3', [script, url, version]);

    const { layers } = JSON.parse(stdout) as Found;
    expect(Object.keys(layers).sort()).toEqual(featureSamples.map(({ name }) => `topo:${name}`).sort());
    for (const { name, attributes, rows } of featureSamples) {
      const layer = layers[`topo:${name}`];
      const geometry = attributes.find(({ kind }) => kind === 'geometry');
      expect(layer?.isGml).toBe(true);
      expect(layer?.features.map(([id]) => id)).toEqual(rows.map((_, index) => `${name}.${index + 1}`));
      expect(layer?.features[0]?.[1]?.type).toBe(geometry?.type);
      expect(layer?.features.map(([, place, properties]) => [numbersIn(place?.coordinates), properties])).toEqual(
        rows.map((row) => [
          row.flatMap((value) => (isGeometry(value) ? [...value.ordinates] : [])),
          Object.fromEntries(
            attributes.flatMap((each, index) =>
              each.kind === 'value' ? [[each.name, asJson(row[index], each.type)]] : [],
            ),
          ),
        ]),
      );
      expect(layer?.properties).toEqual(
        attributes
          .filter(({ kind }) => kind === 'value')
          .map((each) => each.name.replaceAll(' ', '_x0020_'))
          .sort(),
      );
    }
  });
});
