/** Thousands of types in one response: complete, with little memory, and without blocking other requests. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { column, geometryColumn } from '../../../test/support/feature-collections.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { layerKind } from '../../catalog/kinds/layer.ts';
import { writeXmlSchema } from '../../formats/gml/schema/xml-schema.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import type { Workspace } from '../../records/workspace.ts';
import { listLayerNames } from '../access/layer-candidates.ts';
import type { PublishedType } from '../access/published-type.ts';
import type { WfsContext } from './context/context.ts';
import { describeFeatureType } from './schema/describe-feature-type.ts';

const TYPES = 3_000;
const attributes = [geometryColumn('Point'), ...['name', 'code', 'note'].map((name) => column(name, 'string'))];

function typeIn(workspace: string, index: number): PublishedType {
  const name = `layer ${index}`;
  const namespace = `http://${workspace}`;
  const records = { store: {}, type: {}, layer: {}, workspace: {} };
  return { prefix: workspace, namespace, name, qualifiedName: `${workspace}:${name}`, attributes, records } as never;
}

const folder = useTemporaryFolder('many-types');
const scratch = `${folder}/scratch`;

/** Contains only what the operation uses. */
function contextOf(workspaces: readonly string[]): WfsContext {
  const { mkdirSync, rmSync } = process.getBuiltinModule('node:fs');
  return {
    address: 'http://localhost/geoserver/wfs',
    root: 'http://localhost/geoserver',
    signal: new AbortController().signal,
    services: {
      vectorData: { isMapping: () => false },
      encoding: {
        createFolder: async () => {
          mkdirSync(scratch);
          return { path: scratch, discard: async () => rmSync(scratch, { recursive: true }) };
        },
      },
    },
    featureAccess: {
      async *each() {
        for (const workspace of workspaces) {
          for (let index = 0; index < TYPES; index += 1) yield typeIn(workspace, index);
        }
      },
    },
  } as never;
}

const request = { kind: 'DescribeFeatureType', version: '2.0.0', typeNames: [] } as const;

async function textOf(body: Awaited<ReturnType<typeof describeFeatureType>>['body']): Promise<string> {
  if (typeof body === 'string') return body;
  const pieces: Buffer[] = [];
  for await (const piece of body as AsyncIterable<string | Uint8Array>) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces).toString();
}

describe('DescribeFeatureType of all types', () => {
  it('returns one schema per namespace, which is buffered in a file', async () => {
    const reply = await describeFeatureType(contextOf(['a']), request);
    const isInFile = existsSync(scratch);
    const text = await textOf(reply.body);
    reply.release?.();

    expect(isInFile).toBe(true);
    expect(text).toBe(
      writeXmlSchema(
        Array.from({ length: TYPES }, (_, index) => ({
          typeName: { prefix: 'a', uri: 'http://a', local: `layer ${index}` },
          description: { attributes },
        })),
        '3.2.1',
      ),
    );
    await expect.poll(() => existsSync(scratch)).toBe(false);
  });

  it('returns all types in JSON', async () => {
    const reply = await describeFeatureType(contextOf(['a']), { ...request, outputFormat: 'application/json' });
    const { featureTypes, targetPrefix } = JSON.parse(await textOf(reply.body));
    reply.release?.();

    expect(targetPrefix).toBe('a');
    expect(featureTypes).toHaveLength(TYPES);
    expect(featureTypes.at(-1)).toMatchObject({ typeName: `layer ${TYPES - 1}`, properties: { length: 4 } });
    await expect.poll(() => existsSync(scratch)).toBe(false);
  });

  it('imports the schemas of several namespaces from short addresses', async () => {
    const { body } = await describeFeatureType(contextOf(['a', 'b c']), request);

    expect(body).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n' +
        '<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" elementFormDefault="qualified">' +
        '<xsd:import namespace="http://a" schemaLocation="http://localhost/geoserver/a/wfs?service=WFS&amp;version=2.0.0&amp;request=DescribeFeatureType"/>' +
        '<xsd:import namespace="http://b c" schemaLocation="http://localhost/geoserver/b%20c/wfs?service=WFS&amp;version=2.0.0&amp;request=DescribeFeatureType"/>' +
        '</xsd:schema>',
    );
    expect(existsSync(scratch)).toBe(false);
  });
});

describe('names of very many layers', () => {
  it('are listed in order and once, without blocking other requests', async () => {
    const names = Array.from({ length: TYPES }, (_, index) => `layer ${String(index).padStart(5, '0')}`);
    const asked: number[] = [];
    const catalog = {
      async listKeyValues(kind: unknown, _key: string, { after = '', limit = 0 }) {
        expect(kind).toBe(layerKind);
        const found = names.map((name) => `w/${name}`).filter((key) => key > after);
        asked.push(limit);
        return found.slice(0, limit);
      },
    } as unknown as CatalogReader;
    let turns = 0;
    let isDone = false;
    const takeTurns = (): void => {
      turns += 1;
      if (!isDone) setImmediate(takeTurns);
    };
    takeTurns();

    const given: string[] = [];
    for await (const name of listLayerNames(catalog, { id: 'w' } as Workspace)) given.push(name);
    isDone = true;

    expect(given).toEqual(names);
    expect(Math.max(...asked)).toBeLessThanOrEqual(500);
    expect(turns).toBeGreaterThan(TYPES / 50);
  });
});
