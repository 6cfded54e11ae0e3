/** A shapefile with its files open and their heads read. */
import type { CrsReference } from '../../crs/crs-reference.ts';
import { matchWkt } from '../../crs/match-wkt.ts';
import { chooseCharset, type TextDecode } from './charset.ts';
import type { ShapefileParts } from './companions.ts';
import { type DataFile, openDataFile, readBytes } from './data-file.ts';
import { type DbfHeader, readDbfHeader } from './dbf-header.ts';
import { countEntries, type IndexFile } from './record-positions.ts';
import { readShpHeader, type ShpHeader } from './shp-header.ts';

export interface OpenedTable {
  readonly file: DataFile;
  readonly header: DbfHeader;
  readonly decode: TextDecode;
}

export interface OpenedShapefile {
  readonly name: string;
  readonly shp: DataFile;
  readonly header: ShpHeader;
  readonly shx: IndexFile | undefined;
  readonly table: OpenedTable | undefined;
  readonly crs: CrsReference;
  close(): Promise<void>;
}

/** More than any definition or name of an encoding has. */
const MAX_TEXT_BYTES = 65_536;

export async function openShapefileParts(
  name: string,
  parts: ShapefileParts,
  charset: string | undefined,
): Promise<OpenedShapefile> {
  const files: DataFile[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(files.map((file) => file.close()));
  };
  const opened = async (path: string): Promise<DataFile> => {
    const file = await openDataFile(path);
    files.push(file);
    return file;
  };
  try {
    const shp = await opened(parts.shp);
    const header = await readShpHeader(shp);
    const shx = parts.shx === undefined ? undefined : await openIndex(await opened(parts.shx));
    const codePage = await readText(parts.cpg);
    const hints = { ...(charset === undefined ? {} : { charset }), ...(codePage === undefined ? {} : { codePage }) };
    const table = parts.dbf === undefined ? undefined : await openTable(await opened(parts.dbf), hints);
    // Also without a table, an encoding that does not exist is a mistake that wants to be told.
    if (table === undefined) await chooseCharset(hints);
    const prj = await readText(parts.prj);
    return { name, shp, header, shx, table, crs: prj === undefined ? {} : await matchWkt(prj), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openIndex(file: DataFile): Promise<IndexFile> {
  return { file, entries: countEntries(file, await readShpHeader(file)) };
}

async function openTable(
  file: DataFile,
  hints: { readonly charset?: string; readonly codePage?: string },
): Promise<OpenedTable> {
  const header = await readDbfHeader(file);
  return { file, header, decode: await chooseCharset({ ...hints, languageDriver: header.languageDriver }) };
}

/** A small file of text, or its beginning; undefined when there is none. */
async function readText(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const file = await openDataFile(path);
  try {
    return (await readBytes(file, 0, Math.min(file.sizeBytes, MAX_TEXT_BYTES))).toString('utf8');
  } finally {
    await file.close();
  }
}
