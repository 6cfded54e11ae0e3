/** Creates GeoPackage tables with their catalogue entries. */
import type { DatabaseSync } from 'node:sqlite';
import { findCrs } from '../../crs/resolve-crs.ts';
import { quoteName } from '../../filter/sql/quote-sql.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Attribute, NewFeatureType } from '../port/port.ts';
import { createKeyName, validateAttributes } from '../support/new-table.ts';
import { getColumnType } from './columns.ts';
import { MAX_COLUMNS } from './open-file.ts';
import { addSystem } from './schema.ts';
import { addSpatialIndex } from './spatial-index.ts';
import { findTableKind, hasTable } from './table.ts';

type GeometryAttribute = Extract<Attribute, { kind: 'geometry' }>;

/** The CRS registration of a geometry, prepared before anything is written. */
interface CrsRegistration {
  /** Undefined for a CRS without a code. */
  readonly srsId: number | undefined;
  readonly name: string;
  readonly organization: string;
  readonly definition: string;
}

const NAME_BYTES = 200;

/** Prefixes that the format, SQLite and the spatial index reserve. */
const reserved = /^(?:gpkg_|rtree_|sqlite_)/i;

function refuseDefinition(type: NewFeatureType): void {
  const names = [type.name, ...type.attributes.map((each) => each.name)];
  const odd = names.find(
    (name) => name === '' || !name.isWellFormed() || /\p{Cc}/u.test(name) || Buffer.byteLength(name) > NAME_BYTES,
  );
  const reason =
    odd !== undefined
      ? `the name '${odd.slice(0, 100)}' is empty, longer than ${NAME_BYTES} bytes, or contains control characters`
      : reserved.test(type.name)
        ? 'names that begin with gpkg_, rtree_ or sqlite_ are reserved'
        : type.attributes.filter((each) => each.kind === 'geometry').length > 1
          ? 'a GeoPackage table can have only one geometry'
          : type.attributes.length >= MAX_COLUMNS
            ? `it has more than ${MAX_COLUMNS} columns, including its key`
            : validateAttributes(type.attributes, (name) => name.toLowerCase());
  if (reason !== undefined) throw problem('table-refused', { name: type.name.slice(0, 100), reason });
}

async function resolveRegistration(type: NewFeatureType): Promise<CrsRegistration | undefined> {
  const geometry = findGeometry(type);
  if (geometry === undefined || (geometry.crs.code === undefined && geometry.crs.wkt === undefined)) return undefined;
  const { code, wkt } = geometry.crs;
  if (code === undefined && wkt !== undefined) {
    // A definition without a code is stored unchanged under a file-specific number.
    const [, name = 'unnamed'] = /"([^"]{1,100})"/.exec(wkt) ?? [];
    return { srsId: undefined, name, organization: 'NONE', definition: wkt };
  }
  const definition = await findCrs(code ?? '');
  const [organization = '', number = ''] = definition?.code?.split(':') ?? [];
  if (definition === undefined || number === '') {
    throw problem('crs-unknown-to-database', {
      crs: geometry.crs.code ?? 'without a code',
      attribute: geometry.name,
    });
  }
  return { srsId: Number(number), name: definition.name, organization, definition: definition.wkt };
}

