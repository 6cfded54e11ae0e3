/** The configuration kind for styles: the entry, and the content with its images. */

import { styleKind } from '../../../catalog/kinds/style.ts';
import { formatStyleFileName } from '../../../catalog/styles/style-names.ts';
import { buildStyleView, type StyleView } from '../../../catalog/styles/style-view.ts';
import type { CommandFile } from '../../../http/routes/command.ts';
import { defineCommand } from '../../../http/routes/define-command.ts';
import type { Files } from '../../../records/files/files.ts';
import { hashBytes } from '../../../storage/blobs/port.ts';
import { isBuiltInName } from '../../../styling/built-in/built-in-names.ts';
import { builtInStyles } from '../../../styling/built-in/built-in-styles.ts';
import { getStyleMediaType, styleLanguages } from '../../../styling/content/style-format.ts';
import { encodePath } from '../../changes/record-path.ts';
import { getStylePath, styleDocument } from '../../styles/representation.ts';
import { findBytes, normaliseContent, toContentBytes, toContentFields } from '../model/content-fields.ts';
import {
  createFieldMapping,
  type Fields,
  filterFields,
  formatCanonicalJson,
  isObject,
  type Json,
} from '../model/fields.ts';
import { type ConfigurationKind, mapRecords, type Operation, type ResourceAddress } from '../model/kind.ts';
import {
  createAdd,
  createDelete,
  createPut,
  getResourceName,
  selectFields,
  toCreateFields,
} from '../model/operations.ts';
import { listReferencedPaths } from '../model/references.ts';

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
  references: ({ fields: { content = null }, ...address }) =>
    listReferencedPaths(listStyledLayers(content), ['layers'], address),
  uniqueNames: ({ names: { workspace = '' }, fields: { filename } }) =>
    filename === undefined ? [] : [`style file ${workspace}:${filename}`],
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

  create: async ({ fields, ...address }) => {
    const name = getResourceName(address);
    const entry = omitFields(toCreateFields(fields), byteFieldNames);
    const file = await createContentFile(name, fields);
    const images = createImageOperations(address, fields);
    if (file !== undefined && isImpliedByContent(address, entry, fields)) {
      return [...images, createAdd(address, { query: { name }, file })];
    }
    // A built-in style exists already.
    const made = isBuiltIn(address)
      ? createPut(address, { document: { style: omitFields(entry, contentFieldNames) } })
      : createAdd(address, { document: { style: { name, ...entry } } });
    return file === undefined ? [made] : [made, ...images, createPut(address, { file })];
  },

  change: async ({ fields, ...address }, { changed }) => {
    const file = [...byteFieldNames].some((name) => changed.has(name))
      ? await createContentFile(getResourceName(address), fields)
      : undefined;
    const entry = omitFields(
      selectFields(fields, changed),
      toContentBytes(fields) !== undefined ? contentFieldNames : byteFieldNames,
    );
    return [
      ...(changed.has('images') ? createImageOperations(address, fields) : []),
      ...(file === undefined ? [] : [createPut(address, { file })]),
      ...(Object.keys(entry).length === 0 ? [] : [createPut(address, { document: { style: entry } })]),
    ];
  },

  remove: (address) => {
    const style = getResourceName(address);
    const builtIn = isBuiltIn(address) ? builtInStyles.find(({ name }) => name === style) : undefined;
    if (builtIn === undefined) {
      return [createDelete(address)];
    }
    const entry = { filename: `${builtIn.name}.sld`, legend: null, metadata: {} };
    return [
      createPut(address, { file: { content: builtIn.sld, mediaType: 'application/vnd.ogc.sld+xml' } }),
      createPut(address, { document: { style: entry } }),
    ];
  },
};

/** The number of characters that are searched for layers: more than a style with several layers has. */
const SEARCHED_CHARACTERS = 262_144;

/** The layers of an SLD document with several; a document with one may have any name in it. */
function listStyledLayers(content: Json): readonly string[] {
  const names =
    typeof content === 'string'
      ? Array.from(
          content.slice(0, SEARCHED_CHARACTERS).matchAll(/<(?:\w+:)?NamedLayer>\s*<(?:\w+:)?Name>([^<]*)</g),
          ([, name = '']) => name.trim(),
        )
      : [];
  return names.length > 1 ? names : [];
}

function isBuiltIn(address: ResourceAddress): boolean {
  return address.names['workspace'] === undefined && isBuiltInName(getResourceName(address));
}

/** Whether a style created from its content alone gets all its other fields by default. */
function isImpliedByContent(
  address: ResourceAddress,
  { format, languageVersion, filename, ...rest }: Fields,
  fields: Fields,
): boolean {
  return (
    !isBuiltIn(address) &&
    filename === formatStyleFileName(getResourceName(address), readFormat(fields)) &&
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

/** Languages whose styles and images are sent as one package; images of others are files in the folder of the style. */
function isPackaged(fields: Fields): boolean {
  const { language } = readFormat(fields);
  return language === 'sld' || language === 'mbstyle';
}

const storeImage = defineCommand('PUT', '/resource/*path');

/** Stores the images of a style without a package where its content refers to them. */
function createImageOperations({ names: { workspace } }: ResourceAddress, fields: Fields): readonly Operation[] {
  const { images } = fields;
  if (!isObject(images) || isPackaged(fields)) return [];
  const folder = workspace === undefined ? 'styles' : `workspaces/${workspace}/styles`;
  return Object.entries(images).map(([path, image]) =>
    storeImage(
      { path: `${folder}/${path}` },
      {
        file: {
          content: Buffer.from(typeof image === 'string' ? image : '', 'base64'),
          mediaType: 'application/octet-stream',
        },
      },
    ),
  );
}

/** The content, alone or in a package with its images. */
async function createContentFile(style: string, fields: Fields): Promise<CommandFile | undefined> {
  const { images } = fields;
  const bytes = toContentBytes(fields);
  if (bytes === undefined) {
    return undefined;
  }
  const packed = isObject(images) && isPackaged(fields) ? Object.entries(images) : [];
  if (packed.length === 0) {
    return { content: bytes, mediaType: getStyleMediaType(readFormat(fields)) };
  }
  const { writePackage } = await import('../../../styling/package/write-package.ts');
  const archive = await writePackage(
    {
      name: typeof fields['filename'] === 'string' ? fields['filename'] : `${style}.sld`,
      bytes: Buffer.from(bytes),
    },
    packed.map(([name, image]) => ({ name, bytes: Buffer.from(typeof image === 'string' ? image : '', 'base64') })),
  );
  return { content: archive, mediaType: 'application/zip' };
}

function readFormat({ format, languageVersion }: Fields): Parameters<typeof getStyleMediaType>[0] {
  const isNew = formatCanonicalJson(languageVersion ?? null).includes('1.1');
  const language = styleLanguages.find((each) => each === format) ?? 'sld';
  return { language, version: isNew && language === 'sld' ? '1.1.0' : '1.0.0' };
}

function omitFields(fields: Fields, names: ReadonlySet<string>): Fields {
  return filterFields(fields, (name) => !names.has(name));
}
