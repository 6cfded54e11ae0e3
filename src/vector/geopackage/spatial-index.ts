/** The R-tree of a geometry column with the triggers of the format, so that other programs maintain it. */
import type { DatabaseSync } from 'node:sqlite';
import { quoteName, quoteText } from '../../filter/sql/quote-sql.ts';

export function formatIndexName(table: string, column: string): string {
  return `rtree_${table}_${column}`;
}

/** Returns undefined if there is no R-tree of that name. */
export function findIndex(database: DatabaseSync, table: string, column: string): string | undefined {
  const row = database
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE")
    .get(formatIndexName(table, column));
  return row !== undefined && /\bUSING\s+"?rtree"?\s*\(/i.test(String(row['sql'])) ? String(row['name']) : undefined;
}

/** Finds a reliable index: with the standard columns and all triggers. */
export function findMaintainedIndex(database: DatabaseSync, table: string, column: string): string | undefined {
  const name = findIndex(database, table, column);
  if (name === undefined) return undefined;
  const columns = database.prepare('SELECT name FROM pragma_table_xinfo(?)').all(name);
  const isOfFormat = columns.map((each) => String(each['name']).toLowerCase()).join() === 'id,minx,maxx,miny,maxy';
  const trigger = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'trigger' AND name = ? COLLATE NOCASE");
  return isOfFormat && trigger.get(`${name}_insert`) !== undefined ? name : undefined;
}

/** The functions in the triggers are those that every GeoPackage writer provides. */
export function addSpatialIndex(database: DatabaseSync, table: string, column: string, key: string): void {
  const name = formatIndexName(table, column);
  const [index, on, id, geometry] = [quoteName(name), quoteName(table), quoteName(key), quoteName(column)];
  const isFilled = `NEW.${geometry} NOT NULL AND NOT ST_IsEmpty(NEW.${geometry})`;
  const isBare = `(NEW.${geometry} ISNULL OR ST_IsEmpty(NEW.${geometry}))`;
  const put = `INSERT OR REPLACE INTO ${index} VALUES (NEW.${id}, ST_MinX(NEW.${geometry}), ST_MaxX(NEW.${geometry}), ST_MinY(NEW.${geometry}), ST_MaxY(NEW.${geometry}));`;
  const removeOld = `DELETE FROM ${index} WHERE id = OLD.${id};`;
  const writeTrigger = (suffix: string, event: string, condition: string, action: string): string =>
    `CREATE TRIGGER ${quoteName(`${name}_${suffix}`)} AFTER ${event} ON ${on} WHEN ${condition} BEGIN ${action} END;`;

  database.exec(
    [
      `CREATE VIRTUAL TABLE ${index} USING rtree(id, minx, maxx, miny, maxy);`,
      writeTrigger('insert', 'INSERT', `(${isFilled})`, put),
      writeTrigger('update1', `UPDATE OF ${geometry}`, `OLD.${id} = NEW.${id} AND (${isFilled})`, put),
      writeTrigger('update2', `UPDATE OF ${geometry}`, `OLD.${id} = NEW.${id} AND ${isBare}`, removeOld),
      writeTrigger('update3', 'UPDATE', `OLD.${id} != NEW.${id} AND (${isFilled})`, `${removeOld} ${put}`),
      writeTrigger(
        'update4',
        'UPDATE',
        `OLD.${id} != NEW.${id} AND ${isBare}`,
        `DELETE FROM ${index} WHERE id IN (OLD.${id}, NEW.${id});`,
      ),
      writeTrigger('delete', 'DELETE', `OLD.${geometry} NOT NULL`, removeOld),
      `INSERT INTO gpkg_extensions (table_name, column_name, extension_name, definition, scope)
       VALUES (${quoteText(table)}, ${quoteText(column)}, 'gpkg_rtree_index', 'http://www.geopackage.org/spec120/#extension_rtree', 'write-only');`,
    ].join('\n'),
  );
}
