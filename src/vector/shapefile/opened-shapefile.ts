/** A shapefile with open files and parsed headers. */

import { matchWkt } from '../../crs/match-wkt.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import { createLruCache, type LruCache } from '../../lib/cache/lru-cache.ts';
import { type DataFile, openDataFile, readBytes } from '../support/data-file.ts';
import type { ShapefileParts } from './companions.ts';
import { countEntries, type IndexFile } from './shapes/record-positions.ts';
import { readShpHeader, type ShpHeader } from './shapes/shp-header.ts';
import { surveyTexts, type TextSurvey } from './survey-texts.ts';
import { chooseCharset, getDriverEncoding, isKnownCharset, type TextDecode } from './table/charset.ts';
import { type DbfHeader, readDbfHeader } from './table/dbf-header.ts';

export interface OpenedTable {
  readonly file: DataFile;
  readonly header: DbfHeader;
  readonly decode: TextDecode;
  /** The detected encoding, if none is declared and it matters. */
  readonly guessed?: string;
}

export interface OpenedShapefile {
  readonly name: string;
  /** The path of its .shp file. */
  readonly path: string;
  readonly shp: DataFile;
  readonly header: ShpHeader;
  readonly shx: IndexFile | undefined;
  readonly table: OpenedTable | undefined;
  readonly crs: CrsReference;
  /** Warnings about missing or invalid files, as sentences. */
  readonly warnings: readonly string[];
  close(): Promise<void>;
}

/** Longer than any CRS definition or encoding name. */
const MAX_TEXT_BYTES = 65_536;

/** `surveys` caches the detected encoding class of tables by version. */
export async function openShapefileParts(
  name: string,
  parts: ShapefileParts,
  charset: string | undefined,
  surveys: LruCache<TextSurvey> = createLruCache(1),
): Promise<OpenedShapefile> {
  const files: DataFile[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(files.map((file) => file.close()));
  };
  const openFile = async (path: string): Promise<DataFile> => {
    const file = await openDataFile(path);
    files.push(file);
    return file;
  };
  try {
    const shp = await openFile(parts.shp);
    const header = await readShpHeader(shp);
    const shx = parts.shx === undefined ? undefined : await openIndex(await openFile(parts.shx));
    const written = await readText(parts.cpg);
    // An unknown encoding is treated like a missing file.
    const codePage = written !== undefined && (await isKnownCharset(written)) ? written : undefined;
    const hints = { ...(charset === undefined ? {} : { charset }), ...(codePage === undefined ? {} : { codePage }) };
    const table = parts.dbf === undefined ? undefined : await openTable(await openFile(parts.dbf), hints, surveys);
    // An unknown encoding is reported even without a table.
    if (table === undefined) await chooseCharset(hints);
    const prj = await readText(parts.prj);
    const crs = prj === undefined ? {} : await matchWkt(prj);
    const warnings = listWarnings({ name, prj, crs, cpg: written, table });
    return { name, path: parts.shp, shp, header, shx, table, crs, warnings, close };
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
  surveys: LruCache<TextSurvey>,
): Promise<OpenedTable> {
  const header = await readDbfHeader(file);
  const { languageDriver } = header;
  const isTold = (hints.charset ?? '').trim() !== '' || hints.codePage !== undefined;
  const survey = isTold ? 'ascii' : (surveys.get(file.version) ?? (await surveyTexts(file, header)));
  if (!isTold) surveys.set(file.version, survey, 1);
  const guessed = survey === 'ascii' ? undefined : survey === 'utf-8' ? 'UTF-8' : getDriverEncoding(languageDriver);
  const decode = await chooseCharset({
    ...hints,
    languageDriver,
    ...(guessed === undefined ? {} : { codePage: guessed }),
  });
  return { file, header, decode, ...(guessed === undefined ? {} : { guessed: guessed.toUpperCase() }) };
}

interface WarningInput {
  readonly name: string;
  readonly prj: string | undefined;
  readonly crs: CrsReference;
  readonly cpg: string | undefined;
  readonly table: OpenedTable | undefined;
}

function listWarnings({ name, prj, crs, cpg, table }: WarningInput): readonly string[] {
  const advice = 'so its coordinate reference system is unknown. Set the srs of the feature type.';
  const isDefined = crs.code !== undefined || crs.wkt !== undefined;
  const what = cpg === undefined ? 'no .cpg file' : 'a .cpg file with an unknown encoding';
  return [
    ...(prj === undefined ? [`'${name}' has no .prj file, ${advice}`] : []),
    ...(prj === undefined || isDefined ? [] : [`'${name}' has an invalid .prj file, ${advice}`]),
    ...(table === undefined ? [`'${name}' has no .dbf file, so its features have no attributes.`] : []),
    ...(table?.guessed === undefined
      ? []
      : [
          `'${name}' has ${what}, so its texts are read as ${table.guessed}. Set the parameter charset to use another encoding.`,
        ]),
  ];
}

/** Reads the start of a small text file; undefined if it does not exist. */
async function readText(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const file = await openDataFile(path);
  try {
    return (await readBytes(file, 0, Math.min(file.sizeBytes, MAX_TEXT_BYTES))).toString('utf8');
  } finally {
    await file.close();
  }
}
