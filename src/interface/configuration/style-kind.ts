/** Styles in the configuration: the entry, and the content with the images it draws. */

import { styleKind } from '../../catalog/styles/style.ts';
import { formatStyleFileName } from '../../catalog/styles/style-names.ts';
import { type StyleView, buildStyleView } from '../../catalog/styles/style-view.ts';
import type { Files } from '../../records/files.ts';
import { hashBytes } from '../../storage/blobs/port.ts';
import { isBuiltInName } from '../../styling/built-in/built-in-names.ts';
import { builtInStyles } from '../../styling/built-in/built-in-styles.ts';
import { getStyleMediaType } from '../../styling/content/style-format.ts';
import { pathOf } from '../record-address.ts';
import { styleDocument, stylePath } from '../styles/representation.ts';
import { bytesOf, fieldsOfBytes, oneContent, sentBytes } from './content-fields.ts';
import { canonicalText, describedFields, type Fields, isObject, selected } from './fields.ts';
import { type ConfigurationKind, eachOf, type Operation } from './kind.ts';
import { given, nameIn, only, parentOf } from './operations.ts';

const defaults: Fields = { legend: null, metadata: {}, images: {} };
const described = describedFields(styleDocument, ['name', 'workspace'], defaults);

/** What the content decides once there is one. */
const ofContent: ReadonlySet<string> = new Set(['content', 'contentBase64', 'images', 'format', 'languageVersion']);
const bytesOfStyle: ReadonlySet<string> = new Set(['content', 'contentBase64', 'images']);

export const styleRow: ConfigurationKind = {
  kind: styleKind.kind,
  patterns: ['/styles/:style', '/workspaces/:workspace/styles/:style'],
  fieldNames: [...described.names, 'content', 'contentBase64', 'images'],
  defaults,
  normalise: oneContent,
  async *every({ services, every, workspaces }) {
    const { catalog, files } = services;
    for await (const piece of every(styleKind)) {
      const views = await Promise.all(
        piece.map(async (style) => {
          const workspace = style.parent === null ? null : ((await workspaces()).get(style.parent) ?? null);
          return buildStyleView(catalog, style, workspace);
        }),
      );
      const told = views.filter((view) => !isUnchanged(view));
      yield* eachOf([told], (view) => ({
        path: pathOf(stylePath(view.style.name, view.workspace?.name ?? null)),
        fields: async () => ({ ...described.of(view), ...(await contentOf(files, view)) }),
      }));
    }
  },

  create: async ({ path, fields }) => {
    const entry = without(given(fields), bytesOfStyle);
    const content = await sending(path, fields);
    if (content !== undefined && isSaidByContent(path, entry, fields)) {
      const query = new URLSearchParams({ name: nameIn(path) });
      return [{ ...content, method: 'POST', path: `${parentOf(path)}?${query}` }];
    }
    // One that every server has is there already.
    const made: Operation = isBuiltIn(path)
      ? { method: 'PUT', path, body: { style: without(entry, ofContent) } }
      : { method: 'POST', path: parentOf(path), body: { style: { name: nameIn(path), ...entry } } };
    return content === undefined ? [made] : [made, content];
  },

  change: async ({ path, fields }, { changed }) => {
    const content = [...bytesOfStyle].some((name) => changed.has(name)) ? await sending(path, fields) : undefined;
    const entry = without(only(fields, changed), sentBytes(fields) !== undefined ? ofContent : bytesOfStyle);
    const operations: readonly Operation[] =
      Object.keys(entry).length === 0 ? [] : [{ method: 'PUT', path, body: { style: entry } }];
    return content === undefined ? operations : [content, ...operations];
  },

  remove: ({ path }) => {
    const builtIn = isBuiltIn(path) ? builtInStyles.find(({ name }) => name === nameIn(path)) : undefined;
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
  return parentOf(path) === '/styles' && isBuiltInName(nameIn(path));
}

/** Whether a style that is made from its content alone has all the rest by itself. */
function isSaidByContent(
  path: string,
  { format, languageVersion, filename, ...rest }: Fields,
  fields: Fields,
): boolean {
  return (
    !isBuiltIn(path) &&
    filename === formatStyleFileName(nameIn(path), formatIn(fields)) &&
    Object.entries(rest).every(([name, value]) => canonicalText(value) === canonicalText(defaults[name] ?? null))
  );
}

/** One that every server has, as every server has it. */
function isUnchanged({ style, file, images }: StyleView): boolean {
  const builtIn = style.parent === null ? builtInHashes().get(style.name) : undefined;
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

function builtInHashes(): ReadonlyMap<string, string> {
  knownHashes ??= new Map(builtInStyles.map(({ name, sld }) => [name, hashBytes(Buffer.from(sld))]));
  return knownHashes;
}

async function contentOf(files: Files, { file, images }: StyleView): Promise<Fields> {
  const bytes = file === null ? undefined : await bytesOf(files, file.content);
  const pairs = await Promise.all(
    images.map(
      async ({ path, content }) => [path, (await bytesOf(files, content))?.toString('base64') ?? null] as const,
    ),
  );
  const shown = Object.fromEntries(pairs.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  if (bytes === undefined) {
    return { content: null, images: shown };
  }
  const isText = file?.written?.charset == null;
  return { ...(isText ? fieldsOfBytes(bytes) : { contentBase64: bytes.toString('base64') }), images: shown };
}

/** The request that brings the content, alone or in a package with its images. */
async function sending(path: string, fields: Fields): Promise<Operation | undefined> {
  const { images } = fields;
  const bytes = sentBytes(fields);
  if (bytes === undefined) {
    return undefined;
  }
  const packed = isObject(images) ? Object.entries(images) : [];
  if (packed.length === 0) {
    return { method: 'PUT', path, content: bytes, contentType: getStyleMediaType(formatIn(fields)) };
  }
  const { writePackage } = await import('../../styling/package/write-package.ts');
  const archive = await writePackage(
    {
      name: typeof fields['filename'] === 'string' ? fields['filename'] : `${nameIn(path)}.sld`,
      bytes: Buffer.from(bytes),
    },
    packed.map(([name, image]) => ({ name, bytes: Buffer.from(typeof image === 'string' ? image : '', 'base64') })),
  );
  return { method: 'PUT', path, content: archive, contentType: 'application/zip' };
}

function formatIn({ format, languageVersion }: Fields): Parameters<typeof getStyleMediaType>[0] {
  const isNew = canonicalText(languageVersion ?? null).includes('1.1');
  return { language: format === 'css' ? 'css' : 'sld', version: isNew ? '1.1.0' : '1.0.0' };
}

function without(fields: Fields, names: ReadonlySet<string>): Fields {
  return selected(fields, (name) => !names.has(name));
}