/** Requires a transaction on a standard file with its catalogue. */
export async function createTable(database: DatabaseSync, type: NewFeatureType): Promise<void> {
  refuseDefinition(type);
  const system = await resolveRegistration(type);
  refuseExistingTable(database, type.name);
  const geometry = findGeometry(type);
  const key = createKeyName(type.attributes);
  const columns = type.attributes.map(
    (each) =>
      `${quoteName(each.name)} ${each.kind === 'geometry' ? each.type.toUpperCase() : getColumnType(each)}${each.nillable ? '' : ' NOT NULL'}`,
  );
  const keyColumn = `${quoteName(key)} INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL`;
  database.exec(`CREATE TABLE ${quoteName(type.name)} (${[keyColumn, ...columns].join(', ')})`);
  const srsId = system === undefined ? 0 : registerSystem(database, system);
  database
    .prepare(
      `INSERT INTO gpkg_contents (table_name, data_type, identifier, srs_id) VALUES (?1, ?2,
       CASE WHEN EXISTS (SELECT 1 FROM gpkg_contents WHERE identifier = ?1) THEN NULL ELSE ?1 END, ?3)`,
    )
    .run(type.name, geometry === undefined ? 'attributes' : 'features', srsId);
  if (geometry === undefined) return;
  database
    .prepare('INSERT INTO gpkg_geometry_columns VALUES (?, ?, ?, ?, ?, ?)')
    .run(type.name, geometry.name, geometry.type.toUpperCase(), srsId, ...getAxisRules(geometry));
  addSpatialIndex(database, type.name, geometry.name, key);
}

/** Whether heights and measures are mandatory (1), prohibited (0) or optional (2), as for any geometry type. */
function getAxisRules({ type, dimension }: GeometryAttribute): readonly number[] {
  const without = type === 'Geometry' && dimension === 'XY' ? 2 : 0;
  return (['Z', 'M'] as const).map((axis) => (dimension.includes(axis) ? 1 : without));
}

function findGeometry(type: NewFeatureType): GeometryAttribute | undefined {
  return type.attributes.find((each) => each.kind === 'geometry');
}

/** Triggers on the catalogue would run inside the statements of this server; regular files have none. */
export function isUsualFile(database: DatabaseSync): boolean {
  const trigger = database
    .prepare(
      `SELECT 1 FROM sqlite_schema WHERE type = 'trigger' AND lower(tbl_name) IN
       ('gpkg_contents', 'gpkg_geometry_columns', 'gpkg_extensions', 'gpkg_spatial_ref_sys', 'gpkg_ogr_contents')`,
    )
    .get();
  return trigger === undefined && hasTable(database, 'gpkg_contents') && hasTable(database, 'gpkg_spatial_ref_sys');
}

export function refuseUnusualFile(database: DatabaseSync, name: string): void {
  if (!isUsualFile(database)) {
    throw problem('table-refused', { name, reason: 'the file has a nonstandard GeoPackage structure' });
  }
}

/** SQLite table names are case-insensitive. */
function refuseExistingTable(database: DatabaseSync, name: string): void {
  const taken = database
    .prepare(
      `SELECT 1 FROM sqlite_schema WHERE name = ?1 COLLATE NOCASE
       UNION ALL SELECT 1 FROM gpkg_contents WHERE table_name = ?1 COLLATE NOCASE`,
    )
    .get(name);
  if (taken !== undefined || findTableKind(database, name) !== undefined) throw problem('table-exists', { name });
}

function registerSystem(database: DatabaseSync, system: CrsRegistration): number {
  const { srsId, name, organization, definition } = system;
  const known =
    srsId === undefined
      ? database.prepare('SELECT srs_id FROM gpkg_spatial_ref_sys WHERE definition = ?').get(definition)
      : database
          .prepare(
            'SELECT srs_id FROM gpkg_spatial_ref_sys WHERE upper(organization) = ? AND organization_coordsys_id = ?',
          )
          .get(organization, srsId);
  if (known !== undefined) return Number(known['srs_id']);
  const isTaken =
    srsId === undefined ||
    database.prepare('SELECT 1 FROM gpkg_spatial_ref_sys WHERE srs_id = ?').get(srsId) !== undefined;
  const highest = database.prepare('SELECT max(srs_id) AS id FROM gpkg_spatial_ref_sys').get()?.['id'];
  const id = isTaken ? Math.max(100_000, Number(highest) + 1) : srsId;
  addSystem(database, { name, srsId: id, organization, code: srsId ?? id, definition });
  return id;
}
