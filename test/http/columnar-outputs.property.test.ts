/**
 * GeoParquet and FlatGeobuf of random tables equal the GeoJSON of the same request in WFS and OGC API Features, as other
 * implementations read them, and contain nothing of attributes that a data rule hides.
 */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { findSqlType, type RandomColumn, type RandomTable, randomTables } from '../support/random-tables.ts';
import { type ReadFeature, readFlatgeobufByGdal, readGeojson, readGeoparquet } from '../support/read-columnar.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';
import { useTestServer } from '../support/test-server.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';
import { describeWithTool } from '../support/with-tool.ts';

/** Number of random tables; a longer campaign uses hundreds. */
const RUNS = Number(process.env['COLUMNAR_RUNS'] ?? 6);

const types = '/workspaces/acme/datastores/random/featuretypes';
const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Begins the texts of hidden attributes. */
const SECRET = 'hidden-secret-';

/** The addresses of the same features in three formats; any of them lists all features of small tables. */
const services = {
  WFS: (layer: string) => {
    const url = `//geoserver/wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=acme:${layer}&outputFormat=`;
    return { json: `${url}application/json`, fgb: `${url}flatgeobuf`, parquet: `${url}geoparquet` };
  },
  'OGC API Features': (layer: string) => {
    const url = `//geoserver/ogc/features/v1/collections/acme:${layer}/items?limit=1000&f=`;
    return { json: `${url}json`, fgb: `${url}fgb`, parquet: `${url}parquet` };
  },
} as const;

describeWithTool('gdal', 'columnar files', () => {
  describeWithPostgis('of random tables', (postgis) => {
    const server = useTestServer();
    const folder = useTemporaryFolder('columnar');
    let tables = 0;
    beforeAll(async () => {
      const { host, port, database, user, password } = postgis.connection;
      const connectionParameters = { dbtype: 'postgis', host, port, database, user, passwd: password };
      await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
      const dataStore = JSON.stringify({ dataStore: { name: 'random', connectionParameters } });
      const reply = await server.post('/workspaces/acme/datastores', dataStore);
      expect(reply.status, reply.text).toBe(201);
    });

    async function publish(name: string, { hasHeights, columns, geometries, rows, hidden }: RandomTable) {
      const list = columns.map((column) => `${quote(column.name)} ${findSqlType(column)}`).join(', ');
      const geometry = `geometry(Geometry${hasHeights ? 'Z' : ''}, 4326)`;
      await postgis.query(`CREATE TABLE ${name} (number integer PRIMARY KEY, rank integer, geom ${geometry}, ${list})`);
      const records = rows.map((row, index) => {
        const text = geometries[index];
        const record = columns.map((column, at) => {
          const isSecret = column.type === 'string' && hidden.includes(at);
          return [column.name, isSecret ? `${SECRET}${row[at]}` : row[at]];
        });
        return {
          number: index,
          rank: index,
          geom: text == null ? null : `SRID=4326;${text}`,
          ...Object.fromEntries(record),
        };
      });
      const insert = `INSERT INTO ${name} SELECT * FROM json_populate_recordset(NULL::${name}, $1)`;
      await postgis.query(insert, [JSON.stringify(records)]);
      const made = await server.post(
        types,
        JSON.stringify({ featureType: { name, nativeName: name, srs: 'EPSG:4326' } }),
      );
      expect(made.status, made.text).toBe(201);
      const attributes = Object.fromEntries(hidden.map((at) => [columns[at]?.name, 'hide']));
      const dataRule = { name, layer: `acme:${name}`, roles: ['ROLE_ANONYMOUS'], attributes };
      const rule = await server.post('/security/acl/data', JSON.stringify({ dataRule }));
      expect(rule.status, rule.text).toBe(201);
    }

    async function remove(name: string) {
      await server.delete(`/security/acl/data/${name}`);
      await server.delete(`${types}/${name}?recurse=true`);
      await postgis.query(`DROP TABLE IF EXISTS ${name}`);
    }

    async function get(path: string): Promise<Buffer> {
      const reply = await server.get(path, { as: null });
      expect(reply.status, reply.text.slice(0, 500)).toBe(200);
      return reply.bytes;
    }

    it('equal GeoJSON, and hide what data rules hide', async () => {
      await fc.assert(
        fc.asyncProperty(randomTables, async (table) => {
          tables += 1;
          const name = `random${tables}`;
          const rank: RandomColumn = { name: 'rank', type: 'integer' };
          const visible = [rank, ...table.columns.filter((_, at) => !table.hidden.includes(at))];
          try {
            await publish(name, table);
            for (const locate of Object.values(services)) {
              const urls = locate(name);
              const [json, parquet, flatgeobuf] = [await get(urls.json), await get(urls.parquet), await get(urls.fgb)];
              const expected = readGeojson(json.toString(), visible);
              expect(expected).toHaveLength(table.rows.length);
              expect(listNames(expected)).toEqual(expected.length === 0 ? [] : visible.map((each) => each.name).sort());
              expect(sort(await readGeoparquet(parquet, visible))).toEqual(sort(expected));
              const read = await readFlatgeobufByGdal(folder, flatgeobuf, visible);
              expect(sort(read)).toEqual(sort(expected.map(removeEmpty)));
              for (const file of [json, parquet, flatgeobuf]) expect(file.includes(SECRET)).toBe(false);
            }
          } finally {
            await remove(name);
          }
        }),
        { numRuns: RUNS },
      );
    });
  });
});

function listNames(features: readonly ReadFeature[]): readonly string[] {
  return [...new Set(features.flatMap(({ values }) => Object.keys(values)))].sort();
}

/** FlatGeobuf sorts features by place. */
function sort(features: readonly ReadFeature[]): readonly ReadFeature[] {
  return features.toSorted((one, other) => Number(one.values['rank']) - Number(other.values['rank']));
}

/** FlatGeobuf has no empty geometries. */
function removeEmpty(feature: ReadFeature): ReadFeature {
  return feature.geometry?.endsWith(' empty') ? { ...feature, geometry: null } : feature;
}
