/** Granules in the shared database as the source or the target of a copy, in one transaction. */
import type { PoolClient } from 'pg';
import { queryRows, readCursor } from '../database/access.ts';
import type { GranuleSchema } from '../port/port.ts';
import {
  createIndexTable,
  dropAllIndexTables,
  findIndexTable,
  formatListTable,
  listTypedColumns,
} from '../shared/index-tables.ts';
import type { CopiedGranules } from './copied-granules.ts';

export function openDatabaseGranules(client: PoolClient, schema: string): CopiedGranules {
  return {
    async listVersions() {
      const select = `SELECT mosaic, version, made_at_ms FROM ${formatListTable({ schema }, 'versions')} ORDER BY mosaic, version`;
      const rows = await queryRows(client, select, []);
      return rows.map(([mosaic, version, madeAtMs]) => [mosaic ?? '', Number(version), Number(madeAtMs)] as const);
    },
    async listIndexes() {
      const list = formatListTable({ schema }, 'indexes');
      const rows = await queryRows(client, `SELECT mosaic, schema FROM ${list} ORDER BY number`, []);
      return rows.map(([mosaic, index]) => {
        const place = { schema, mosaic: mosaic ?? '' };
        // The server wrote it.
        const granuleSchema = JSON.parse(index ?? '') as GranuleSchema;
        return {
          mosaic: place.mosaic,
          schema: granuleSchema,
          readRows: async function* () {
            const relation = (await findIndexTable(client, place, granuleSchema))?.relation ?? '';
            const select = `SELECT ${listColumns(granuleSchema).join(', ')} FROM ${relation} ORDER BY id`;
            yield* readCursor(client, select, []);
          },
        };
      });
    },
    clear: () => dropAllIndexTables(client, schema),
    async addVersions(versions) {
      const insert = `INSERT INTO ${formatListTable({ schema }, 'versions')} (mosaic, version, made_at_ms) VALUES ($1, $2, $3)`;
      for (const version of versions) await client.query(insert, [...version]);
    },
    async addIndex({ mosaic, schema: granuleSchema, readRows: rows }) {
      const place = { schema, mosaic };
      await createIndexTable(client, place, granuleSchema);
      const relation = (await findIndexTable(client, place, granuleSchema))?.relation ?? '';
      // An origin that equals the own id is equivalent to no origin.
      const columns = listColumns(granuleSchema).map((name) => (name === 'gid' ? 'origin' : name));
      const types = [
        'bigint',
        'bigint',
        'bigint',
        'bigint',
        ...listTypedColumns(granuleSchema).map(([, type]) => type),
      ];
      const given = columns.map((_, at) => `$${at + 1}::text[]`).join(', ');
      const casts = columns.map((name, at) => `given.${name}::${types[at]}`).join(', ');
      const insert = `INSERT INTO ${relation} (${columns.join(', ')}) OVERRIDING SYSTEM VALUE
        SELECT ${casts} FROM unnest(${given}) AS given(${columns.join(', ')})`;
      for await (const piece of rows()) {
        await client.query(
          insert,
          columns.map((_, at) => piece.map((row) => row[at] ?? null)),
        );
      }
      const next = `SELECT setval(pg_get_serial_sequence($1, 'id'), coalesce((SELECT max(id) FROM ${relation}), 0) + 1, false)`;
      await client.query(next, [relation]);
    },
  };
}

function listColumns(schema: GranuleSchema): readonly string[] {
  return ['id', 'gid', 'since', 'until', ...listTypedColumns(schema).map(([name]) => name)];
}
