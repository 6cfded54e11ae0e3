/** The formats of each kind and the positions from which they apply. */
import type { DatabaseSync } from 'node:sqlite';
import { readIntegerColumn, readTextColumn } from '../port/columns.ts';
import type { KindShape } from '../port/rows.ts';

/** Returns the formats of each kind, oldest first. */
export function readShapes(database: DatabaseSync): ReadonlyMap<string, readonly KindShape[]> {
  const rows = database
    .prepare('SELECT kind, since, body_version, key_names FROM kind_shapes ORDER BY kind, since', {
      returnArrays: true,
    })
    .all();
  const shapes = rows.map((row) => ({
    kind: readTextColumn(row[0]),
    shape: {
      since: readIntegerColumn(row[1]),
      bodyVersion: readIntegerColumn(row[2]),
      keyNames: JSON.parse(readTextColumn(row[3])) as readonly string[],
    },
  }));
  const byKind = Map.groupBy(shapes, ({ kind }) => kind);
  return new Map([...byKind].map(([kind, list]) => [kind, list.map(({ shape }) => shape)]));
}

/** Replaces a format that began at the same position, because nothing was written in it. */
export function writeShape(database: DatabaseSync, kind: string, shape: KindShape): void {
  database
    .prepare('INSERT OR REPLACE INTO kind_shapes (kind, since, body_version, key_names) VALUES (?, ?, ?, ?)')
    .run(kind, shape.since, shape.bodyVersion, JSON.stringify(shape.keyNames));
}
