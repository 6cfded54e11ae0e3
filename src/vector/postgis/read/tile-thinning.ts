/** Writes the SQL that selects features of a tile that has too many, as the built-in encoder does. */
import { quoteName } from '../../../filter/sql/quote-sql.ts';
import type { SqlParameter } from '../../../filter/sql/sql.ts';
import { selectGridCell } from '../../../lib/values/grid-cell.ts';
import type { SourceTile } from '../../port/port.ts';
import type { CatalogColumn } from '../table/columns.ts';
import { listKeyColumns, type Table } from '../table/table.ts';

/** Writes a call of a function of PostGIS. */
export type Call = (name: string, ...inputs: readonly string[]) => string;

export function writeKeyHash(table: Table): string {
  const key = listKeyColumns(table)
    .map(({ name }) => `${quoteName(name)}::text`)
    .join(` || '.' || `);
  return `pg_catalog.hashtextextended(${key}, 0)`;
}

/** The names of computed columns, which are unlikely to be used by a table. */
const [SIZE, MIDDLE, HASH, RANK] = ['size', 'middle', 'hash', 'rank'].map((name) =>
  quoteName(`${name} for thinning`),
) as [string, string, string, string];

/**
 * Selects like the thinning of the built-in encoder: large features, then one in each cell of a grid, then the rest,
 * by a hash of their keys; then the features in the buffer. Rows without a key have a hash of their values.
 */
export function writeThinning(
  every: string,
  table: Table,
  {
    tile: { box, frame, geometry },
    drawn,
    thinnedTo,
    writeCall,
  }: { readonly tile: SourceTile; readonly drawn: CatalogColumn; readonly thinnedTo: number; readonly writeCall: Call },
  parameters: SqlParameter[],
): string {
  const side = (name: string) => writeCall(name, writeCall('box2d', quoteName(drawn.name)));
  const units = frame.extent + 2 * frame.buffer;
  const writeNumber = (value: number): string => {
    parameters.push(String(value));
    return `$${parameters.length}::float8`;
  };
  const size = `GREATEST((${side('st_xmax')} - ${side('st_xmin')}) * ${writeNumber(units / (box.maxX - box.minX))}, (${side('st_ymax')} - ${side('st_ymin')}) * ${writeNumber(units / (box.maxY - box.minY))})`;
  const middle = `${writeCall('st_setsrid', writeCall('st_makepoint', `(${side('st_xmin')} + ${side('st_xmax')}) / 2`, `(${side('st_ymin')} + ${side('st_ymax')}) / 2`), String(geometry.epsg))}`;
  const placed = geometry.epsg === frame.epsg ? middle : writeCall('st_transform', middle, String(frame.epsg));
  const hasKey = listKeyColumns(table).length > 0;
  const hash = hasKey ? writeKeyHash(table) : 'pg_catalog.hashtextextended(every::text, 0)';
  const cell = selectGridCell(frame.extent, thinnedTo);
  const { bounds } = frame;
  const x = `((${writeCall('st_x', MIDDLE)} - ${writeNumber(bounds.minX)}) * ${writeNumber(frame.extent / (bounds.maxX - bounds.minX))})`;
  const y = `((${writeNumber(bounds.maxY)} - ${writeCall('st_y', MIDDLE)}) * ${writeNumber(frame.extent / (bounds.maxY - bounds.minY))})`;
  const [column, row] = [x, y].map((middle) => `pg_catalog.floor(${middle} / ${cell})`);
  const isInside = [x, y]
    .map((middle) => `${middle} + ${SIZE} / 2 >= 0 AND ${middle} - ${SIZE} / 2 < ${frame.extent}`)
    .join(' AND ');
  const isLarge = `${SIZE} >= ${cell}`;
  return `
    SELECT * FROM (
      SELECT *, pg_catalog.row_number() OVER (PARTITION BY ${isInside}, ${isLarge}, ${column}, ${row} ORDER BY ${HASH}) AS ${RANK}
      FROM (SELECT *, ${size} AS ${SIZE}, ${placed} AS ${MIDDLE}, ${hash} AS ${HASH} FROM (${every}) AS every) AS measured
    ) AS ranked
    ORDER BY (${isInside}) DESC, ${isLarge} DESC, CASE WHEN ${isLarge} THEN ${SIZE} END DESC, ${RANK} = 1 DESC, ${HASH}
    LIMIT ${thinnedTo}`;
}
