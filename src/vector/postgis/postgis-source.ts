/** PostGIS behind the vector port: the tables and views of one schema. */
import { type FilterRunner, inlineFilterRunner } from '../../filter/run/filter-runner.ts';
import type { VectorSource } from '../port/port.ts';
import { openConnections } from './connection/connections.ts';
import type { PostgisSettings } from './connection/parameters.ts';
import { packRows } from './read/pack-rows.ts';
import { readTable, selectRows } from './read/read.ts';
import { computeRowBounds, countRows, estimateCount } from './read/summarise.ts';
import { computeStatistics } from './read/value-statistics.ts';
import { createVectorTile } from './read/vector-tile.ts';
import { describeTable } from './table/describe.ts';
import { listDetailedTables } from './table/detailed-tables.ts';
import { withQueryTable } from './table/query-table.ts';
import { findTable, listTables } from './table/table.ts';
import { startWriting } from './write/write-session.ts';

/** Connects on first use. */
export function openPostgis(settings: PostgisSettings, filterRunner: FilterRunner = inlineFilterRunner): VectorSource {
  const connections = openConnections(settings);
  const { schema } = settings;
  const place = { connections, settings, filterRunner };
  return {
    filters: true,
    listTypes: (signal) => connections.withClient(signal, (client) => listTables(client, schema)),
    listDetailedTypes: (signal) => connections.withClient(signal, (client) => listDetailedTables(client, schema)),
    describe: (name, signal) =>
      connections.withClient(signal, async (client) => {
        const table = await findTable(client, schema, name);
        return table === undefined ? undefined : describeTable(client, table, settings);
      }),
    describeView: (view, signal) =>
      connections.withClient(signal, (client) =>
        withQueryTable(client, view, (table) => describeTable(client, table, settings)),
      ),
    readView: (view, query, signal) => readTable(place, view, query, signal),
    read: (name, query, signal) => readTable(place, name, query, signal),
    select: (of, query, signal) => selectRows(place, of, query, signal),
    pack: (of, query, attributes, signal) => packRows(place, of, { query, attributes }, signal),
    countsAlong: true,
    count: (of, filter, signal) => countRows(place, of, filter, signal),
    estimateCount: (of, filter, signal) => estimateCount(place, of, filter, signal),
    bounds: (of, filter, signal) => computeRowBounds(place, of, filter, signal),
    computeStatistics: (of, request, signal) => computeStatistics(place, of, request, signal),
    tile: (of, tile, signal) => createVectorTile(place, of, tile, signal),
    startWriting: (signal) => startWriting(place, signal),
    connections: () => connections.getCounts(),
    isAwaited: () => connections.getCounts().waiting > 0,
    close: () => connections.close(),
  };
}
