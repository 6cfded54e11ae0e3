/** The configuration kind for styles: the entry, and the content with its images. */

import { styleKind } from '../../../catalog/kinds/style.ts';
import { formatStyleFileName } from '../../../catalog/styles/style-names.ts';
import { buildStyleView, type StyleView } from '../../../catalog/styles/style-view.ts';
import type { Files } from '../../../records/files/files.ts';
import { hashBytes } from '../../../storage/blobs/port.ts';
import { isBuiltInName } from '../../../styling/built-in/built-in-names.ts';
import { builtInStyles } from '../../../styling/built-in/built-in-styles.ts';
import { getStyleMediaType } from '../../../styling/content/style-format.ts';
import { encodePath } from '../../changes/record-path.ts';
import { getStylePath, styleDocument } from '../../styles/representation.ts';
import { findBytes, normaliseContent, toContentBytes, toContentFields } from '../model/content-fields.ts';
import { createFieldMapping, type Fields, filterFields, formatCanonicalJson, isObject } from '../model/fields.ts';
import { type ConfigurationKind, mapRecords, type Operation } from '../model/kind.ts';
import { decodeLastSegment, getParentPath, selectFields, toCreateFields } from '../model/operations.ts';

const defaults: Fields = { legend: null, metadata: {}, images: {} };
const styleFields = createFieldMapping(styleDocument, ['name', 'workspace'], defaults);

/** The fields that the content determines. */
const contentFieldNames: ReadonlySet<string> = new Set([
  'content',
  'contentBase64',
  'images',
  'format',
  'languageVersion',
]);
const byteFieldNames: ReadonlySet<string> = new Set(['content', 'contentBase64', 'images']);

export const styleRow: ConfigurationKind = {
  kind: styleKind.kind,
  patterns: ['/styles/:style', '/workspaces/:workspace/styles/:style'],
  fieldNames: [...styleFields.names, 'content', 'contentBase64', 'images'],
  defaults,
  normalise: normaliseContent,
  async *every({ services, every, workspaces }) {
    const { catalog, files } = services;
    for await (const piece of every(styleKind)) {
      const views = await Promise.all(
        piece.map(async (style) => {
          const workspace = style.parent === null ? null : ((await workspaces()).get(style.parent) ?? null);
          return buildStyleView(catalog, style, workspace);
        }),
      );
      const changed = views.filter((view) => !isUnchanged(view));
      yield* mapRecords([changed], (view) => ({
        path: encodePath(getStylePath(view.style.name, view.workspace?.name ?? null)),
        fields: async () => ({ ...styleFields.toFields(view), ...(await readStyleContent(files, view)) }),
      }));
    }
  },

  create: async ({ path, fields }) => {
    const entry = omitFields(toCreateFields(fields), byteFieldNames);
    const content = await createContentOperation(path, fields);
    if (content !== undefined && isImpliedByContent(path, entry, fields)) {
      const query = new URLSearchParams({ name: decodeLastSegment(path) });
      return [{ ...content, method: 'POST', path: `${getParentPath(path)}?${query}` }];
    }
    // A built-in style exists already.
    const made: Operation = isBuiltIn(path)
      ? { method: 'PUT', path, body: { style: omitFields(entry, contentFieldNames) } }
      : { method: 'POST', path: getParentPath(path), body: { style: { name: decodeLastSegment(path), ...entry } } };
    return content === undefined ? [made] : [made, content];
  },

  change: async ({ path, fields }, { changed }) => {
    const content = [...byteFieldNames].some((name) => changed.has(name))
      ? await createContentOperation(path, fields)
      : undefined;
    const entry = omitFields(
      selectFields(fields, changed),
      toContentBytes(fields) !== undefined ? contentFieldNames : byteFieldNames,
    );
    const operations: readonly Operation[] =
      Object.keys(entry).length === 0 ? [] : [{ method: 'PUT', path, body: { style: entry } }];
    return content === undefined ? operations : [content, ...operations];
  },

  remove: ({ path }) => {
    const builtIn = isBuiltIn(path) ? builtInStyles.find(({ name }) => name === decodeLastSegment(path)) : undefined;
    if (builtIn === undefined) {
      return [{ method: 'DELETE', path }];
    }
    const entry = { filename: `${builtIn.name}.sld`, legend: null, metadata: {} };
    return [
      { method: 'PUT', path, content: builtIn.sld, contentType: 'application/vnd.ogc.sld+xml' },
      { method: 'PUT', path, body: { style: entry } },
    ];
  },
};

