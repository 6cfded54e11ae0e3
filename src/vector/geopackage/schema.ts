/** The tables that make an SQLite file a GeoPackage. */
import type { DatabaseSync } from 'node:sqlite';

/** `GPKG`, which identifies the format. */
const APPLICATION_ID = 0x47504b47;
/** Version 1.3.0 of the format. */
const USER_VERSION = 10_300;

const statements = `
  CREATE TABLE gpkg_spatial_ref_sys (
    srs_name TEXT NOT NULL,
    srs_id INTEGER NOT NULL PRIMARY KEY,
    organization TEXT NOT NULL,
    organization_coordsys_id INTEGER NOT NULL,
    definition TEXT NOT NULL,
    description TEXT
  );
  CREATE TABLE gpkg_contents (
    table_name TEXT NOT NULL PRIMARY KEY,
    data_type TEXT NOT NULL,
    identifier TEXT UNIQUE,
    description TEXT DEFAULT '',
    last_change DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
    min_x DOUBLE,
    min_y DOUBLE,
    max_x DOUBLE,
    max_y DOUBLE,
    srs_id INTEGER,
    CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id)
  );`;

/** Optional tables of a GeoPackage. */
const optionalStatements = `
  CREATE TABLE IF NOT EXISTS gpkg_geometry_columns (
    table_name TEXT NOT NULL,
    column_name TEXT NOT NULL,
    geometry_type_name TEXT NOT NULL,
    srs_id INTEGER NOT NULL,
    z TINYINT NOT NULL,
    m TINYINT NOT NULL,
    CONSTRAINT pk_geom_cols PRIMARY KEY (table_name, column_name),
    CONSTRAINT uk_gc_table_name UNIQUE (table_name),
    CONSTRAINT fk_gc_tn FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name),
    CONSTRAINT fk_gc_srs FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id)
  );
  CREATE TABLE IF NOT EXISTS gpkg_extensions (
    table_name TEXT,
    column_name TEXT,
    extension_name TEXT NOT NULL,
    definition TEXT NOT NULL,
    scope TEXT NOT NULL,
    CONSTRAINT ge_tce UNIQUE (table_name, column_name, extension_name)
  );`;

const WGS_84 =
  'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,AUTHORITY["EPSG","7030"]],AUTHORITY["EPSG","6326"]],PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AXIS["Latitude",NORTH],AXIS["Longitude",EAST],AUTHORITY["EPSG","4326"]]';

/** The three rows that every GeoPackage requires. */
interface SpatialSystem {
  readonly name: string;
  readonly srsId: number;
  readonly organization: string;
  readonly code: number;
  readonly definition: string;
}

const requiredSystems: readonly SpatialSystem[] = [
  { name: 'Undefined Cartesian SRS', srsId: -1, organization: 'NONE', code: -1, definition: 'undefined' },
  { name: 'Undefined geographic SRS', srsId: 0, organization: 'NONE', code: 0, definition: 'undefined' },
  { name: 'WGS 84 geodetic', srsId: 4326, organization: 'EPSG', code: 4326, definition: WGS_84 },
];

/** Requires a transaction; `isNew` for an empty file. */
export function createCatalogue(database: DatabaseSync, isNew: boolean): void {
  if (isNew) {
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${USER_VERSION}; ${statements}`);
    for (const system of requiredSystems) addSystem(database, system);
  }
  database.exec(optionalStatements);
}

export function addSystem(
  database: DatabaseSync,
  { name, srsId, organization, code, definition }: SpatialSystem,
): void {
  database
    .prepare(
      `INSERT INTO gpkg_spatial_ref_sys (srs_name, srs_id, organization, organization_coordsys_id, definition)
       VALUES (?, ?, ?, ?, ?)`,
    )
    .run(name, srsId, organization, code, definition);
}