function isBuiltIn(path: string): boolean {
  return getParentPath(path) === '/styles' && isBuiltInName(decodeLastSegment(path));
}

/** Whether a style created from its content alone gets all its other fields by default. */
function isImpliedByContent(
  path: string,
  { format, languageVersion, filename, ...rest }: Fields,
  fields: Fields,
): boolean {
  return (
    !isBuiltIn(path) &&
    filename === formatStyleFileName(decodeLastSegment(path), readFormat(fields)) &&
    Object.entries(rest).every(
      ([name, value]) => formatCanonicalJson(value) === formatCanonicalJson(defaults[name] ?? null),
    )
  );
}

/** An unchanged built-in style. */
function isUnchanged({ style, file, images }: StyleView): boolean {
  const builtIn = style.parent === null ? getBuiltInHashes().get(style.name) : undefined;
  return (
    builtIn !== undefined &&
    file?.content === builtIn &&
    images.length === 0 &&
    style.legend === null &&
    Object.keys(style.metadata).length === 0 &&
    style.filename === `${style.name}.sld`
  );
}

let knownHashes: ReadonlyMap<string, string> | undefined;

function getBuiltInHashes(): ReadonlyMap<string, string> {
  knownHashes ??= new Map(builtInStyles.map(({ name, sld }) => [name, hashBytes(Buffer.from(sld))]));
  return knownHashes;
}

async function readStyleContent(files: Files, { file, images }: StyleView): Promise<Fields> {
  const bytes = file === null ? undefined : await findBytes(files, file.content);
  const pairs = await Promise.all(
    images.map(
      async ({ path, content }) => [path, (await findBytes(files, content))?.toString('base64') ?? null] as const,
    ),
  );
  const shown = Object.fromEntries(pairs.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  if (bytes === undefined) {
    return { content: null, images: shown };
  }
  const isText = file?.written?.charset == null;
  return { ...(isText ? toContentFields(bytes) : { contentBase64: bytes.toString('base64') }), images: shown };
}

/** The request that uploads the content, alone or in a package with its images. */
async function createContentOperation(path: string, fields: Fields): Promise<Operation | undefined> {
  const { images } = fields;
  const bytes = toContentBytes(fields);
  if (bytes === undefined) {
    return undefined;
  }
  const packed = isObject(images) ? Object.entries(images) : [];
  if (packed.length === 0) {
    return { method: 'PUT', path, content: bytes, contentType: getStyleMediaType(readFormat(fields)) };
  }
  const { writePackage } = await import('../../../styling/package/write-package.ts');
  const archive = await writePackage(
    {
      name: typeof fields['filename'] === 'string' ? fields['filename'] : `${decodeLastSegment(path)}.sld`,
      bytes: Buffer.from(bytes),
    },
    packed.map(([name, image]) => ({ name, bytes: Buffer.from(typeof image === 'string' ? image : '', 'base64') })),
  );
  return { method: 'PUT', path, content: archive, contentType: 'application/zip' };
}

function readFormat({ format, languageVersion }: Fields): Parameters<typeof getStyleMediaType>[0] {
  const isNew = formatCanonicalJson(languageVersion ?? null).includes('1.1');
  return { language: format === 'css' ? 'css' : 'sld', version: isNew ? '1.1.0' : '1.0.0' };
}

function omitFields(fields: Fields, names: ReadonlySet<string>): Fields {
  return filterFields(fields, (name) => !names.has(name));
}
